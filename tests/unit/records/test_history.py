"""Diagnoses and procedures: what is one, whose, how it stands, since when; what is merged and what is a conflict."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.records.reading import Notes

from chartcite.readers.fhir_access import Node
from chartcite.readers.fhir_events import read_procedure
from chartcite.readers.fhir_problems import read_condition
from chartcite.records.history import Condition, Procedure
from chartcite.records.naming import canonical, side_of
from chartcite.records.timeline import read_history


def read(*notes: tuple[str, str], lang: str = "en") -> tuple[list[Condition], list[Procedure]]:
    return read_history(Notes(notes, lang))


def of(text: str, day: str = "2020-05-01") -> tuple[list[Condition], list[Procedure]]:
    return read((day, text))


CONDITIONS = {
    "known since": ("Past History\n1. Focal epilepsy, known since 2003.", ("Focal epilepsy", "active", ("2003",))),
    "diagnosed on a day": ("PROBLEM LIST:\nHTN, diagnosed 1/13/19.", ("HTN", "active", ("2019-01-13",))),
    "a year in brackets": ("Problems:\nAtrial fibrillation (2003).", ("Atrial fibrillation", "active", ("2003",))),
    "the stay's": (
        "Diagnoses:\n1. Principal diagnosis: acute cholecystitis.",
        ("acute cholecystitis", "active", ()),
    ),
    "history": ("Past history:\nHistory of gout in 1996.", ("gout", "history", ("1996",))),
    "resolved": ("Past history:\nPsoriasis in 1989, nothing since.", ("Psoriasis", "resolved", ("1989",))),
    "ruled out, active": ("CT excluded pulmonary embolism.", ("pulmonary embolism", "ruled_out", ())),
    "ruled out, in a list": ("Problems:\nCT excluded pneumonia.", ("pneumonia", "ruled_out", ())),
    "ruled out, behind a clause": (
        "Troponin was low, and acute coronary syndrome was ruled out.", ("acute coronary syndrome", "ruled_out", ())
    ),
    "ruled out, passive": ("Appendicitis was ruled out by CT.", ("Appendicitis", "ruled_out", ())),
    "possible": ("Diagnoses:\n1. Possible pneumonia.", ("pneumonia", "possible", ())),
    "told in prose": ("She was diagnosed with type 2 diabetes in 2014.", ("type 2 diabetes", "active", ("2014",))),
    "Portuguese": ("Antecedentes:\n1. Fibrilação atrial desde 2003.", ("Fibrilação atrial", "active", ("2003",))),
    "Portuguese, ruled out": ("Pneumonia foi descartada por tomografia.", ("Pneumonia", "ruled_out", ())),
}  # fmt: skip


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_diagnosis_with_its_standing_and_begin(name: str) -> None:
    text, expected = CONDITIONS[name]
    (one,) = of(text)[0]
    assert (one.name, one.status, one.since) == expected
    assert one.sources[0].quote in text


def test_each_of_an_enumeration_is_one() -> None:
    found = {
        c.name: c.since
        for c in of("She has a history of hypertension, gout since 2004, asthma and kidney stones disease.")[0]
    }
    assert found == {"hypertension": (), "gout": ("2004",), "asthma": (), "kidney stones disease": ()}


def test_what_is_said_of_one_of_an_enumeration_is_not_said_of_all() -> None:
    text = "Past History:\nCoronary artery disease, status post CABG in 1991, gout, history of asthma."
    found = {c.name: (c.status, c.since) for c in of(text)[0]}
    assert found["Coronary artery disease"] == ("active", ())


NONE = {
    "a relative's": "Past Medical History\nMother had breast cancer.",
    "below the family's header": "Family History\n1. Colon cancer in 1999.",
    "denied": "Past Medical History\nNo history of asthma.",
    "a signature": "PROBLEM LIST:\nDictated by T. Brandt RN",
    "a medicine that was tried": "Past history:\nTried amitriptyline in 2004 for pain.",
    "feared": "If she develops pneumonia, call us.",
    "planned": "Past Surgical History\nScheduled for total knee arthroplasty in 2021.",
    "declined": "She declined colonoscopy.",
    "another patient's": "Another patient underwent appendectomy in 2010.",
    "who did it": "PROCEDURE:\nPerformed by Dr. Zimmer.",
}


@pytest.mark.parametrize("name", NONE)
def test_what_is_none_of_the_patients(name: str) -> None:
    assert of(NONE[name]) == ([], [])


PROCEDURES = {
    "a day": ("Operations:\nHad right knee injection 25 Apr 2011.", ("knee injection", "right", "2011-04-25", "day")),
    "a month's name in the American way": (
        "Operations:\nS/p laparoscopic cholecystectomy May 16, 2013 without complications.",
        ("laparoscopic cholecystectomy", "", "2013-05-16", "day"),
    ),
    "a year": ("Surgical history: thyroidectomy 1985.", ("thyroidectomy", "", "1985", "year")),
    "no day": ("Operations:\nOld left carpal tunnel release.", ("carpal tunnel release", "left", "", "none")),
    "told in prose": ("He underwent coronary artery bypass in 2004.", ("coronary artery bypass", "", "2004", "year")),
    "Portuguese": (
        "Antecedentes cirúrgicos\nSubmetida a biópsia excisional de mama à esquerda em 12/11/2009, sem complicações.",
        ("biópsia excisional de mama", "left", "2009-11-12", "day"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PROCEDURES)
def test_a_procedure_with_its_day_as_precise_as_it_is_written(name: str) -> None:
    text, expected = PROCEDURES[name]
    (one,) = of(text)[1]
    assert (one.name, one.side, one.day, one.precision) == expected


def test_wordings_of_one_diagnosis_are_one_entry_that_counts_its_sentences() -> None:
    (one,) = read(
        ("2019-01-01", "Problems:\nHypertension, known since 2004."), ("2020-01-01", "Problems:\nHTN (2004)."),
        ("2021-01-01", "Problems:\nHypertension, known since 2004."),
    )[0]  # fmt: skip
    assert (one.name, one.first, one.last, one.stated) == ("Hypertension", "2019-01-01", "2021-01-01", 3)
    assert not one.conflict


def test_other_begins_are_a_conflict_and_a_year_goes_with_its_day() -> None:
    told = [("2019-01-01", "Problems:\nGout since 2004."), ("2020-01-01", "Problems:\nGout since 2004-05-03.")]
    (one,) = read(*told)[0]
    assert (one.since, one.conflict) == (("2004-05-03",), False)
    (one,) = read(*told, ("2020-02-01", "Problems:\nGout since 2009."))[0]
    assert one.conflict
    assert {source.written for source in one.sources} == {"2019-01-01", "2020-01-01", "2020-02-01"}


def test_what_was_ruled_out_and_is_there_later_is_shown_as_both() -> None:
    (one,) = read(("2019-01-01", "CT excluded pneumonia."), ("2020-01-01", "Problems:\nPneumonia."))[0]
    assert (one.status, set(one.statuses), one.conflict) == ("active", {"ruled_out", "active"}, True)


def test_two_of_one_name_on_two_days_are_two_and_a_vague_one_joins_the_only_one_it_can_be() -> None:
    days = [(p.day, p.side, p.stated) for p in of(
        "Past Surgical History\nLeft knee injection on 2011-04-25.\nRight knee injection on 2014-12-19.\n"
        "Knee injection in 2014.\n"
    )[1]]  # fmt: skip
    assert days == [("2011-04-25", "left", 1), ("2014-12-19", "right", 2)]


def test_years_that_differ_are_a_conflict() -> None:
    found = read(
        ("2019-01-01", "Operations:\nCystoscopy in 1999."), ("2020-01-01", "Operations:\nCystoscopy in 2004.")
    )[1]
    assert [(p.day, p.conflict) for p in found] == [("1999", True), ("2004", True)]


@pytest.mark.parametrize("pair", ["HTN|high blood pressure", "T2DM|type 2 diabetes mellitus"], ids=lambda p: p[:4])
def test_names_of_one_thing(pair: str) -> None:
    one, other = pair.split("|")
    assert canonical(one) == canonical(other)
    assert canonical(one) != canonical("gout")


def test_sides() -> None:
    assert side_of("biópsia de mama à esquerda") == ("left", "biópsia de mama")
    assert side_of("right") == ("", "right")


RENDERED: dict[str, tuple[str, dict[str, Any], Any]] = {
    "holds": (
        "Condition",
        {"code": {"text": "Victim of abuse"}, "onsetDateTime": "1984-08-19"},
        ("active", ("1984-08-19",)),
    ),
    "is over": (
        "Condition",
        {"code": {"text": "Disorder of kidney due to diabetes"}, "onsetDateTime": "1990-01",
         "abatementDateTime": "2001-02-03", "clinicalStatus": {"coding": [{"code": "resolved"}]}},
        ("resolved", ("1990-01",)),
    ),
    "in doubt": (
        "Condition",
        {"code": {"text": "Lupus"}, "verificationStatus": {"coding": [{"code": "provisional"}]}},
        ("possible", ()),
    ),
    "refuted": (
        "Condition",
        {"code": {"text": "Lupus disease"}, "verificationStatus": {"coding": [{"code": "refuted"}]}},
        ("ruled_out", ()),
    ),
    "done": (
        "Procedure",
        {"code": {"text": "Hearing examination, planned"}, "status": "completed", "performedDateTime": "2019-05-03",
         "reasonCode": [{"text": "deafness"}]},
        ("2019-05-03", "day"),
    ),
    "not done": (
        "Procedure",
        {"code": {"text": "Colonoscopy"}, "status": "not-done", "performedDateTime": "2019-05-03"},
        None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RENDERED)
def test_resources_as_their_reader_words_them(name: str) -> None:
    kind, resource, expected = RENDERED[name]
    rendered = {"Condition": read_condition, "Procedure": read_procedure}[kind](
        Node({"resourceType": kind, **resource})
    )
    notes = Notes([("2020-01-01", " ".join(rendered.lines))])
    infos = [replace(info, note_type=kind) for info in notes.documents()]
    notes.documents = lambda: infos  # type: ignore[method-assign]
    conditions, procedures = read_history(notes)
    found = [(c.status, c.since) for c in conditions] + [(p.day, p.precision) for p in procedures]
    assert found == ([expected] if expected else [])
    assert {c.name for c in conditions} | {p.name for p in procedures} <= {resource["code"]["text"]}
