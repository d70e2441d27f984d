"""A note with characters that nobody sees is answered from as if they were not there, and quoted with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from chartcite.core.unseen import seen
from chartcite.library.book import Book

NOTE = (
    "Progress note\n\nHe has no fever. Penicillin causes hives.\n"
    "Warfarin 5.0 mg daily was increased to 7.5 mg daily. Potassium 5.8 mmol/L.\n"
)
ASKED = [
    "Does he have a fever?", "What is the latest warfarin dose?", "What is the latest potassium?", "Why is he anxious?",
    "Wh\u200bat is the latest pot\u00adassium?",
]  # fmt: skip


@pytest.fixture(scope="module")
def book(demo: Book, tmp_path_factory: pytest.TempPathFactory) -> Book:
    folder: Path = tmp_path_factory.mktemp("unseen")
    for patient, text in (("plain", NOTE), ("unseen", "\u200b".join(NOTE))):
        (folder / "notes" / patient).mkdir(parents=True)
        (folder / "notes" / patient / "2031-03-02_note.txt").write_text(text, encoding="utf-8")
    made = Book(folder / "store", engines=demo.engines)
    assert not made.ingest(folder / "notes", patient_from_folder=True).failed
    return made


@pytest.mark.parametrize("question", ASKED, ids=["denied", "dose", "value", "absent", "asked unseen"])
def test_the_same_is_said_and_the_quote_is_a_slice(book: Book, question: str) -> None:
    plain, found = (book.ask(question, patient=patient) for patient in ("plain", "unseen"))
    assert found.text == plain.text
    assert found.reason == plain.reason
    assert found.question == question
    assert [seen(c.quote) for c in found.citations] == [c.quote for c in plain.citations]
    stored = "\u200b".join(NOTE)
    assert all(stored[c.start : c.end] == c.quote for c in found.citations)
    assert all(one.holds for one in book.verify_answer(found.to_dict()))


def test_the_timeline_is_the_same_and_quotes_slices(book: Book) -> None:
    plain, found = (book.timeline(patient=patient) for patient in ("plain", "unseen"))
    assert [(v.day, v.text) for s in plain.series for v in s.values] == [
        (v.day, v.text) for s in found.series for v in s.values
    ]
    assert found.series
    stored = "\u200b".join(NOTE)
    quotes = [v.sources[0].to_dict() for s in found.series for v in s.values]
    assert all(stored[q["start"] : q["end"]] == q["quote"] for q in quotes)
