"""When to abstain: risk against coverage of the answers to a longchart folder, by the probability of the evidence.

Usage: python benchmarks/abstention.py ask FOLDER STORE --rows FILE [--split dev] [--questions 300] [--seed 0]
       python benchmarks/abstention.py report DEV_FILE [TEST_FILE] [--plot PNG]

`ask` puts a sample of the split's questions (kinds take turns; questions of presence and multiple choices left out,
whose answers have no probability) to the default settings and writes a row each. Right: a citation overlaps gold.
An answer to what the record does not answer is wrong. An abstention is not answered, whatever the record has.

`report`: AURC over what was answered, with a percentile bootstrap over questions (2,000 draws, seed 0; questions of one
patient are not independent); risk at coverages, with Wilson's intervals; and the threshold with the most right less
wrong answers of DEV, reported on TEST. Answers computed from the timeline stand apart: they have no probability.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chartcite.lab.metrics.risk_coverage import curve
from chartcite.lab.statistics.proportion import wilson
from chartcite.library.book import Book
from longchart import ingest, notes_of, questions_of, sample, shared

LEFT_OUT = ("absent", "present", "denied", "family_vs_patient", "multiple_choice")
COVERAGES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
DRAWS = 2000
Row = dict[str, Any]


def ask(folder: Path, store: Path, split: str, count: int, seed: int) -> list[Row]:
    notes = notes_of(folder)
    known = [q for q in questions_of(folder, split, "") if q[1].kind not in LEFT_OUT]
    rows: list[Row] = []
    with Book(store) as book:
        ingest(folder, book, notes)
        for n, (identity, question) in enumerate(sample(known, count, seed), start=1):
            texts = {note.doc_id: note.text for note in notes[question.patient_id]}
            answer = book.ask(question.text, patient=question.patient_id, as_of=question.as_of or None)
            gold = [s for s in question.gold if s.part >= 0]
            hit = any(shared(c.doc_id, c.start, c.end, gold, texts.get(c.doc_id, "")) for c in answer.citations)
            rows.append({
                "id": identity, "kind": question.kind, "lang": question.lang, "answered": not answer.abstained,
                "right": bool(hit and question.answerable),
                "probability": max((e.probability for e in answer.evidence), default=0.0),
                "from_timeline": any(e.kept == "timeline" for e in answer.evidence),
            })  # fmt: skip
            if n % 20 == 0:
                print(f"{n} asked", file=sys.stderr, flush=True)
    return rows


def aurc(rows: Sequence[Row]) -> float:
    points = curve({r["id"]: r["right"] for r in rows}, {r["id"]: r["probability"] for r in rows})
    return float(sum(p.risk for p in points) / len(points))


def interval(rows: Sequence[Row]) -> tuple[float, float]:
    draw = np.random.default_rng(0)
    found = []
    for _ in range(DRAWS):
        picked = [rows[i] for i in draw.integers(0, len(rows), len(rows))]
        found.append(aurc([{**row, "id": str(n)} for n, row in enumerate(picked)]))
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)


def best_threshold(rows: Sequence[Row]) -> float:
    """With the most right less wrong answers; of equals the lowest, which answers most."""

    def worth(least: float) -> int:
        return sum(1 if r["right"] else -1 for r in rows if r["probability"] >= least)

    candidates: list[float] = sorted({0.0, *(float(r["probability"]) for r in rows)})
    return max(candidates, key=lambda least: (worth(least), -least))


def report(name: str, rows: Sequence[Row], threshold: float) -> None:
    own = [r for r in rows if not r["from_timeline"]]
    answered = sorted((r for r in own if r["answered"]), key=lambda r: (-r["probability"], r["id"]))
    low, high = interval(answered)
    print(f"{name}: {len(rows)} questions, {len(rows) - len(own)} by the timeline, {len(answered)} others answered")
    print(f"  AURC {aurc(answered):.3f} [{low:.3f}, {high:.3f}]")
    for coverage in COVERAGES:
        n = round(coverage * len(own))
        if n <= len(answered):
            show(f"the surest {coverage:.0%}", answered[:n], len(own))
    show("all answered", answered, len(own))
    show(f"probability from {threshold:.3f}", [r for r in answered if r["probability"] >= threshold], len(own))


def show(name: str, rows: Sequence[Row], of: int) -> None:
    p = wilson(sum(not r["right"] for r in rows), len(rows))
    risk = f"{p.value:.3f} [{p.low:.3f}, {p.high:.3f}]" if p.value is not None else p.reason
    print(f"  {name:26s} coverage {len(rows) / of:.3f}  risk {risk}  n {len(rows)}")


def plot(groups: Sequence[tuple[str, Sequence[Row]]], path: Path) -> None:
    import matplotlib as mpl  # noqa: PLC0415

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(figsize=(6, 4))
    for name, rows in groups:
        own = [r for r in rows if not r["from_timeline"]]
        answered = [r for r in own if r["answered"]]
        points = curve({r["id"]: r["right"] for r in answered}, {r["id"]: r["probability"] for r in answered})
        axes.plot([p.answered / len(own) for p in points], [p.risk for p in points], label=f"{name} (n {len(own)})")
    axes.set(xlabel="coverage: share of all questions answered", ylabel="risk: share of answers that are wrong")
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120, metadata={"Software": ""})


def main() -> None:
    parser = argparse.ArgumentParser()
    parts = parser.add_subparsers(dest="what", required=True)
    asking = parts.add_parser("ask")
    asking.add_argument("folder", type=Path)
    asking.add_argument("store", type=Path)
    asking.add_argument("--rows", type=Path, required=True)
    asking.add_argument("--split", default="dev")
    asking.add_argument("--questions", type=int, default=300)
    asking.add_argument("--seed", type=int, default=0)
    telling = parts.add_parser("report")
    telling.add_argument("files", type=Path, nargs="+")
    telling.add_argument("--plot", type=Path)
    args = parser.parse_args()
    if args.what == "ask":
        rows = ask(args.folder, args.store, args.split, args.questions, args.seed)
        args.rows.write_text(json.dumps(rows, indent=0) + "\n", "utf-8")
        return
    groups = [(path.stem, json.loads(path.read_text("utf-8"))) for path in args.files]
    threshold = best_threshold([r for r in groups[0][1] if r["answered"] and not r["from_timeline"]])
    for name, rows in groups:
        report(name, rows, threshold)
    if args.plot:
        plot(groups, args.plot)


if __name__ == "__main__":
    main()
