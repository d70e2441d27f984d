"""Present, denied, not mentioned, conflicting: whole answers from small invented records, by words alone."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests.conftest import FakeEncoder

from chartcite.core.answer import Answer
from chartcite.core.presence import PresenceStatus
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

NOTES = [
    ("n1", "2015-03-01", "progress-note", "History of asthma. Denies chest pain. Allergies: penicillin (hives). "
     "Mother had gout."),
    ("n2", "2016-04-02", "progress-note", "Chest pain on exertion for two weeks. Started metformin 500 mg daily."),
    ("n3", "2017-05-03", "nursing-note", "Tolerated penicillin without any reaction. "
     "Possible sarcoidosis. No seizures."),
    ("n4", "2018-06-04", "progress-note", "Never had asthma, he says. Metformin was stopped. "
     "Colonoscopy was recommended."),
    ("n5", "2019-07-05", "progress-note", "Screening for colon cancer discussed. Rash resolved. "
     "Fever since Monday."),
    ("n6", "2019-07-05", "nursing-note", "Denies fever."),
    ("n7", "", "letter", "Seen in the thyroid clinic."),
]  # fmt: skip


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    folder = tmp_path_factory.mktemp("presence")
    rows = [
        {"doc_id": i, "patient_id": "p", "time": time or None, "note_type": kind, "text": text}
        for i, time, kind, text in NOTES
    ]
    rows.append({
        "doc_id": "o", "patient_id": "other", "time": "2018-01-01", "note_type": "progress-note",
        "text": "Multiple sclerosis.",
    })  # fmt: skip
    drugs = (
        "Takes apixaban and lisinopril.",
        "Apixaban was stopped.",
        "Apixaban was restarted.",
        "Not taking lisinopril.",
    )
    rows += [
        {"doc_id": f"a{n}", "patient_id": "again", "time": f"2018-01-0{n}", "note_type": "progress-note", "text": text}
        for n, text in enumerate(drugs, 1)
    ]
    rows.append({
        "doc_id": "b", "patient_id": "pt", "time": "2018-01-01", "note_type": "evolucao",
        "text": "Nega febre. HAS há 10 anos. Pai com diabetes. Alergia a dipirona. Sem cirrose. Nunca teve infarto. "
        "Irmã com epilepsia. Nega convulsão. Sem derrame no joelho.",
    })  # fmt: skip
    (folder / "notes.jsonl").write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    settings = Settings()
    engines = Engines(settings)
    engines.__dict__["encoder"] = FakeEncoder()
    with Book(folder / "store", settings, engines=engines) as opened:
        assert not opened.ingest(folder / "notes.jsonl").failed
        yield opened


def ask(book: Book, question: str, patient: str = "p", as_of: str | None = None) -> Answer:
    return book.ask(question, patient=patient, as_of=as_of)


ANSWERS: list[tuple[str, str, PresenceStatus, set[str]]] = [
    ("p", "Is there any record of chest pain?", "present", {"n2"}),
    ("p", "Did the patient have chest pain on 2015-03-01?", "denied", {"n1"}),
    ("p", "Does the patient have multiple sclerosis?", "not_mentioned", set()),
    ("p", "Is the patient allergic to penicillin?", "conflicting", {"n1", "n3"}),
    ("p", "Does the patient have asthma?", "conflicting", {"n1", "n4"}),
    ("p", "Did the patient have fever on 2019-07-05?", "conflicting", {"n5", "n6"}),
    ("p", "Does the patient have gout?", "family", {"n1"}),
    ("p", "Does the patient have sarcoidosis?", "possible", {"n3"}),
    ("p", "Does the patient have seizures?", "denied", {"n3"}),
    ("p", "Was a colonoscopy ever performed?", "planned", {"n4"}),
    ("p", "Does the patient have colon cancer?", "other_sense", {"n5"}),
    ("p", "Does the patient have a rash?", "historical", {"n5"}),
    ("p", "Has he ever taken metformin?", "present", {"n2", "n4"}),
    ("p", "Is he taking metformin?", "historical", {"n2", "n4"}),
    ("p", "Does the patient still take metformin?", "historical", {"n2", "n4"}),
    ("again", "Is the patient taking apixaban?", "present", {"a1", "a3"}),
    ("again", "Does the patient take lisinopril now?", "historical", {"a1", "a4"}),
    ("again", "A paciente usa lisinopril atualmente?", "historical", {"a1", "a4"}),
    ("p", "Has he ever taken warfarin?", "not_mentioned", set()),
    ("p", "Is the patient allergic to metformin?", "other_sense", set()),
    ("pt", "A paciente tem febre?", "denied", {"b"}),
    ("pt", "O prontuário menciona hipertensão?", "present", {"b"}),
    ("pt", "A paciente tem diabetes?", "family", {"b"}),
    ("pt", "Consta alergia a dipirona?", "present", {"b"}),
    ("pt", "Há registro de asma?", "not_mentioned", set()),
    ("pt", "Does the patient have cirrhosis?", "denied", {"b"}),
    ("pt", "Has the patient had a heart attack?", "denied", {"b"}),
    ("pt", "Does the patient have asthma?", "not_mentioned", set()),
    ("pt", "Does the patient have epilepsy?", "family", {"b"}),
]


@pytest.mark.parametrize(("patient", "question", "status", "cited"), ANSWERS, ids=[f"{a[0]}: {a[1]}" for a in ANSWERS])
def test_what_a_record_says(book: Book, patient: str, question: str, status: PresenceStatus, cited: set[str]) -> None:
    answer = ask(book, question, patient)
    assert answer.presence is not None
    assert answer.presence.status == status
    assert {c.doc_id for c in answer.citations} == cited
    assert all(s.verified for s in answer.sentences)
    assert answer.reason == (None if cited else "not_mentioned")


def test_an_absence_tells_what_was_searched(book: Book) -> None:
    found = ask(book, "Is there any record of heart attack?").to_dict()["presence"]
    searched = found["searched"]
    assert {"heart attack", "myocardial infarction", "MI"} <= set(searched["forms"])
    assert searched["types"] == {"progress-note": 4, "nursing-note": 2, "letter": 1}
    assert (searched["first"], searched["last"], searched["undated"]) == ("2015-03-01", "2019-07-05", 1)
    assert found["statement"].startswith("Not mentioned: none of 7 notes (2015-03-01 to 2019-07-05)")


def test_words_that_stand_apart_are_told_as_nearest(book: Book) -> None:
    found = ask(book, "Is there any record of thyroid cancer?").presence
    assert found is not None
    assert (found.status, found.nearest) == ("not_mentioned", ("thyroid", "cancer"))


def test_as_of_a_day_nothing_later_is_known(book: Book) -> None:
    before = ask(book, "Is there any record of chest pain?", as_of="2015-12-31").presence
    assert before is not None
    assert (before.status, before.looked.documents, before.looked.last) == ("denied", 1, "2015-03-01")


def test_another_patients_note_is_no_mention(book: Book) -> None:
    assert ask(book, "Is there any record of multiple sclerosis?").abstained
    assert not ask(book, "Is there any record of multiple sclerosis?", "other").abstained


def test_both_words_and_days_of_a_history_are_told(book: Book) -> None:
    found = ask(book, "Is there any record of chest pain?").presence
    assert found is not None
    assert {name: (said.first, said.last) for name, said in found.said.items()} == {
        "denied": ("2015-03-01", "2015-03-01"), "present": ("2016-04-02", "2016-04-02")
    }  # fmt: skip
    assert "Denied before that: 1 sentence (2015-03-01)." in found.wording("en").remarks


def test_the_statement_is_in_the_language_of_the_question(book: Book) -> None:
    found = ask(book, "Há registro de asma?", "pt").to_dict()["presence"]
    assert found["statement"].startswith("Não mencionado:")


def test_same_question_same_bytes(book: Book) -> None:
    one, other = (json.dumps(ask(book, "Does the patient have asthma?").to_dict()) for _ in range(2))
    assert one == other


def test_in_the_other_language_absence_is_claimed_only_of_what_has_a_name_as_a_whole(book: Book) -> None:
    assert ask(book, "Does the patient have a knee effusion?", "pt").presence is None
