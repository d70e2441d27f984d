"""The timeline of one patient: values, courses of drugs, encounters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chartcite.core.scope import Scope
from chartcite.records.doses import LIST_LENGTH, Course, DoseStated, courses, doses_stated, is_listed
from chartcite.records.encounters import Encounter, encounters
from chartcite.records.entries import Series
from chartcite.records.lines import lines
from chartcite.records.reading import FactsReader
from chartcite.records.topic import EVERYTHING, Topic, drugs_sieve, values_sieve
from chartcite.records.values import series, stated
from chartcite.store.reader import PartitionReader

SCHEMA = "chartcite.timeline/1"


@dataclass(frozen=True, slots=True)
class Timeline:
    """What the record says of a topic over time, and what was looked through for it."""

    scope: Scope
    topic: Topic
    series: tuple[Series, ...]
    courses: tuple[Course, ...]
    encounters: tuple[Encounter, ...]
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
        }  # fmt: skip


def timeline(reader: PartitionReader, topic: Topic = EVERYTHING, as_of: str | None = None) -> Timeline:
    """Read a patient's record for a topic; about half a millisecond a sentence that names it.

    Args:
        reader: of the patient, already as of the date if there is one.
        topic: of a topic with measured things only no drugs are read, and the other way round.
        as_of: shown with the result.
    """
    documents = reader.documents()
    values, doses = read_values(reader, topic), read_doses(reader, topic)
    dated = [d.time.date for d in documents if d.time]
    return Timeline(
        reader.scope, topic, tuple(values), tuple(doses), tuple(encounters(documents)), len(documents),
        len(documents) - len(dated), dated[0] if dated else None, dated[-1] if dated else None, as_of,
    )  # fmt: skip


def read_values(reader: PartitionReader, topic: Topic) -> list[Series]:
    """The series of a topic's measured things."""
    if topic and not topic.analytes:
        return []
    facts_of, sieve = FactsReader(), values_sieve(topic)
    return series(one for line in lines(reader, sieve) for one in stated(line, topic.analytes, facts_of))


def listed_without_dose(reader: PartitionReader) -> frozenset[str]:
    """The drugs that the newest list of all medicines names without an amount: `multivitamin`, `Advair 1 puff`."""
    facts_of = FactsReader()
    named: dict[str, set[str]] = {}
    dosed: dict[str, set[str]] = {}
    for line in lines(reader, drugs_sieve(EVERYTHING)):
        if is_listed(line, needs_number=False):
            facts, doc_id = facts_of(line.text), line.source.doc_id
            named.setdefault(doc_id, set()).update(drug.name for drug in facts.drugs)
            dosed.setdefault(doc_id, set()).update(d.drug.name for d in facts.doses if d.strength is not None)
    newest = next((doc_id for doc_id in reversed(list(named)) if len(named[doc_id]) >= LIST_LENGTH), None)
    return frozenset(named[newest] - dosed[newest]) if newest else frozenset()


def read_doses(reader: PartitionReader, topic: Topic) -> list[Course]:
    """The courses of a topic's drugs.

    Lists of all medicines say when one is no longer taken, so their entries are counted whatever they name.
    """
    if topic and not topic.drugs:
        return []
    facts_of, sieve = FactsReader(), drugs_sieve(topic)
    found: list[DoseStated] = []
    listing: dict[str, tuple[str, int]] = {}
    for line in lines(reader, drugs_sieve(EVERYTHING)):
        if is_listed(line):
            entries = listing.get(line.source.doc_id, ("", 0))[1]
            listing[line.source.doc_id] = line.source.written, entries + 1
        if sieve.lets_through(line.text):
            found += doses_stated(line, topic.drugs, facts_of)
    return courses(found, listing)
