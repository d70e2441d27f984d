"""Assertions, units and drugs of the items beside this file, by system: ours, or a package of PyPI in its environment.

Run: `python benchmarks/facts/compare.py ours [FIELD_CASE_FOLDER]`, or with the Python of an environment that has it
`medspacy`, `ucumvert`, `drug_named_entity_recognition`. Prints one line a list, the misses, and the seconds that
importing and loading took.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FIELD_CASE = Path(sys.argv[2]) if len(sys.argv) > 2 else HERE / "field_case"
"""A folder with `note.txt` and `expected.json`; without one only the items beside this file are judged."""
Row = list[str]


def rows(name: str) -> list[Row]:
    lines = (HERE / name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def field_rows() -> list[Row]:
    """The findings of field case 04, each with the sentence that names it."""
    if not FIELD_CASE.exists():
        return []
    note = (FIELD_CASE / "note.txt").read_text("utf-8")
    sentences = re.split(r"(?<=\.)\s+", note)
    found = [item for item in json.loads((FIELD_CASE / "expected.json").read_text("utf-8")) if "finding" in item]
    return [
        ["field", next(s for s in sentences if item["finding"] in s), item["finding"], item["status"]] for item in found
    ]


def _is_named(wanted: str, names: set[str]) -> bool:
    """Whether the drug is found and nothing else: a combination by its name or by all its parts."""
    found = {name.casefold() for name in names}
    return found in ({wanted.casefold()}, set(wanted.casefold().split("-"))) if wanted else not found


def report(name: str, items: list[Row], is_right: Callable[[Row], bool]) -> None:
    start = time.perf_counter()
    wrong = [row for row in items if not is_right(row)]
    ms = (time.perf_counter() - start) * 1000 / max(len(items), 1)
    print(f"{name}: {len(items) - len(wrong)} of {len(items)} right, {ms:.2f} ms an item")
    for row in wrong:
        print("   wrong:", " | ".join(row))


def ours() -> None:
    start = time.perf_counter()
    read_facts: Any = importlib.import_module("chartcite.facts.read").read_facts
    read_facts("Lasix 40 mg", 0, 11)
    print(f"loaded in {time.perf_counter() - start:.2f} s")

    def stands(row: Row) -> bool:
        at = row[1].index(row[2])
        facts = read_facts(row[1], 0, len(row[1]))
        names = {n for s in facts.standings if s.span.start < at + len(row[2]) and at < s.span.end for n in s.names}
        return row[3] in names if row[3] != "present" else not names

    def has_unit(row: Row) -> bool:
        facts = read_facts(row[1], 0, len(row[1]))
        found = [(float(q.low), q.unit.name) for q in facts.quantities if q.kind != "date"]
        found += [(float(v.quantity.low), v.unit) for m in facts.measurements for v in m.values]
        return (float(row[2]), row[3]) in found

    def has_drug(row: Row) -> bool:
        drugs = read_facts(row[1], 0, len(row[1])).drugs
        return _is_named(row[2], {part for drug in drugs for part in drug.components or (drug.name,)})

    report("assertions", rows("assertions.tsv"), stands)
    report("field case 04", field_rows(), stands)
    report("units", rows("units.tsv"), has_unit)
    report("drugs", rows("drugs.tsv"), has_drug)


_FLAGS = {
    "absent": "is_negated", "possible": "is_uncertain", "historical": "is_historical", "family": "is_family",
    "hypothetical": "is_hypothetical",
}  # fmt: skip


def medspacy() -> None:
    start = time.perf_counter()
    package: Any = importlib.import_module("medspacy")
    rule: Any = importlib.import_module("medspacy.ner").TargetRule
    nlp = package.load(medspacy_enable=["medspacy_pyrush", "medspacy_target_matcher", "medspacy_context"])
    print(f"loaded in {time.perf_counter() - start:.2f} s")
    items = rows("assertions.tsv") + field_rows()
    nlp.get_pipe("medspacy_target_matcher").add([rule(f, "FINDING") for f in sorted({row[2] for row in items})])

    def stands(row: Row) -> bool:
        doc = nlp(row[1])
        own = [e for e in doc.ents if e.text.casefold() == row[2].casefold()]
        names = {name for e in own for name, flag in _FLAGS.items() if getattr(e._, flag)}
        return bool(own) and (row[3] in names if row[3] != "present" else not names)

    report("assertions", rows("assertions.tsv"), stands)
    report("field case 04", field_rows(), stands)


def ucumvert() -> None:
    start = time.perf_counter()
    registry: Any = importlib.import_module("ucumvert").PintUcumRegistry()
    print(f"loaded in {time.perf_counter() - start:.2f} s")

    def parsed(code: str) -> Any:
        try:
            return registry.from_ucum(code)
        except Exception:  # noqa: BLE001 - its parser raises kinds of its own; a refused code counts as not read
            return None

    def has_unit(row: Row) -> bool:
        # It reads a code and finds nothing in text: it is handed the words behind the number.
        behind = re.split(r"\d[\d.,]*\s*", row[1], maxsplit=1)[-1].split()
        wanted = parsed(row[3])
        given = [parsed(" ".join(behind[:n])) for n in range(3, 0, -1)]
        return wanted is not None and any(one is not None and one == wanted for one in given)

    report("units", rows("units.tsv"), has_unit)


def drug_named_entity_recognition() -> None:
    start = time.perf_counter()
    find: Any = importlib.import_module("drug_named_entity_recognition").find_drugs
    find(["aspirin"])
    print(f"loaded in {time.perf_counter() - start:.2f} s")

    def has_drug(row: Row) -> bool:
        tokens = re.findall(r"[\w-]+|[^\w\s]", row[1])
        return _is_named(row[2], {found[0]["name"] for found in find(tokens, is_ignore_case=True)})

    report("drugs", rows("drugs.tsv"), has_drug)


if __name__ == "__main__":
    {f.__name__: f for f in (ours, medspacy, ucumvert, drug_named_entity_recognition)}[sys.argv[1]]()
