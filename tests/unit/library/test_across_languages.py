"""A record asked in the other language: it is found by its words, it is told, and nothing is called unmentioned."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.library.test_languages import ENGLISH, PORTUGUESE, OpenBook, fill, first, open_book

from chartcite.retrieval.crosslingual import ASKED_ACROSS

if TYPE_CHECKING:
    from chartcite.core.answer import Answer

__all__ = ["open_book"]
ASKED = {
    "urinary infection": "d02", "renal function": "d05", "blood pressure at the last visit": "d08",
    "penicillin allergy": "d09", "cholecystectomy": "d10", "lung lesions on tomography": "d11",
    "glycated hemoglobin": "d12", "thyroid nodule": "d13", "ejection fraction": "d14", "warfarin stopped": "d15",
    "sister with breast cancer": "d17", "influenza vaccination": "d18",
}  # fmt: skip


@pytest.mark.parametrize("question", ASKED, ids=list(ASKED))
def test_english_words_find_portuguese_notes(question: str, open_book: OpenBook, tmp_path: Path) -> None:
    book = open_book(method="lexical", rerank="none")
    fill(book, tmp_path, PORTUGUESE)
    assert first(book, question) == ASKED[question]


def _told(answer: Answer) -> list[Any]:
    return [f["name"] for f in answer.fallbacks]


def test_it_is_told_that_words_were_looked_up_in_a_list(open_book: OpenBook, tmp_path: Path) -> None:
    book = open_book(rerank="none")
    fill(book, tmp_path, PORTUGUESE)
    assert ASKED_ACROSS in _told(book.ask("Is there any allergy to penicillin?", patient="p"))
    assert ASKED_ACROSS not in _told(book.ask("Tem alergia à penicilina?", patient="p"))
    told: list[str] = []
    book.search("penicillin allergy", patient="p", fallback=lambda name, _: told.append(name))
    assert told == [ASKED_ACROSS]


def test_nothing_is_told_where_the_encoder_knows_both(open_book: OpenBook, tmp_path: Path) -> None:
    book = open_book(rerank="none")
    fill(book, tmp_path, PORTUGUESE)
    book.engines.encoder.languages = ("en", "pt")  # type: ignore[attr-defined]
    assert ASKED_ACROSS not in _told(book.ask("Is there any allergy to penicillin?", patient="p"))


def test_what_the_record_says_in_its_own_language_is_not_called_unmentioned(
    open_book: OpenBook, tmp_path: Path
) -> None:
    book = open_book(rerank="none")
    fill(book, tmp_path, PORTUGUESE)
    answer = book.ask("Has the patient had a cholecystectomy?", patient="p")
    assert answer.reason != "not_mentioned"
    assert "d10" in [c.doc_id for c in answer.citations]


def test_records_and_questions_of_one_language_are_as_they_were(open_book: OpenBook, tmp_path: Path) -> None:
    auto, fixed = open_book("auto", rerank="none"), open_book("en", language="en", rerank="none")
    for book in (auto, fixed):
        fill(book, tmp_path, ENGLISH)
    for question in ("muscular pains", "fever", "creatinine"):
        assert auto.rank_documents(question, patient="p") == fixed.rank_documents(question, patient="p")
        assert ASKED_ACROSS not in _told(auto.ask(question, patient="p"))


def test_an_encoder_that_cannot_read_the_record_counts_less_and_it_is_told(open_book: OpenBook, tmp_path: Path) -> None:
    book = open_book()
    fill(book, tmp_path, PORTUGUESE)
    before = [hit.parts for hit in book.search("febre", patient="p")]
    assert "encoder_of_another_language" not in _told(book.ask("Tem febre?", patient="p"))
    book.engines.encoder.languages = ("en",)  # type: ignore[attr-defined]
    assert "encoder_of_another_language" in _told(book.ask("Tem febre?", patient="p"))
    told: list[str] = []
    found = book.search("febre", patient="p", fallback=lambda name, _: told.append(name))
    assert told == ["encoder_of_another_language"]
    assert any("late" in parts for parts in before)
    assert not any("late" in hit.parts for hit in found)
