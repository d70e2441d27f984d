"""Memory while ingesting does not depend on how much there is to ingest."""

from __future__ import annotations

import json
import random
import tracemalloc
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from chartcite.core.documents import Span
from chartcite.ingest import prepare
from chartcite.ingest.prepare import draft

if TYPE_CHECKING:
    import pytest
    from tests.conftest import FakeEncoder, MakeNote, OpenShelf, Shelf
    from tests.unit.ingest.conftest import Ingest

WORDS = [f"word{n}" for n in range(200)]


def write(path: Path, count: int) -> Path:
    random.seed(count)
    with path.open("w") as file:
        for n in range(count):
            text = " ".join(random.choices(WORDS, k=9)) + "."
            file.write(json.dumps({"doc_id": f"d{n}", "patient_id": "p1", "text": text}) + "\n")
    return path


def test_eight_times_as_many_documents_take_no_more_memory(
    tmp_path: Path, ingest: Ingest, open_shelf: OpenShelf, fake_encoder: FakeEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fake_encoder, "texts", deque(maxlen=0))
    monkeypatch.setattr(prepare, "_KEPT_TEXTS", 50)  # the bound of a memory that 100 documents do not fill
    ingest(write(tmp_path / "warm.jsonl", 50), shelf=open_shelf("warm"))
    peaks = []
    for count in (100, 800):
        path, shelf = write(tmp_path / f"{count}.jsonl", count), open_shelf(str(count))
        tracemalloc.start()
        ingest(path, shelf=shelf)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert shelf.store.counts()["documents"] == count
    assert peaks[1] < 1.5 * peaks[0] + 100_000, peaks


def test_hidden_spans_in_any_order_and_one_inside_another(make_note: MakeNote, shelf: Shelf) -> None:
    text = "One. Two. Three. Four. Five. Six."
    hidden = (Span(20, 21), Span(5, 15), Span(6, 7), Span(28, 29), Span(4, 5))
    made = draft(make_note("d", text, hidden=hidden), shelf.kitchen)
    assert [text[s.start : s.end] for s in made.sentences] == ["One.", "Five.", "Six."]
    assert made.texts == ("One.", "Five. Six.")


def test_many_hidden_spans_are_not_compared_with_every_sentence(make_note: MakeNote, shelf: Shelf) -> None:
    text = "Seen here. Hidden now.\n" * 4000
    hidden = tuple(Span(n * 23 + 11, n * 23 + 22) for n in range(4000))
    made = draft(make_note("d", text, hidden=hidden), shelf.kitchen)
    assert {text[s.start : s.end] for s in made.sentences} == {"Seen here."}
    assert len(made.sentences) == 4000
