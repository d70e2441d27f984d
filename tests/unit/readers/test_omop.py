"""OMOP's NOTE table: recognised by its header, dates no more precise than they are, nulls of two databases."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chartcite.core.reading import Found, Problem

Read = Callable[..., tuple[list[Found], list[Problem]]]
HEAD = (
    "note_id,person_id,note_date,note_datetime,note_type_concept_id,note_class_concept_id,note_title,note_text,"
    "encoding_concept_id,language_concept_id,provider_id,visit_occurrence_id"
)


def row(**cells: str) -> str:
    usual = {"note_id": "1", "person_id": "7", "note_date": "2031-03-02", "note_text": "No fever."}
    return ",".join((usual | cells).get(column, "") for column in HEAD.split(","))


def test_a_row_is_a_note(read: Read) -> None:
    line = row(
        note_datetime="2031-03-02 08:15:00",
        note_type_concept_id="44814637",
        note_title="Letter",
        language_concept_id="4180186",
        visit_occurrence_id="55",
        note_text='"No fever.\nNo cough, no rash."',
    )
    (found,), problems = read("NOTE.csv", f"{HEAD}\n{line}\n")
    document = found.document
    assert not problems
    assert (document.doc_id, found.patient_id, document.encounter_id, document.lang) == ("1", "7", "55", "en")
    assert (document.note_type, document.title, str(document.time)) == (
        "Discharge summary",
        "Letter",
        "2031-03-02T08:15:00",
    )
    assert document.text == "No fever.\nNo cough, no rash."
    assert document.source.format == "omop; charset=utf-8"


@pytest.mark.parametrize(
    ("day", "whole", "time"),
    [
        ("2031-03-02", "", "2031-03-02"),
        ("2031-03-02", "2031-03-02 00:00:00.000", "2031-03-02"),
        ("2031-03-02", "2031-03-02T00:00", "2031-03-02"),
        ("2031-03-02", "2031-03-02 00:01:00", "2031-03-02T00:01:00"),
        ("20310302", "2031-03-02 09:30:00", "2031-03-02T09:30:00"),
        ("", "2031-03-02 00:00:00", "2031-03-02"),
        ("\\N", "NULL", "None"),
        ("", "", "None"),
    ],
    ids=["day", "midnight", "midnight without seconds", "one past", "both", "no day", "nulls", "nothing"],
)
def test_a_clock_at_midnight_is_no_clock(read: Read, day: str, whole: str, time: str) -> None:
    (found,), problems = read("note.csv", f"{HEAD}\n{row(note_date=day, note_datetime=whole)}\n")
    assert not problems
    assert str(found.document.time) == time


def test_two_days_are_none(read: Read) -> None:
    (found,), (problem,) = read("note.csv", f"{HEAD}\n{row(note_datetime='2031-03-03 10:00:00')}\n")
    assert found.document.time is None
    assert "two days" in str(problem.error)
    assert problem.where == "note.csv#2"


def test_columns_in_any_case_and_order_by_tabs(read: Read) -> None:
    (found,), _ = read("n.tsv", "Note_Text\tNOTE_ID\tPerson_Id\tnote_source_value\nNo fever.\t9\t7\tTriage\n")
    assert (found.patient_id, found.document.doc_id, found.document.note_type) == ("7", "9", "Triage")


def test_a_damaged_row_costs_no_other(read: Read) -> None:
    lines = [HEAD, row(), "2,7", row(note_id="3", note_text="NULL"), row(note_id="4", person_id="8")]
    found, problems = read("note.csv", "\n".join(lines))
    assert [(f.document.doc_id, f.patient_id) for f in found] == [("1", "7"), ("4", "8")]
    assert [(p.where, p.skipped) for p in problems] == [("note.csv#3", False), ("note.csv#4", True)]
