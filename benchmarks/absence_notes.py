"""Questions of presence to records that are not ours: public notes with own questions, and Synthea's bulk export.

Usage: python benchmarks/absence_notes.py notes DATA STORE [--wrong] [--json OUT]
       python benchmarks/absence_notes.py synthea DATA STORE [--per-patient 40] [--wrong] [--json OUT]

`notes`: `questions/absence_notes.tsv` to notes of aci_bench and mts_dialog, each note a record of its own; right is
one of the statuses that stand there. docs/results.md tells what was changed after seeing the answers.

`synthea`: of each patient of fhir_synthea10, conditions of the structured part that a note names word for word (found
as a string, without their bracketed class), and as many conditions of other patients whose first two
words stand in none of his notes. Right is `present` or `historical` of the first, `not_mentioned` of the second. What
is named word for word may be denied there or be a relative's, so the first figure is a lower bound.

Stores are made with the stand-in encoder of `absence.py`. Intervals are Wilson's, 95 %.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from absence import open_book
from chartcite.lab.statistics.proportion import wilson
from chartcite.library.book import Book

QUESTIONS = Path(__file__).parent / "questions/absence_notes.tsv"
Row = tuple[str, str, tuple[str, ...]]
"""Patient, question, right statuses."""


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def public_notes(data: Path, book: Book) -> list[Row]:
    rows = [line.split("\t") for line in QUESTIONS.read_text("utf-8").splitlines() if not line.startswith("#")]
    notes = {("aci_bench", r["encounter_id"]): r["note"] for r in rows_of(data / "aci_bench/aci_bench.jsonl.gz")}
    notes |= {
        ("mts_dialog", str(n)): r["section_text"]
        for n, r in enumerate(rows_of(data / "mts_dialog/mts_dialog.jsonl.gz"))
    }
    wanted = sorted({(r[0], r[1]) for r in rows})
    if len(list(book.patients())) != len(wanted):
        path = book.store.folder / "notes.jsonl"
        made = [{"doc_id": name, "patient_id": f"{d}-{name}", "text": notes[d, name]} for d, name in wanted]
        path.write_text("".join(json.dumps(row) + "\n" for row in made), "utf-8")
        book.ingest(path)
    return [(f"{r[0]}-{r[1]}", r[2], tuple(r[3].split("|"))) for r in rows]


def synthea(data: Path, book: Book, most: int) -> list[Row]:
    folder = data / "fhir_synthea10"
    if not list(book.patients()):
        book.ingest(folder)
    conditions: dict[str, set[str]] = defaultdict(set)
    for row in rows_of(folder / "Condition.000.ndjson.gz"):
        name = re.sub(r"\s*\([^)]*\)\s*$", "", row["code"]["text"])
        conditions[row["subject"]["reference"].split("/")[-1]].add(name)
    texts: dict[str, str] = {}
    for scope in (p.scope for p in book.patients()):
        with book.store.read(scope) as reader:
            texts[scope.name] = " ".join(reader.all_texts_of_documents()).casefold()
    every = sorted(set().union(*conditions.values()))
    found: list[Row] = []
    for patient in sorted(texts):
        own = sorted(c for c in conditions[patient] if c.casefold() in texts[patient])[:most]
        others = [c for c in every if c not in conditions[patient] and not _has_some(c, texts[patient])]
        found += [(patient, f"Does the patient have {c}?", ("present", "historical")) for c in own]
        found += [(patient, f"Is there any record of {c}?", ("not_mentioned",)) for c in others[: len(own)]]
    return found


def _has_some(condition: str, text: str) -> bool:
    words = re.findall(r"[a-z]{4,}", condition.casefold())[:2]
    return not words or any(word[:6] in text for word in words)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("which", choices=("notes", "synthea"))
    parser.add_argument("data", type=Path)
    parser.add_argument("store", type=Path)
    parser.add_argument("--per-patient", type=int, default=40)
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    groups: dict[str, list[bool]] = defaultdict(list)
    false_absence: list[bool] = []
    with open_book(args.store) as book:
        asked = public_notes(args.data, book) if args.which == "notes" else synthea(args.data, book, args.per_patient)
        for patient, question, wanted in asked:
            answer = book.ask(question, patient=patient)
            status = answer.presence.status if answer.presence else f"no presence: {answer.reason}"
            groups[wanted[0]].append(status in wanted)
            if wanted[0] != "not_mentioned":
                false_absence.append(status == "not_mentioned")
            if args.wrong and status not in wanted:
                print(patient, question, "|".join(wanted), status, sep=" | ", file=sys.stderr)
    groups["all"] = [right for group in groups.values() for right in group]
    groups["false absence"] = false_absence
    shares = {name: wilson(sum(group), len(group)) for name, group in groups.items()}
    for name, p in shares.items():
        print(f"{name:16s}{p.successes:4d} of {p.n:4d}  {p.value or 0:.3f} [{p.low or 0:.3f}, {p.high or 0:.3f}]")
    if args.json:
        args.json.write_text(json.dumps({n: [p.successes, p.n] for n, p in shares.items()}, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
