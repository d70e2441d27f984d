"""Where the time of `ask` goes: median milliseconds by stage, in process, as JSON and as a stacked plot.

Usage: python benchmarks/latency.py [--case NAME STORE SCOPE QUESTIONS]... [--rounds 3] [--json OUT] [--png OUT]

The demo records are always among the cases: their gold questions, in a store made for the run. A further case names a
store that is there (it is only read), a scope (`patient:ID` or `collection:NAME`) and its questions: a text file with
one a line, or a longchart folder, of whose answerable dev questions of that patient 20 are taken, evenly spaced.
Measured after one warm-up question, the partition's arrays in memory. `other` is what no stage counts: the total less
the sum of the stages.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import plots
from chartcite.lab.datafiles import read_objects
from chartcite.lab.experiment.selection import spaced
from chartcite.library.book import Book
from demo_gold import ingest_demo

GOLD = Path(__file__).parents[1] / "tests/golden/demo_gold.json"
Row = dict[str, Any]
Asked = list[tuple[str, dict[str, Any]]]


def questions_of(source: Path, kind: str, name: str) -> Asked:
    if source.is_dir():
        own = [
            q["question"] for q in read_objects(source / "questions.jsonl")
            if q["patient_id"] == name and q["split"] == "dev" and q["answerable"]
        ]  # fmt: skip
        return [(question, {kind: name}) for question in spaced(own, 20)]
    lines = source.read_text("utf-8").splitlines()
    return [(line.strip(), {kind: name}) for line in lines if line.strip()]


def measure(book: Book, questions: Asked, rounds: int) -> Row:
    """Percentiles of the whole and medians of the stages, in milliseconds."""
    opened = time.perf_counter()
    book.ask(questions[0][0], **questions[0][1])
    first = time.perf_counter() - opened
    for scope in {tuple(scope.items()): scope for _, scope in questions}.values():
        book.ask("warm up", **scope)
    totals, stages, passages = [], [], 0
    for _ in range(rounds):
        for question, scope in questions:
            start = time.perf_counter()
            answer = book.ask(question, **scope)
            totals.append(1000 * (time.perf_counter() - start))
            stages.append(dict(answer.timings_ms))
            passages = max(passages, answer.searched.passages)
    names = list(dict.fromkeys(name for own in stages for name in own))
    medians = {name: float(np.median([own.get(name, 0.0) for own in stages])) for name in names}
    medians["other"] = float(np.median([t - sum(own.values()) for t, own in zip(totals, stages, strict=True)]))
    return {
        "questions": len(questions), "rounds": rounds, "passages": passages, "first_ms": round(1000 * first),
        "p50_ms": round(float(np.percentile(totals, 50)), 1), "p95_ms": round(float(np.percentile(totals, 95)), 1),
        "stages_p50_ms": {name: round(value, 1) for name, value in medians.items()},
    }  # fmt: skip


def demo(rounds: int) -> Row:
    items = json.loads(GOLD.read_text("utf-8"))
    asked = [(i["question"], {k: i[k] for k in ("patient", "collection") if i.get(k)}) for i in items]
    with tempfile.TemporaryDirectory() as temporary, Book(Path(temporary)) as book:
        ingest_demo(book)
        return measure(book, asked, rounds)


def plot(cases: dict[str, Row], path: Path) -> None:
    stages = list(dict.fromkeys(stage for case in cases.values() for stage in case["stages_p50_ms"]))
    names = [f"{name}\n{case['passages']:,} passages\np95 {case['p95_ms']:,.0f} ms" for name, case in cases.items()]
    parts = {s: [max(case["stages_p50_ms"].get(s, 0.0), 0.0) for case in cases.values()] for s in stages}

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        plots.stacked(axes, names, parts, "ms")
        axes.set_title("ask by stage, medians")
        axes.set_xlabel("milliseconds")

    plots.save(path, (9.0, 1.6 + 0.9 * len(cases)), draw)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", nargs=4, action="append", default=[], metavar=("NAME", "STORE", "SCOPE", "QUESTIONS"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--png", type=Path)
    args = parser.parse_args()
    cases = {"demo": demo(args.rounds)}
    for name, store, scope, questions in args.case:
        if not Path(store).is_dir() or not Path(questions).exists():
            print(f"{name} is skipped: there is no {store} or no {questions}.", file=sys.stderr)
            continue
        kind, _, identity = scope.partition(":")
        with Book(Path(store), create=False) as book:
            cases[name] = measure(book, questions_of(Path(questions), kind, identity), args.rounds)
    print(json.dumps(cases, indent=1))
    if args.json:
        args.json.write_text(json.dumps(cases, indent=1) + "\n", "utf-8")
    if args.png:
        plot(cases, args.png)


if __name__ == "__main__":
    main()
