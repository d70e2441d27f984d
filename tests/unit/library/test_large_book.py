"""A partition above the limit is searched in files, which ingest makes and delete removes; the answers are the same."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chartcite.core.errors import StoreMismatch
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder

QUERIES = ["warfarin 3 mg", "knee pain", "no fever", "nothing of this"]


def open_book(folder: Path, encoder: FakeEncoder, limit: int) -> Book:
    settings = Settings(large_passages=limit)
    engines = Engines(settings)
    engines.__dict__["encoder"] = encoder
    return Book(folder, settings, engines=engines)


def results(book: Book) -> list[object]:
    """Passages with their ranks in every list, and documents; scores within 1e-6."""
    found: list[object] = []
    for query in QUERIES:
        for passage in book.search(query, collection="c"):
            parts = {name: (rank, pytest.approx(score, abs=1e-6)) for name, (rank, score) in passage.parts.items()}
            found.append((passage.text, passage.places, passage.rank, pytest.approx(passage.score, abs=1e-6), parts))
        for document, score in book.rank_documents(query, collection="c"):
            found.append((document, pytest.approx(score, abs=1e-6)))
    return found


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for n in range(12):
        text = f"PLAN\nWarfarin {n} mg nightly.\n\nHISTORY\nKnee pain, day {n}. No fever.\n"
        (folder / f"2021-01-{n + 1:02d}_note.txt").write_text(text)
    return folder


def test_the_same_results_in_files_and_in_memory(tmp_path: Path, notes: Path, fake_encoder: FakeEncoder) -> None:
    folder = tmp_path / "store"
    with open_book(folder, fake_encoder, 200_000) as book:
        book.ingest(notes, collection="c")
        expected = results(book)
    with open_book(folder, fake_encoder, 10) as book:
        with pytest.raises(StoreMismatch) as said:
            book.search("warfarin", collection="c")
        assert "chartcite index" in said.value.advice
        book.index(collection="c")
        assert len(list((folder / "large").glob("*/manifest.json"))) == 1
        assert results(book) == expected
        (notes / "2021-01-13_note.txt").write_text("PLAN\nApixaban 5 mg.\n")
        book.ingest(notes, collection="c")
        assert "Apixaban" in book.search("apixaban", collection="c")[0].text
        assert book.delete(collection="c") == 13
    assert list((folder / "large").iterdir()) == []


def test_ingest_makes_the_files_and_small_partitions_have_none(
    tmp_path: Path, notes: Path, fake_encoder: FakeEncoder
) -> None:
    with open_book(tmp_path / "store", fake_encoder, 10) as book:
        book.ingest(notes, collection="c")
        book.ingest(notes / "2021-01-01_note.txt", patient="p1")
        assert len(list((tmp_path / "store" / "large").glob("*/manifest.json"))) == 1
        assert book.search("warfarin", collection="c")
        assert book.search("warfarin", patient="p1")
