"""The same kinds of questions over any FHIR R4 bulk export: structured resources give answers, dates and note ids.

Gold is at note level: the documents of the encounter in which something was recorded, else those of its day. A note
listed here belongs to the fact; whether it says so in words is the export's affair.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.longchart.lexicon import load
from chartcite.lab.longchart.notes.grammar import of_split, phrases
from chartcite.lab.longchart.questions.presence import plain

Resource = Mapping[str, Any]
_READ = (
    "Condition",
    "MedicationRequest",
    "Procedure",
    "Encounter",
    "DocumentReference",
    "AllergyIntolerance",
    "Immunization",
)
_MOST_A_KIND = 6


@dataclass(frozen=True, slots=True)
class Event:
    """Something structured: what, when, in which encounter."""

    kind: str
    name: str
    day: str
    encounter: str
    resource: str


@dataclass(slots=True)
class Chart:
    """One patient of an export. `documents`: (id, day, encounter); `texts`: the notes, folded for a search."""

    patient: str
    events: list[Event] = field(default_factory=list)
    documents: list[tuple[str, str, str]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def notes_of(self, event: Event) -> list[str]:
        """Ids of the notes that belong to an event."""
        same = [d for d, _, encounter in self.documents if encounter and encounter == event.encounter]
        return same or [d for d, day, _ in self.documents if day == event.day]


def read_export(folder: Path) -> dict[str, Chart]:
    """All patients of `*.ndjson` or `*.ndjson.gz` files. Lines that are not JSON objects are passed over."""
    charts: dict[str, Chart] = {}
    for path in sorted(folder.iterdir()):
        if path.name.split(".")[0] in _READ and ".ndjson" in path.name:
            data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            for line in data.decode("utf-8").split("\n"):
                _add(charts, _object(line))
    for chart in charts.values():
        chart.events.sort(key=lambda e: (e.day, e.kind, e.name, e.resource))
        chart.documents.sort(key=lambda d: (d[1], d[0]))
    return charts


def _object(line: str) -> Resource:
    try:
        found = json.loads(line)
    except json.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _add(charts: dict[str, Chart], resource: Resource) -> None:
    owner = _reference(resource.get("subject") or resource.get("patient"))
    kind, identity = str(resource.get("resourceType", "")), str(resource.get("id", ""))
    if not owner or not identity:
        return
    chart = charts.setdefault(owner, Chart(owner))
    if kind == "DocumentReference":
        encounters = (resource.get("context") or {}).get("encounter") or [{}]
        chart.documents.append((identity, str(resource.get("date", ""))[:10], _reference(encounters[0])))
        chart.texts.append(plain(_attached(resource)))
        return
    name, day = _name(resource, kind), _day(resource)
    status = str(resource.get("status", ""))
    if name and day and status not in ("entered-in-error", "not-done", "cancelled"):
        encounter = identity if kind == "Encounter" else _reference(resource.get("encounter"))
        chart.events.append(Event(kind, name, day, encounter, f"{kind}/{identity}"))


def _attached(resource: Resource) -> str:
    """The text of a note; other attachments give nothing."""
    for content in resource.get("content") or []:
        attachment = content.get("attachment") or {}
        if str(attachment.get("contentType", "")).startswith("text/plain") and attachment.get("data"):
            return base64.b64decode(attachment["data"]).decode("utf-8", "replace")
    return ""


def _reference(node: object) -> str:
    text = str(node.get("reference", "")) if isinstance(node, Mapping) else ""
    return text.rsplit("/", 1)[-1].removeprefix("urn:uuid:")


def _name(resource: Resource, kind: str) -> str:
    concept: object = resource.get(
        {"MedicationRequest": "medicationCodeableConcept", "Immunization": "vaccineCode"}.get(kind, "code")
    )
    if kind == "Encounter":
        types = resource.get("type") or [{}]
        concept = types[0]
    if not isinstance(concept, Mapping):
        return ""
    codings = concept.get("coding") or [{}]
    return plain_name(str(concept.get("text") or codings[0].get("display") or ""))


def plain_name(text: str) -> str:
    """A display name without the terminology's tag.

    >>> plain_name("Sepsis (disorder)")
    'Sepsis'
    """
    return re.sub(r"\s*\((?:disorder|procedure|finding|situation|regime/therapy)\)$", "", text).strip()


def _day(resource: Resource) -> str:
    for key in ("onsetDateTime", "authoredOn", "performedDateTime", "occurrenceDateTime", "recordedDate"):
        if resource.get(key):
            return str(resource[key])[:10]
    for key in ("performedPeriod", "period", "onsetPeriod"):
        if isinstance(resource.get(key), Mapping):
            return str(resource[key].get("start", ""))[:10]
    return ""


def make_fhir_questions(charts: Mapping[str, Chart], seed: int) -> list[dict[str, Any]]:
    """Questions with answers, resource ids and note ids, patient by patient in order of id."""
    found: list[dict[str, Any]] = []
    for number, patient in enumerate(sorted(charts)):
        chart = charts[patient]
        if not chart.documents:
            continue
        split = "dev" if number % 2 else "test"
        asker = _Asker(chart, Dice(seed, patient, "fhir"), split)
        found += list(asker.all())
    return found


class _Asker:
    """Questions over one patient of an export."""

    def __init__(self, chart: Chart, dice: Dice, split: str) -> None:
        self._chart, self._dice, self._split = chart, dice, split
        self._number = 0
        self._by: dict[tuple[str, str], list[Event]] = defaultdict(list)
        for event in chart.events:
            self._by[event.kind, event.name].append(event)

    def all(self) -> Iterator[dict[str, Any]]:
        """Every kind, a few of each."""
        for kind in ("Condition", "MedicationRequest", "Procedure", "Immunization"):
            able = [name for k, name in self._by if k == kind]
            for name in self._dice.some(sorted(able), _MOST_A_KIND):
                yield from self._one(kind, name)
        yield from self._newest_condition()
        yield from self._orders()
        yield from self._absent()

    def _one(self, kind: str, name: str) -> Iterator[dict[str, Any]]:
        events = self._by[kind, name]
        yield self._ask("first", f"f_first_{kind}", {"thing": name}, _dated(events[0]), events[:1])
        if len(events) > 1:
            yield self._ask("latest", f"f_latest_{kind}", {"thing": name}, _dated(events[-1]), events[-1:])
        days = sorted({e.day for e in events})
        if 1 < len(days) <= 12 and len(days) == len(events) and kind in ("Procedure", "Immunization"):
            answer = {"type": "count", "count": len(events), "dates": days, "text": str(len(events))}
            yield self._ask("count", f"f_count_{kind}", {"thing": name}, answer, events)
        yield self._ask(
            "present",
            f"f_record_{kind}",
            {"thing": name},
            {"type": "status", "status": "present", "text": "present"},
            events,
        )

    def _newest_condition(self) -> Iterator[dict[str, Any]]:
        conditions = [e for e in self._chart.events if e.kind == "Condition"]
        if conditions and sum(e.day == conditions[-1].day for e in conditions) == 1:
            newest = conditions[-1]
            answer = {"type": "text", "text": newest.name, "accept": [newest.name], "date": newest.day}
            yield self._ask("latest", "f_newest_condition", {}, answer, [newest])

    def _orders(self) -> Iterator[dict[str, Any]]:
        once = sorted(
            {(k, n) for (k, n), events in self._by.items() if k in ("Condition", "Procedure") and len(events) == 1}
        )
        for _ in range(_MOST_A_KIND):
            if len(once) < 2:
                return
            one, two = (self._by[key][0] for key in self._dice.some(once, 2))
            if one.day != two.day:
                first, second = sorted((one, two), key=lambda e: e.day)
                answer = {"type": "order", "first": first.name, "second": second.name, "text": first.name}
                yield self._ask("order", "f_order", {"one": one.name, "two": two.name}, answer, [first, second])

    def _absent(self) -> Iterator[dict[str, Any]]:
        """Names of the pool that neither a structured resource nor a note holds."""
        held = " ".join([*(plain(e.name) for e in self._chart.events), *self._chart.texts])
        for kind, table in (("Condition", "condition"), ("MedicationRequest", "drug"), ("Procedure", "procedure")):
            rows = [r["en"] for r in load("pool.toml")[table].values()]
            able = [names for names in rows if not any(plain(n) in held for n in names)]
            for names in self._dice.some(able, 4):
                asked = self._ask(
                    "absent",
                    f"f_record_{kind}",
                    {"thing": names[0]},
                    {"type": "status", "status": "absent", "text": "absent"},
                    [],
                )
                yield asked | {"answerable": False, "synonyms": names[1:], "verified": "no resource, no note"}

    def _ask(
        self, kind: str, key: str, slots: dict[str, str], answer: dict[str, Any], events: Sequence[Event]
    ) -> dict[str, Any]:
        self._number += 1
        rows = of_split(phrases("en")[key], "dev" if self._split == "dev" else "test")
        row = self._dice.pick(rows)
        text = row.template
        for slot, value in slots.items():
            text = text.replace(f"{{{slot}}}", value)
        notes = list(dict.fromkeys(n for e in events for n in self._chart.notes_of(e)))
        return {
            "id": f"{self._chart.patient}-q{self._number:04d}",
            "patient_id": self._chart.patient,
            "lang": "en",
            "split": self._split,
            "kind": kind,
            "family": row.family,
            "question": text,
            "answerable": True,
            "answer": answer,
            "gold_notes": notes,
            "gold_resources": [e.resource for e in events],
        }


def _dated(event: Event) -> dict[str, Any]:
    return {"type": "date", "date": event.day, "text": event.day, "of": event.name}


def counts(questions: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Questions by kind: all, and those with at least one gold note."""
    every = Counter(str(q["kind"]) for q in questions)
    noted = Counter(str(q["kind"]) for q in questions if q["gold_notes"])
    return {kind: {"questions": every[kind], "with_gold_notes": noted[kind]} for kind in sorted(every)}
