"""What a caller gives stands in place of a stage's own output, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.pipeline.test_small_records import book, note, put  # noqa: F401

from chartcite.core.errors import UsageError
from chartcite.core.given import Given, GivenEvidence
from chartcite.library.book import Book

NOTE = "Warfarin dose is 5 mg every evening. INR was 2.1. She denies bleeding."
LATER = "Metoprolol was stopped."
QUESTION = "What is the warfarin dose?"


@pytest.fixture
def record(book: Book, tmp_path: Path) -> Book:  # noqa: F811
    put(book, tmp_path, note("d1", NOTE), note("d2", LATER, "2021-05-01"))
    return book


def test_nothing_given_changes_nothing(record: Book) -> None:
    plain = record.ask(QUESTION, patient="p").to_dict()
    assert record.ask(QUESTION, patient="p", given=Given()).to_dict() == plain


def test_a_given_query_is_what_is_searched_for(record: Book) -> None:
    answer = record.ask("How am I?", patient="p", given=Given(query="warfarin  dose"))
    assert answer.query == "warfarin dose"
    assert "warfarin" in answer.searched.terms
    assert "5 mg" in answer.text


def test_given_evidence_is_all_that_may_be_cited(record: Book) -> None:
    given = Given(evidence=(GivenEvidence("d1", sentence=2, relevance=4), GivenEvidence("d2", start=0, end=23)))
    answer = record.ask(QUESTION, patient="p", given=given)
    assert [(e.doc_id, e.quote, e.relevance, e.kept) for e in answer.evidence] == [
        ("d1", "INR was 2.1.", 4, "given"),
        ("d2", LATER, 5, "given"),
    ]
    assert {c.quote for c in answer.citations} <= {"INR was 2.1.", LATER}
    assert "retrieve" not in answer.timings_ms


def test_no_evidence_given_is_no_answer(record: Book) -> None:
    answer = record.ask(QUESTION, patient="p", given=Given(evidence=()))
    assert answer.abstained
    assert answer.reason == "weak_evidence"


def test_given_sentences_are_linked_and_checked_and_all_shown(record: Book) -> None:
    texts = ("The warfarin dose is 5 mg every evening.", "The warfarin dose is 50 mg every evening.", "It rained.")
    everything = tuple(GivenEvidence("d1", sentence=n) for n in (1, 2, 3))
    answer = record.ask(QUESTION, patient="p", given=Given(evidence=everything, sentences=texts))
    assert [s.text for s in answer.sentences] == list(texts)
    assert [s.verified for s in answer.sentences] == [True, False, False]
    assert [c.quote for c in answer.sentences[0].citations] == ["Warfarin dose is 5 mg every evening."]
    assert answer.sentences[2].citations == ()
    assert {"name": "given_sentences_not_verified", "count": 2} in answer.fallbacks


@pytest.mark.parametrize(
    "wrong",
    [
        GivenEvidence("d9", sentence=1),
        GivenEvidence("d1", sentence=9),
        GivenEvidence("d1", start=0, end=9999),
        GivenEvidence("d1", start=9000, end=9001),
    ],
    ids=["no such document", "no such sentence", "too long", "beyond"],
)
def test_evidence_of_nowhere_is_refused(wrong: GivenEvidence, record: Book) -> None:
    with pytest.raises(UsageError):
        record.ask(QUESTION, patient="p", given=Given(evidence=(wrong,)))


def test_evidence_of_another_patient_is_refused(record: Book, tmp_path: Path) -> None:
    put(record, tmp_path, {**note("x1", NOTE), "patient_id": "q"}, name="other.jsonl")
    with pytest.raises(UsageError):
        record.ask(QUESTION, patient="p", given=Given(evidence=(GivenEvidence("x1", sentence=1),)))


def test_evidence_of_later_than_asked_is_refused(record: Book) -> None:
    with pytest.raises(UsageError):
        record.ask(QUESTION, patient="p", as_of="2021-04-01", given=Given(evidence=(GivenEvidence("d2", sentence=1),)))


@pytest.mark.parametrize(
    "arguments",
    [{}, {"sentence": 1, "start": 0, "end": 1}, {"start": 0}, {"sentence": 1, "relevance": 6}],
    ids=["neither", "both", "half a span", "no such grade"],
)
def test_evidence_that_names_no_one_sentence_is_refused(arguments: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        GivenEvidence("d1", **arguments)


def test_what_is_known_to_be_answered_has_the_best_evidence_there_is(record: Book) -> None:
    odd = "Why was the zebra painted?"
    assert record.ask(odd, patient="p").abstained
    answer = record.ask(odd, patient="p", given=Given(answerable=True))
    assert answer.evidence
    assert answer.evidence[0].kept in ("lenient", "fallback")
    assert all(s.verified for s in answer.sentences)
    assert {f["name"] for f in answer.fallbacks} & {"lenient_evidence", "first_three_sentences"}
