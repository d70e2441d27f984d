"""Latency of `ask`, in process and as a command, on a store that is there already.

Usage: python benchmarks/ask.py STORE QUESTIONS.txt (--patient ID | --collection NAME) [--rounds N] [--show]

QUESTIONS.txt holds one question a line. In process: p50 and p95 over all questions and rounds after one warm-up, the
partition's arrays in memory; and by stage. As a command: the whole process. `--show` prints the answers, to be read.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from chartcite.library.book import Book


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--patient")
    parser.add_argument("--collection")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    questions = [q.strip() for q in args.questions.read_text("utf-8").splitlines() if q.strip()]
    spent, stages = [], []
    with Book(args.store, create=False) as book:
        opened = time.perf_counter()
        book.ask(questions[0], patient=args.patient, collection=args.collection)
        first = time.perf_counter() - opened
        for _ in range(args.rounds):
            for question in questions:
                start = time.perf_counter()
                answer = book.ask(question, patient=args.patient, collection=args.collection)
                spent.append(time.perf_counter() - start)
                stages.append(dict(answer.timings_ms))
        if args.show:
            for question in questions:
                answer = book.ask(question, patient=args.patient, collection=args.collection)
                names = [f["name"] for f in answer.fallbacks]
                print(f"\n{question}\n  {answer.text or '-- ' + str(answer.reason)}  {names}")
    scope = ["--patient", args.patient] if args.patient else ["--collection", args.collection]
    script = str(Path(sys.executable).parent / "chartcite")
    commands = []
    for question in questions:
        start = time.perf_counter()
        subprocess.run(
            [script, "ask", question, *scope, "--store", str(args.store)], check=True, stdout=subprocess.DEVNULL
        )
        commands.append(time.perf_counter() - start)
    result = {
        "questions": len(questions), "rounds": args.rounds, "first_in_process_s": round(first, 3),
        "in_process_p50_s": round(float(np.percentile(spent, 50)), 3),
        "in_process_p95_s": round(float(np.percentile(spent, 95)), 3),
        "stages_p50_ms": {name: round(float(np.median([s[name] for s in stages])), 1) for name in stages[0]},
        "command_p50_s": round(float(np.percentile(commands, 50)), 3),
        "command_p95_s": round(float(np.percentile(commands, 95)), 3),
    }  # fmt: skip
    print(json.dumps(result, indent=1))
    if args.json:
        args.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
