"""The timeline of one patient: values, courses of drugs, encounters, diagnoses, procedures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chartcite.core.scope import Scope
from chartcite.core.stored import DocumentInfo
from chartcite.records.courses import LIST_LENGTH, courses
from chartcite.records.doses import Course
from chartcite.records.encounters import Encounter, encounters
from chartcite.records.entries import Series
from chartcite.records.findings import Findings
from chartcite.records.history import Condition, Procedure, conditions, procedures
from chartcite.records.record import RecordReader, findings
from chartcite.records.topic import EVERYTHING, Topic, Wish
from chartcite.records.values import series

SCHEMA = "chartcite.timeline/1"


@dataclass(frozen=True, slots=True)
class Timeline:
    """What the record says of a topic over time, and what was looked through for it."""

    scope: Scope
    topic: Topic
    series: tuple[Series, ...]
    courses: tuple[Course, ...]
    encounters: tuple[Encounter, ...]
    conditions: tuple[Condition, ...]
    procedures: tuple[Procedure, ...]
    documents: int
    undated: int
    first: str | None
    last: str | None
    as_of: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "schema": SCHEMA, "scope": {self.scope.kind: self.scope.name}, "as_of": self.as_of,
            "topic": {"analytes": sorted(self.topic.analytes), "drugs": sorted(self.topic.drugs)},
            "searched": {
                "documents": self.documents, "undated": self.undated, "first": self.first, "last": self.last,
            },
            "series": [one.to_dict() for one in self.series], "courses": [one.to_dict() for one in self.courses],
            "encounters": [one.to_dict() for one in self.encounters],
            "conditions": [one.to_dict() for one in self.conditions],
            "procedures": [one.to_dict() for one in self.procedures],
        }  # fmt: skip


def timeline(reader: RecordReader, topic: Topic = EVERYTHING, as_of: str | None = None) -> Timeline:
    """Read a patient's record for a topic.

    Args:
        reader: of the patient, already as of the date if there is one.
        topic: of a topic with measured things only no drugs are read, and the other way round.
        as_of: shown with the result.
    """
    documents = reader.documents()
    read = list(findings(reader, Wish.of(topic)))
    values = series(value for _, found in read for value in found.values)
    dated = [d.time.date for d in documents if d.time]
    return Timeline(
        reader.scope, topic, tuple(values), tuple(_courses(read)), tuple(encounters(documents)),
        tuple(conditions(one for _, found in read for one in found.conditions)),
        tuple(procedures(one for _, found in read for one in found.procedures)), len(documents),
        len(documents) - len(dated), dated[0] if dated else None, dated[-1] if dated else None, as_of,
    )  # fmt: skip


def read_values(reader: RecordReader, topic: Topic = EVERYTHING) -> list[Series]:
    """The series of a topic's measured things."""
    if topic and not topic.analytes:
        return []
    return series(value for _, found in findings(reader, Wish(values=topic.analytes)) for value in found.values)


def read_doses(reader: RecordReader, topic: Topic = EVERYTHING) -> list[Course]:
    """The courses of a topic's drugs.

    Lists of all medicines say when one is no longer taken, so their entries are counted whatever they name.
    """
    if topic and not topic.drugs:
        return []
    return _courses(list(findings(reader, Wish(doses=topic.drugs))))


def listed_without_dose(reader: RecordReader) -> frozenset[str]:
    """The drugs that the newest list of all medicines names without an amount: `multivitamin`, `Advair 1 puff`."""
    lists = [found.undosed for _, found in findings(reader, Wish(lists=True)) if found.named >= LIST_LENGTH]
    return lists[-1] if lists else frozenset()


def _courses(read: Sequence[tuple[DocumentInfo, Findings]]) -> list[Course]:
    listing = {info.doc_id: (info.time.date if info.time else "", found.listed) for info, found in read if found.listed}
    return courses((dose for _, found in read for dose in found.doses), listing)


def read_history(reader: RecordReader) -> tuple[list[Condition], list[Procedure]]:
    """The diagnoses and procedures of a record."""
    read = [found for _, found in findings(reader, Wish(history=True))]
    return (
        conditions(one for found in read for one in found.conditions),
        procedures(one for found in read for one in found.procedures),
    )
