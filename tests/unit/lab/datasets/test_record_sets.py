"""Adapters of question sets on patients' records, on invented files in the published forms."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chartcite.lab.cases import CorpusItem, GoldSpan, Relevant, cluster_of
from chartcite.lab.dataset import Dataset, count
from chartcite.lab.datasets.cliniqg4qa import DATASET as CLINIQG4QA
from chartcite.lab.datasets.ehr_ds_qa import DATASET as EHR_DS_QA
from chartcite.lab.datasets.ehrnoteqa import DATASET as EHRNOTEQA
from chartcite.lab.datasets.emrqa import DATASET as EMRQA
from chartcite.lab.datasets.longhealth import DATASET as LONGHEALTH
from chartcite.lab.datasets.medalign import DATASET as MEDALIGN
from chartcite.lab.datasets.mimic_context import DATASET as MIMIC
from chartcite.lab.datasets.radqa import DATASET as RADQA
from chartcite.lab.errors import BadTable, MissingData
from chartcite.lab.mimic import Stay, stays_of, without_boilerplate

Put = Callable[..., Path]
IV = "note_id,subject_id,hadm_id,note_type,note_seq,charttime,storetime,text\n"
III = "ROW_ID,SUBJECT_ID,HADM_ID,CHARTDATE,CHARTTIME,STORETIME,CATEGORY,DESCRIPTION,CGID,ISERROR,TEXT\n"
DISCHARGE = IV + (
    '7-DS-2,7,71,DS,2,2180-05-02 00:00:00,,"Second stay.\nNo fever."\n'
    '7-DS-1,7,70,DS,1,2180-01-02 00:00:00,,"First stay.\n______\n(Over)\nNo known allergies.\n"\n'
    "7-DS-3,7,72,DS,3,2181-05-02 00:00:00,,Third stay.\n"
    "9-DS-1,9,90,DS,1,2180-01-02 00:00:00,,Somebody else.\n"
)
RADIOLOGY = IV + (
    "7-RR-1,7,70,RR,1,2180-01-01 10:00:00,,FINAL REPORT\n7-RR-2,7,,RR,2,2180-03-01 10:00:00,,Chest clear.\n"
)
EVENTS = III + (
    "11,3,100,2101-01-02,2101-01-02 08:00:00,,Radiology,CHEST,1,,Findings: no effusion. Impression: clear.\n"
    "12,3,100,2101-01-03,,,Nursing,Report,1,,Slept well.\n"
    "13,3,100,2101-01-03,,,Nursing,Report,1,1,Wrong patient.\n"
    "14,3,100,2101-01-04,,,Nursing,Report,1,,Slept well.\n"
    "15,4,101,2101-01-04,,,Nursing,Report,1,,Slept well.\n"
)
CHOICES = {"choice_A": "a", "choice_B": "b", "choice_C": "c", "choice_D": "d", "choice_E": "e"}


def _ids(items: Any) -> list[str]:
    return [item.id for item in items]


def test_ehrnoteqa_takes_the_first_summaries_of_the_patient_and_all_notes_as_context(put: Put) -> None:
    asked = {"patient_id": 7, "category": "Treatment", "num_notes": 2, "question": "Q?", "answer": "B", **CHOICES}
    put("EHRNoteQA.jsonl", [asked, {**asked, "question": "R?", "answer": "C"}])
    put("discharge.csv.gz", DISCHARGE)
    folder = put("mimic/radiology.csv", RADIOLOGY)
    first, second = EHRNOTEQA.cases(folder)
    assert first.relevant == (Relevant("7-DS-1"), Relevant("7-DS-2"))
    assert (first.choices, first.label, first.references) == (("a", "b", "c", "d", "e"), "B", ("b",))
    assert (first.forms, first.group, first.patient_id) == (("open", "choice"), "Treatment", "7")
    assert (first.id, second.id, cluster_of(second)) == ("7", "7/2", "7")
    items = list(EHRNOTEQA.corpus(folder))
    assert _ids(items) == ["7-DS-2", "7-DS-1", "7-DS-3", "7-RR-2"]  # the report that says nothing is none
    assert items[1] == CorpusItem(
        "7-DS-1", "First stay.\nNo known allergies.\n", patient_id="7", time="2180-01-02T00:00:00",
        note_type="Discharge summary", encounter_id="70",
    )  # fmt: skip


def test_ehrnoteqa_in_the_processed_form(put: Put) -> None:
    row = {"patient_id": 7, "num_notes": 1, "question": "Q?", "answer": "E", "note_1": "One.", "note_2": "", **CHOICES}
    folder = put("EHRNoteQA_processed.jsonl", [row])
    assert [(i.id, i.text) for i in EHRNOTEQA.corpus(folder)] == [("7-note-1", "One.")]
    (case,) = EHRNOTEQA.cases(folder)
    assert (case.relevant, case.label) == ((Relevant("7-note-1"),), "E")


@pytest.mark.parametrize("answer", ["F", "g", ""])
def test_a_right_answer_that_is_no_option_is_a_named_error(put: Put, answer: str) -> None:
    row = {"patient_id": 7, "num_notes": 1, "question": "Q?", "answer": answer, "note_1": "One.", **CHOICES}
    with pytest.raises(BadTable, match="question 7: the right answer is not one of the options"):
        list(EHRNOTEQA.cases(put("EHRNoteQA.jsonl", [row])))


def test_ehr_ds_qa_knows_what_was_checked(put: Put) -> None:
    pairs = [
        {"question": "Q1?", "answer": "A1", "correct": True},
        {"question": "Q2?", "answer": "A2", "correct": False},
    ]
    base = {"note_type": "DS", "note": "First stay.", "subject_id": 7, "hadm_id": 70}
    rows = [
        {"original_id": 1, "note_id": "7-DS-1", "qa_pairs": pairs, "human_verified": True, **base},
        {"original_id": 2, "note_id": "7-DS-1", "qa_pairs": pairs[:1], "human_verified": False, **base},
    ]
    put("discharge_notes_qa.json", json.dumps(rows))
    folder = put("discharge.csv", DISCHARGE)
    assert [(c.id, c.split, c.references, c.relevant[0].item_id) for c in EHR_DS_QA.cases(folder)] == [
        ("1/1", "verified", ("A1",), "7-DS-1"),
        ("1/2", "incorrect", ("A2",), "7-DS-1"),
        ("2/1", "unverified", ("A1",), "7-DS-1"),
    ]
    items = list(EHR_DS_QA.corpus(folder))
    assert _ids(items) == ["7-DS-1", "7-DS-2", "7-DS-3"]
    assert (items[0].text, items[0].note_type) == ("First stay.", "Discharge summary")  # the set's own text


def _squad(*contexts: tuple[str, str, list[dict[str, Any]]]) -> dict[str, Any]:
    found = [{"title": name, "paragraphs": [{"document_id": name, "context": text, "qas": qas}]}
             for name, text, qas in contexts]  # fmt: skip
    return {"data": found, "version": "2.0"}


def test_radqa_keeps_what_cannot_be_answered(put: Put) -> None:
    answers = [{"text": "no effusion", "answer_start": 10}, {"text": "none", "answer_start": 3}]
    answered = {"id": "1_1_F", "question": "Effusion?", "is_impossible": False, "answers": answers}
    not_there = {"id": "1_1_I", "question": "Effusion?", "is_impossible": True, "answers": []}
    put(
        "test.json", _squad(("11_F", "Findings: no effusion.", [answered]), ("11_I", "Impression: clear.", [not_there]))
    )
    alone = put("train.json", _squad())
    first, second = RADQA.cases(alone)
    assert (first.split, first.forms, first.answerable, first.references) == (
        "test", ("span",), True, ("no effusion", "none")
    )  # fmt: skip
    assert first.spans == (GoldSpan("11_F", 10, 21),)  # an offset that does not hold is no span
    assert (second.answerable, second.relevant, second.references) == (False, (), ())
    assert {c.patient_id for c in (first, second)} == {"11"} == {cluster_of(c) for c in (first, second)}
    folder = put("NOTEEVENTS.csv", EVENTS)
    assert _ids(RADQA.corpus(folder)) == ["11_F", "11_I", "12"]  # the report itself is not there twice
    assert {c.patient_id for c in RADQA.cases(folder)} == {"3"}


def test_cliniqg4qa_tells_who_made_the_question(put: Put) -> None:
    asked = [{"id": n, "question": "Q?", "answers": [{"text": "well", "answer_start": 6}]} for n in ("999", "1000")]
    content = {"data": [{"title": "12", "paragraphs": [{"context": "Slept well.", "qas": asked}]}]}
    put("test.json", content)
    folder = put("NOTEEVENTS.csv.gz", EVENTS)
    assert [(c.id, c.group, c.patient_id) for c in CLINIQG4QA.cases(folder)] == [
        ("999", "verified", "3"), ("1000", "generated", "3")
    ]  # fmt: skip
    assert _ids(CLINIQG4QA.corpus(folder)) == ["12", "11", "14"]


@pytest.mark.parametrize("correct", ["Right words", "B"])
def test_longhealth(put: Put, correct: str) -> None:
    asked = {"No": 3, "question": "Q?", "correct": correct, "answer_location": {"text_1": {"start": [0.1]}}}
    options = {f"answer_{x}": f"Wrong {x}" for x in "acde"} | {"answer_b": "Right words"}
    unanswered = {**asked, **options, "No": 4, "answer_location": {}}
    row = {"texts": {"text_0": "One.", "text_1": "Two."}, "birthday": "", "diagnosis": "",
           "questions": [{**asked, **options}, unanswered]}  # fmt: skip
    folder = put("benchmark_v5.json", {"patient_01": row})
    assert _ids(LONGHEALTH.corpus(folder)) == ["patient_01/text_0", "patient_01/text_1"]
    case, second = LONGHEALTH.cases(folder)
    assert (case.id, case.label, case.references, case.relevant) == (
        "patient_01/q3", "B", ("Right words",), (Relevant("patient_01/text_1"),)
    )  # fmt: skip
    assert (case.forms, case.answerable, second.answerable) == (("choice", "open"), True, False)


def test_emrqa_points_to_the_line(put: Put) -> None:
    answer = {"text": "5 mg", "evidence": "warfarin 5 mg\n", "evidence_start": 2, "answer_start": [2, 1]}
    asked = {"question": ["What dose?", "Dose?"], "id": ["x"], "answers": [answer]}
    note = {"note_id": "n1", "context": ["Medication:\n", "warfarin 5 mg\n"], "qas": [asked]}
    folder = put("data.json", {"data": [{"title": "medication", "paragraphs": [note]}]})
    (item,), (case,) = EMRQA.corpus(folder), EMRQA.cases(folder)
    assert (case.question, case.references, case.group) == ("What dose?", ("5 mg",), "medication")
    (span,) = case.spans
    assert item.text[span.start : span.end] == "warfarin 5 mg\n"


RECORD = """<record><visit type="Emergency Room Visit" start="10/08/2018 20:00"><day start="10/08/2018 20:00">
<person>
 Birth:7/19/1966
 Gender: FEMALE
