"""How exact the timeline is on a longchart folder: values of a day, first and latest, and current medications.

Usage: python benchmarks/timeline.py FOLDER [--split dev] [--json OUT]

FOLDER comes from `chartcite lab generate longchart`. No store and no model: the notes are read as they are. Asked is
what the questions of the split ask for, by what was measured and the day; wording is not read (events before and after
which a value is wanted are given as the answer's own day; as they are worded: benchmarks/over_time.py). Counted:

- value: on the day of the answer the timeline has the right number and no other (`latest`, `first`: and that day is the
  last or first of the series, as of the question's date).
- current medications: precision and recall of the drugs taken as of the day, the share of right amounts among those.

Intervals are Wilson's, 95 %; questions of one patient are not independent.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from chartcite.cascade.statements import wanted
from chartcite.core.documents import Document, Provenance, Sentence
from chartcite.core.scope import Scope
from chartcite.core.stored import DocumentInfo
from chartcite.core.time import When
from chartcite.lab.statistics.proportion import wilson
from chartcite.records.entries import Value
from chartcite.records.kept import packed
from chartcite.records.reading import FactsReader
from chartcite.records.record import read_document
from chartcite.records.timeline import read_doses, read_values
from chartcite.records.topic import ALL, EVERYTHING, Topic
from chartcite.text.sentences import split_sentences

_KEPT: dict[str, bytes] = {}
VALUES = ("latest", "first", "value_at", "value_before", "value_after", "change")
_SALTS = re.compile(r" (?:er|xr|xl|sr|succinate|tartrate|sulfate)$")


class Notes:
    """What the timeline asks of a reader, over a file of notes."""

    def __init__(self, patient: str, rows: list[dict[str, Any]], as_of: str, known: dict[str, list[Sentence]]) -> None:
        self.scope = Scope("patient", patient)
        self._rows = [row for row in rows if not as_of or row["time"][:10] <= as_of]
        self._known = known

    def documents(self) -> list[DocumentInfo]:
        """Oldest first."""
        found = []
        for key, row in enumerate(self._rows):
            when = When.parse(row["time"])
            found.append(
                DocumentInfo(
                    key, row["doc_id"], row.get("title", ""), row["note_type"], when, when.sort_key, "", "",
                    row.get("encounter_id", ""),
                )
            )  # fmt: skip
        return sorted(found, key=lambda d: (d.sort_key, d.doc_id))

    def document(self, key: int) -> Document:
        """One note."""
        row = self._rows[key]
        return Document(doc_id=row["doc_id"], text=row["text"], source=Provenance("", "", ""), lang=row.get("lang", ""))

    def findings(self, rules: str) -> dict[int, bytes]:
        """As a store keeps them: each note is read once in a run."""
        facts_of = FactsReader()
        for info in self.documents():
            if info.doc_id not in _KEPT:
                _KEPT[info.doc_id] = packed(read_document(info, self, ALL, facts_of))
        return {info.key: _KEPT[info.doc_id] for info in self.documents()}

    def sentences(self, key: int) -> list[Sentence]:
        """Its sentences."""
        row = self._rows[key]
        if row["doc_id"] not in self._known:
            self._known[row["doc_id"]] = list(split_sentences(row["text"]))
        return self._known[row["doc_id"]]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    if not (given.folder / "questions.jsonl").is_file():
        raise SystemExit(
            f"{given.folder} is no longchart folder: chartcite lab generate longchart --out {given.folder}"
        )
    questions = [q for q in _rows(given.folder / "questions.jsonl") if q["split"] == given.split]
    notes: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in _rows(given.folder / "notes.jsonl"):
        notes[row["patient_id"]].append(row)
    found = {**_values(questions, notes), **_medications(questions, notes)}
    for name, (right, n) in found.items():
        share = wilson(right, n)
        print(f"{name:<52} {right:>5} / {n:<5} {_shown(share.value)} [{_shown(share.low)}, {_shown(share.high)}]")
    if given.json:
        given.json.write_text(json.dumps({name: {"right": r, "n": n} for name, (r, n) in found.items()}, indent=1))


def _values(questions: list[dict[str, Any]], notes: Mapping[str, list[dict[str, Any]]]) -> dict[str, tuple[int, int]]:
    counts: dict[str, list[int]] = {kind: [0, 0] for kind in VALUES}
    cache: dict[tuple[Any, ...], list[Value]] = {}
    known: dict[str, list[Sentence]] = {}
    for question in questions:
        answer, kind = question["answer"], question["kind"]
        if kind not in VALUES or answer["type"] not in ("value", "change"):
            continue
        analytes, as_of = wanted(question["question"]).analytes, question.get("as_of") or ""
        key = (question["patient_id"], analytes, as_of)
        if key not in cache:
            reader: Any = Notes(question["patient_id"], notes[question["patient_id"]], as_of, known)
            series = read_values(reader, Topic(analytes)) if analytes else []
            cache[key] = [value for one in series for value in one.values if value.counts]
        for part in [answer] if answer["type"] == "value" else [answer["from"], answer["to"]]:
            counts[kind][1] += 1
            counts[kind][0] += _is_right(kind, part, cache[key])
    return {kind: (right, n) for kind, (right, n) in counts.items()}


def _is_right(kind: str, answer: Mapping[str, Any], values: list[Value]) -> bool:
    wanted_day = answer["date"]
    if kind in ("latest", "first") and values:
        pick = max if kind == "latest" else min
        if pick(value.day for value in values) != wanted_day:
            return False
    here = [value.amount for value in values if value.day == wanted_day]
    number = Fraction(answer["value"].split("/")[0])
    return bool(here) and all(number in (a.low, a.low / 1000) for a in here)  # 7900 /uL is 7.9 x10^3/uL


def _medications(
    questions: list[dict[str, Any]], notes: Mapping[str, list[dict[str, Any]]]
) -> dict[str, tuple[int, int]]:
    hits = listed = wanted_drugs = amounts = 0
    known: dict[str, list[Sentence]] = {}
    for question in questions:
        if question["kind"] != "current_medications_as_of":
            continue
        day = question["as_of"]
        reader: Any = Notes(question["patient_id"], notes[question["patient_id"]], day, known)
        taken = {}
        for course in read_doses(reader, EVERYTHING):
            for episode in course.episodes:
                dose = episode.dose_on(day)
                if dose is not None:
                    taken[_bare(course.drug)] = dose
        listed += len(taken)
        for item in question["answer"]["items"]:
            wanted_drugs += 1
            drug = _bare(item["drug"])
            match = next((name for name in taken if name == drug or name in drug or drug in name), None)
            if match is not None:
                hits += 1
                amount = taken.pop(match).amount
                amounts += amount is not None and amount.low == Fraction(item["amount"].split("-")[0])
    return {
        "current medications, recall": (hits, wanted_drugs), "current medications, precision": (hits, listed),
        "current medications, amount right": (amounts, hits),
    }  # fmt: skip


def _bare(drug: str) -> str:
    return _SALTS.sub("", drug.lower())


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    main()
