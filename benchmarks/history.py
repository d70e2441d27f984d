"""How many diagnoses and procedures of a longchart folder the timeline has, and which it should not have.

Usage: python benchmarks/history.py FOLDER [--split dev] [--json OUT]

FOLDER comes from `chartcite lab generate longchart`; its FHIR bundles hold what each patient has.
No store and no model.

- diagnoses: of the bundles' conditions, those that the timeline has under that name or a listed synonym; `begin right`:
  the stated begin is the bundle's, and no other.
- procedures: of the bundles' procedures, those that the timeline has on the very day, with a word of the name.
- a relative's: of the diseases that only a relative has, those that the timeline gives the patient (should be none).
- absent: of what the questions of the split call absent, those that are an entry (should be none).

Intervals are Wilson's, 95 %; entries of one patient are not independent.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chartcite.lab.statistics.proportion import wilson
from chartcite.records.history import Condition, Procedure
from chartcite.records.naming import canonical
from chartcite.records.timeline import read_history
from timeline import Notes

_WORD = re.compile(r"[^\W\d_]{4,}")
_QUESTION = re.compile(
    r"(?:record of|have|has|with) (?:an? )?(?P<name>[\w' -]+?)(?:,| or |\?)|Was (?P<done>[\w' -]+?) ever performed"
)


class Unkept(Notes):
    """Only what is asked for is read."""

    def findings(self, rules: str) -> dict[int, bytes]:
        """Nothing is kept."""
        return {}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    patients = [p["patient_id"] for p in _rows(given.folder / "patients.jsonl") if p["split"] == given.split]
    notes: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in _rows(given.folder / "notes.jsonl"):
        notes[row["patient_id"]].append(row)
    asked: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for question in _rows(given.folder / "questions.jsonl"):
        if question["kind"] in ("absent", "family_vs_patient"):
            asked[question["patient_id"]].append(question)
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for patient in patients:
        reader: Any = Unkept(patient, notes[patient], "", {})
        conditions, procedures = read_history(reader)
        bundle = json.loads((given.folder / "fhir" / "bundles" / f"{patient}.json").read_text("utf-8"))
        for name, is_right in _judged(bundle, conditions, procedures):
            counts[name][0] += is_right
            counts[name][1] += 1
        for name, is_there in _foreign(asked[patient], conditions, procedures):
            counts[name][0] += is_there
            counts[name][1] += 1
    for name, (right, n) in counts.items():
        share = wilson(right, n)
        print(f"{name:<40} {right:>5} / {n:<5} {share.value:.3f} [{share.low:.3f}, {share.high:.3f}]")
    if given.json:
        given.json.write_text(json.dumps({name: {"right": r, "n": n} for name, (r, n) in counts.items()}, indent=1))


def _judged(
    bundle: dict[str, Any], conditions: list[Condition], procedures: list[Procedure]
) -> Iterator[tuple[str, bool]]:
    for resource in (entry["resource"] for entry in bundle["entry"]):
        if resource["resourceType"] == "Condition":
            name, begin = resource["code"]["text"], resource["onsetDateTime"][:10]
            found = [c for c in conditions if canonical(c.name) == canonical(name) and c.status != "ruled_out"]
            yield "diagnoses", bool(found)
            if found:
                yield "diagnoses: begin right", any(c.since == (begin,) for c in found)
        elif resource["resourceType"] == "Procedure":
            words = set(_WORD.findall(resource["code"]["text"].lower()))
            day = resource["performedDateTime"][:10]
            yield "procedures", any(p.day == day and words & set(_WORD.findall(p.name.lower())) for p in procedures)


def _foreign(
    asked: list[dict[str, Any]], conditions: list[Condition], procedures: list[Procedure]
) -> Iterator[tuple[str, bool]]:
    has = {canonical(c.name) for c in conditions if c.status != "ruled_out"} | {canonical(p.name) for p in procedures}
    for question in asked:
        found = _QUESTION.search(question["question"])
        if found is None or question["answer"].get("status") not in ("family_only", "absent"):
            continue
        name = canonical((found["name"] or found["done"]).strip())
        yield ("a relative's" if question["answer"]["status"] == "family_only" else "absent"), name in has


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


if __name__ == "__main__":
    main()