</person>
<measurement start="10/08/2018 08:05 PM"><code>[LOINC/8462-4] Diastolic blood pressure 100</code></measurement>
<note type="emergency department note" start="10/08/2018 08:10 PM">
   Weak since two hours. MRN: [1234555]
   No blood thinners.
</note><note type="NULL" start="soon">Infarct.</note></day></visit></record>"""


def test_medalign_makes_items_of_notes_and_of_the_days_events(put: Put) -> None:
    put("ehrs/EHR_1.xml", RECORD)
    folder = put(
        "clinician-instruction-responses.tsv",
        "instruction_id\tquestion\tfilename\tannotator_num\tclinician_response\n"
        "5\tWhy weak?\tEHR_1.xml\tAnnotator_1\tStroke.\n5\tWhy weak?\tEHR_1.xml\tAnnotator_2\tInfarct.\n",
    )
    events, note, other = MEDALIGN.corpus(folder)
    assert events.text == (
        "Person: Birth:7/19/1966\nPerson: Gender: FEMALE\nMeasurement 20:05: Diastolic blood pressure 100"
    )
    assert (events.time, note.time, note.note_type) == ("2018-10-08", "2018-10-08T20:10", "emergency department note")
    assert note.text == "Weak since two hours. MRN: [1234555]\nNo blood thinners."
    assert (other.time, other.note_type) == ("", "Note")
    assert {i.encounter_id for i in (events, note, other)} == {"EHR_1/v1"}
    (case,) = MEDALIGN.cases(folder)
    assert (case.id, case.references, case.patient_id) == ("5", ("Stroke.", "Infarct."), "EHR_1")


@pytest.mark.parametrize("text", ["<record>", "no XML"])
def test_a_damaged_record_is_a_named_error(put: Put, text: str) -> None:
    with pytest.raises(BadTable, match=r"EHR_1.xml is not XML"):
        list(MEDALIGN.corpus(put("ehrs/EHR_1.xml", text)))


def test_mimic_context_comes_by_patient_and_stay(put: Put) -> None:
    put("patients.txt", "7\n")
    put("discharge.csv", DISCHARGE)
    folder = put("radiology.csv", RADIOLOGY)
    assert [(i.id, i.encounter_id) for i in MIMIC.corpus(folder)] == [
        ("7-DS-1", "70"), ("7-RR-2", ""), ("7-DS-2", "71"), ("7-DS-3", "72")
    ]  # fmt: skip
    (folder / "patients.txt").unlink()
    assert "9-DS-1" in _ids(MIMIC.corpus(folder))


def test_equal_notes_of_one_patient_are_there_once_and_errors_not_at_all(put: Put) -> None:
    folder = put("NOTEEVENTS.csv", EVENTS)
    assert [(i.id, i.patient_id) for i in MIMIC.corpus(folder)] == [("11", "3"), ("12", "3"), ("15", "4")]


def test_a_stay_begins_with_its_first_note() -> None:
    notes = [CorpusItem(n, "x", patient_id="p", time=t, encounter_id=e)
             for n, t, e in (("3", "2180-03", "b"), ("2", "2180-02", "a"), ("1", "2180-01", "b"))]  # fmt: skip
    assert stays_of(notes) == (Stay("p", "b", (notes[2], notes[0])), Stay("p", "a", (notes[1],)))


@pytest.mark.parametrize(
    "line",
    ["No known allergies.", "Signed out against advice", "D: stopped", "Over the counter drugs: none", "BP 120/80",
     "Final report of biopsy: benign", "DT: 3 drinks a day", "T: 98.6", "-", "___ mg daily",
     "Completed by noon: 2 units"],
)  # fmt: skip
def test_what_says_something_of_the_patient_stays(line: str) -> None:
    assert without_boilerplate(f"a\n{line}\nb") == f"a\n{line}\nb"


@pytest.mark.parametrize(
    "line", ["_" * 40, "===", "(Over)", "(Cont)", "FINAL REPORT", "Completed by:[**2101-1-1**]", "Dictated By: ___",
             "Electronically signed by: ___", "JOB#: [**Job Number 1**]", "D: [**2101-01-01**] 10:12", "T:  ___"]
)  # fmt: skip
def test_what_says_nothing_of_anybody_is_taken_out(line: str) -> None:
    assert without_boilerplate(f"a\n{line}\nb") == "a\nb"


@pytest.mark.parametrize(
    ("dataset", "name", "kind"),
    [(MEDALIGN, "medalign", "corpus"), (EHRNOTEQA, "ehrnoteqa", "corpus"), (MIMIC, "mimic_context", "corpus"),
     (RADQA, "radqa", "corpus"), (LONGHEALTH, "longhealth", "corpus"), (EMRQA, "emrqa", "corpus")],
)  # fmt: skip
def test_absent_notes_are_one_clear_sentence(dataset: Dataset, name: str, kind: Any, tmp_path: Path) -> None:
    with pytest.raises(MissingData, match=f"The data set {name} is not in "):
        list(dataset.rows(kind, tmp_path))


def test_a_partial_copy_is_told_from_a_complete_one(put: Put) -> None:
    counted = count(RADQA, put("test.json", _squad()))
    assert [(c.expected.n, c.n, c.right) for c in counted] == [(3509, 0, False), (2639, 0, False)]


@pytest.mark.parametrize(
    ("dataset", "published"),
    [(EHRNOTEQA, [962]), (EHR_DS_QA, [478, 28]), (CLINIQG4QA, [1287]), (RADQA, [3509, 2639]), (LONGHEALTH, [400])],
    ids=["ehrnoteqa", "ehr_ds_qa", "cliniqg4qa", "radqa", "longhealth"],
)
def test_the_cards_hold_the_published_counts(dataset: Dataset, published: list[int]) -> None:
    assert [e.n for e in dataset.card.expected] == published
