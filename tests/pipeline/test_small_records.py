"""Small records made for one kind of fault each, through the whole corridor with the real models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chartcite.library.book import Book


def put(
    book: Book, folder: Path, *rows: dict[str, Any], name: str = "notes.jsonl", collection: str | None = None
) -> None:
    path = folder / name
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    assert not book.ingest(path, collection=collection).failed


@pytest.fixture
def book(demo: Book, tmp_path: Path) -> Any:
    with Book(tmp_path / "store", engines=demo.engines) as opened:
        yield opened


def note(doc_id: str, text: str, time: str = "2021-03-02", **more: str) -> dict[str, str]:
    return {"doc_id": doc_id, "patient_id": "p", "time": time, "text": text, **more}


def test_a_retracted_or_replaced_source_no_longer_holds(book: Book, tmp_path: Path) -> None:
    put(book, tmp_path, note("d1", "Warfarin dose is 5 mg every evening."))
    answer = book.ask("What is the warfarin dose?", patient="p").to_dict()
    assert answer["sentences"]
    assert all(r.holds for r in book.verify_answer(answer))
    put(
        book,
        tmp_path,
        note("d1", "Warfarin dose is 5 mg every evening.", status="entered-in-error"),
        name="later.jsonl",
    )
    (again,) = book.verify_answer(answer)
    assert not again.holds
    assert again.citations == ((1, "retracted"),)
    assert book.ask("What is the warfarin dose?", patient="p").reason == "empty_record"


def test_a_relatives_section_counts_even_if_the_stored_answer_hides_it(book: Book, tmp_path: Path) -> None:
    put(book, tmp_path, note("d1", "FAMILY HISTORY\nColon cancer at 50.\n\nPLAN\nColonoscopy next year."))
    answer = book.ask("Is there a family history of colon cancer?", patient="p").to_dict()
    (sentence,) = [s for s in answer["sentences"] if "50" in s["text"]]
    assert sentence["text"] == "FAMILY HISTORY: Colon cancer at 50."
    sentence["text"] = "The patient had colon cancer at 50."
    sentence["citations"][0]["section"] = []
    assert not any(r.holds for r in book.verify_answer(answer) if "50" in r.text)


def test_the_order_of_ingest_changes_no_answer(demo: Book, tmp_path: Path) -> None:
    rows = [
        {"doc_id": name, "text": f"{head} note.\n\nAspirin lowers the risk of a second stroke by a fifth."}
        for name, head in (("b", "First"), ("a", "Other"), ("c", "Third"))
    ]
    seen = []
    for n, order in enumerate((rows, rows[::-1])):
        with Book(tmp_path / str(n), engines=demo.engines) as fresh:
            for row in order:
                put(fresh, tmp_path, row, name=f"{n}{row['doc_id']}.jsonl", collection="c")
            seen.append(
                fresh.ask("By how much does aspirin lower the risk of a second stroke?", collection="c").to_dict()
            )
    assert seen[0]["sentences"]
    assert seen[0] == seen[1]


def test_a_day_is_the_day_of_the_notes_own_zone(book: Book, tmp_path: Path) -> None:
    put(book, tmp_path, note("d1", "Warfarin dose is 5 mg every evening.", time="2021-06-14T22:00:00-05:00"))
    assert book.ask("What was the warfarin dose on 14 June 2021?", patient="p").sentences
    assert book.ask("What is the warfarin dose?", patient="p", as_of="2021-06-14").sentences
    assert not book.ask("What is the warfarin dose?", patient="p", as_of="2021-06-13").sentences


def test_the_first_letter_of_an_organism_stays(book: Book, tmp_path: Path) -> None:
    put(book, tmp_path, note("d1", "E. coli grew in the urine culture."))
    assert book.ask("What grew in the urine culture?", patient="p").sentences[0].text.startswith("E. coli")


def test_hidden_words_between_header_and_sentence_are_never_quoted(book: Book, tmp_path: Path) -> None:
    put(book, tmp_path, note("d1", "Allergies: latex.\n\nPlan: none."))
    (sentence, *_) = book.ask("What are her allergies?", patient="p").sentences
    assert sentence.citations[0].quote == "Allergies: latex."


def test_what_limits_an_answer_is_named(book: Book, tmp_path: Path) -> None:
    put(book, tmp_path, note("d1", "Knee replacement in 2019. Diabetes since 2010. Warfarin dose is 5 mg."))
    names = {f["name"] for f in book.ask("Does she have diabetes? What changed since 2015?", patient="p").fallbacks}
    assert {"time_range_not_applied", "other_questions_not_answered"} <= names


def test_nothing_is_called_unmentioned_when_nothing_was_asked_for(book: Book, tmp_path: Path) -> None:
    put(book, tmp_path, note("d1", "Warfarin dose is 5 mg."))
    assert book.ask("What is going on?", patient="p").reason in (None, "weak_evidence")
    assert book.ask("Does she have gout?", patient="p").reason == "not_mentioned"
