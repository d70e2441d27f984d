"""A collection of articles: who wrote what, turns and shares of documents, both sides of a conflict, and the table."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from chartcite.core.answer import Answer
from chartcite.core.errors import InvalidQuestion, UsageError
from chartcite.core.table import Asked
from chartcite.library.book import Book
from chartcite.library.settings import Settings

LARGE, RESTRICTIVE = "sepsis-fluids-early-large-volume.md", "sepsis-fluids-restrictive.md"
QUESTION = "Does 30 mL/kg of crystalloid lower mortality in septic shock?"
COLLECTION = "demo-articles"


@pytest.fixture(scope="module")
def answer(demo: Book) -> Answer:
    return demo.ask(QUESTION, collection=COLLECTION)


def test_a_citation_says_who_wrote_it_and_when(answer: Answer) -> None:
    (cited,) = [c for c in answer.citations if c.doc_id == RESTRICTIVE]
    assert cited.bibliography.authors == ("Lindqvist S", "Marchetti A")
    assert (cited.bibliography.year, cited.bibliography.doi) == ("2021", "10.5555/demo.drydock.2021")
    assert cited.to_dict()["pmid"] is None
    assert not any("authors:" in c.quote or "---" in c.quote for c in answer.citations)


def test_both_sides_of_a_conflict_between_documents(answer: Answer) -> None:
    (row,) = answer.conflicts
    sides = {answer.sentences[row["sentence"] - 1].citations[0].doc_id, row["doc_id"]}
    assert sides == {LARGE, RESTRICTIVE}
    assert answer.sentences[row["other_sentence"] - 1].citations[0].quote == row["quote"]
    assert row["year"] in ("2016", "2021")


def test_the_share_of_each_source(answer: Answer) -> None:
    shares = {s.doc_id: s for s in answer.sources}
    assert sum(s.cited for s in answer.sources) == sum(len({c.doc_id for c in s.citations}) for s in answer.sentences)
    assert sum(s.evidence for s in answer.sources) == len(answer.evidence)
    assert 0 < sum(s.passages for s in answer.sources) <= 20
    assert shares[LARGE].cited
    assert shares[RESTRICTIVE].cited
    assert max(s.passages for s in answer.sources) <= 5  # a quarter, while others have passages too


def test_a_patients_record_has_no_shares(demo: Book) -> None:
    found = demo.ask("What is the latest warfarin dose?", patient="demo-maria-castello")
    assert found.sources == ()
    assert found.to_dict()["sources"] == []
    assert not any(row["other_sentence"] for row in found.conflicts)


def test_without_turns_the_answer_may_be_of_one_document(demo: Book, answer: Answer) -> None:
    with Book(demo.store.folder, Settings(per_document=0), create=False, engines=demo.engines) as other:
        plain = other.ask(QUESTION, collection=COLLECTION)
    assert {e.start for e in plain.evidence} == {e.start for e in answer.evidence}
    assert len({c.doc_id for c in answer.citations}) >= len({c.doc_id for c in plain.citations})


def test_a_stored_answer_says_when_the_reference_has_changed(demo: Book, answer: Answer) -> None:
    stored = json.loads(json.dumps(answer.to_dict()))
    assert all(check.holds for check in demo.verify_answer(stored))
    stored["sentences"][0]["citations"][0]["doi"] = "10.5555/another"
    assert demo.verify_answer(stored)[0].citations == ((1, "doi differs"),)


def test_a_table_of_articles(demo: Book) -> None:
    table = demo.table([QUESTION, Asked("outcome", "What was the primary outcome?")], collection=COLLECTION)
    assert [row.asked.id for row in table.rows] == ["1", "outcome"]
    assert all([c.doc_id for c in row.cells] == [d.doc_id for d in table.documents] for row in table.rows)
    first = {c.doc_id: c for c in table.rows[0].cells}
    assert {doc for doc, cell in first.items() if cell.sentence} == {LARGE, RESTRICTIVE}
    assert first["foot-osteomyelitis-margin.md"].reason == "not_mentioned"
    for row in table.rows:
        assert row.pairs <= 8 * len(table.documents)
        for cell in row.cells:
            assert (cell.sentence is None) == (cell.reason is not None)
            if cell.sentence:
                assert cell.sentence.verified
                assert {c.doc_id for c in cell.sentence.citations} == {cell.doc_id}
    assert demo.table([QUESTION], collection=COLLECTION, documents=[LARGE]).rows[0].cells == (first[LARGE],)


def test_a_table_of_notes_shows_a_wrong_value_with_its_correction(demo: Book) -> None:
    report, addendum = "2021-09-07_lab-report.txt", "2021-09-08_lab-addendum.txt"
    notes = [f"demo-marta-castelli/{name}" for name in ("2018-08-07_progress-note.txt", report)]
    (row,) = demo.table(["What is the creatinine value?"], patient="demo-marta-castelli", documents=notes).rows
    early, wrong = row.cells
    assert early.sentence
    assert "1.2 mg/dL" in early.sentence.text
    assert early.corrections == ()  # three years before
    assert wrong.sentence
    assert "168 mg/dL" in wrong.sentence.text
    assert any("168 µmol/L" in c.text and c.citations[0].doc_id.endswith(addendum) for c in wrong.corrections)
    assert "correction_found" in wrong.fallbacks


def test_a_table_is_resumed_where_it_ended(demo: Book) -> None:
    asked = ["What was the primary outcome?", "Who was excluded?", "Is apixaban mentioned?"]
    with demo.open_table(asked, collection=COLLECTION, documents=[LARGE, RESTRICTIVE]) as opened:
        whole, key = list(opened.rows()), opened.key
    with demo.open_table(asked, collection=COLLECTION, documents=[LARGE, RESTRICTIVE]) as again:
        assert again.key == key
        assert list(again.rows(2)) == whole[2:]
    with demo.open_table(asked, collection=COLLECTION, documents=[LARGE]) as other:
        assert other.key != key
    assert [c.reason for c in whole[2].cells] == ["not_mentioned"] * 2


def test_what_cannot_be_a_table_is_refused(demo: Book) -> None:
    with pytest.raises(InvalidQuestion):
        demo.table([], collection=COLLECTION)
    with pytest.raises(InvalidQuestion):
        demo.table([" "], collection=COLLECTION)
    with pytest.raises(UsageError, match="nowhere"):
        demo.table(["What?"], collection=COLLECTION, documents=["nowhere"])
    with pytest.raises(UsageError):
        demo.table([Asked("1", "A?"), Asked("1", "B?")], collection=COLLECTION)
    # a document of a patient is not there in a collection
    with pytest.raises(UsageError):
        demo.table(["What?"], collection=COLLECTION, documents=["demo-marta-castelli/2021-09-07_lab-report.txt"])


def test_the_same_table_twice(demo: Book) -> None:
    tables = [demo.table(["What was the primary outcome?"], collection=COLLECTION).to_dict() for _ in range(2)]
    assert json.dumps(tables[0]) == json.dumps(tables[1])
    assert replace(demo.table(["Dose?"], collection=COLLECTION), rows=()).to_dict()["questions"] == []
