"""Cuts a gold file of invented notes into units, and counts what was cut wrong; beside pysbd and syntok.

Usage: python benchmarks/sentences.py [--part dev|test|both] [--peers PYTHON] [--styles] [--show]

`benchmarks/sentences/gold.jsonl`: 52 notes in 13 styles, English and Portuguese, each with the spans of its units
(`units`), marked by hand before any splitter had seen them. Odd notes of each style are the held-out part (`test`),
even ones were used for fixing (`dev`); `--show` prints what is wrong in the dev part only. How it was marked:

- A header, a sentence, a list item's sentence and a table row are units. A list mark belongs to what it marks.
- `optional`: places where a cut is neither asked for nor held against: after a leading label (`PLAN: ...`,
  `0700: ...`), and between fields side by side on one line.
- A semicolon ends nothing: what follows it shares the standing and the subject of what stands before it.
- A line end inside a wrapped sentence ends nothing; each line of a telegraphic note is at least one unit.

Counted, over the notes of the part:

- boundaries: where a unit starts, the first of each note left out. Precision, recall, F1.
- exact: units found with both ends right, of those in the gold and of those found (F1).
- cut: gold units with a digit or a word of negation that are cut inside, since half of it may lose its dose or its
  "no"; share of such units.
- glued: units of the gold that share a unit with another one; share of all units.

Intervals, 95 %: percentile bootstrap over notes, 2,000 draws. PYTHON is one that has pysbd and syntok; without it they
are not run, and the table says so.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from chartcite.text.sentences import split_sentences

FOLDER = Path(__file__).with_name("sentences")
PEERS = ("pysbd", "pysbd-lines", "syntok", "syntok-lines")
_CRITICAL = re.compile(
    r"\d|\b(?:no|not|nor|never|none|without|w/o|den(?:y|ies|ied)|neg(?:ative)?|nega|não|sem|nenhum)\b|\bs/",
    re.IGNORECASE,
)
_DRAWS = 2_000

Spans = list[tuple[int, int]]


@dataclass(frozen=True)
class Counts:
    """What was counted in one note."""

    hit: int  # boundaries found that are in the gold
    found: int  # boundaries found
    gold: int  # boundaries in the gold
    exact: int
    found_units: int
    gold_units: int
    critical: int
    cut: int
    glued: int


def starts_of(text: str, spans: Spans, optional: Sequence[int]) -> list[int]:
    """Where units start, without white space and without places that do not count; the first place is always one."""
    first = len(text) - len(text.lstrip())
    starts = {
        start + len(text[start:end]) - len(text[start:end].lstrip()) for start, end in spans if text[start:end].strip()
    }
    return sorted((starts | {first}) - set(optional))


def count(case: dict[str, Any], spans: Spans) -> Counts:
    text, gold = case["text"], [start for start, _ in case["units"]]
    found = starts_of(text, spans, case["optional"])
    pairs = set(zip(gold, [*gold[1:], len(text)], strict=True))
    exact = len(pairs & set(zip(found, [*found[1:], len(text)], strict=True)))
    critical = [(start, end) for start, end in case["units"] if _CRITICAL.search(text[start:end])]
    homes = [bisect_right(found, start) for start in gold]
    return Counts(
        hit=len(set(gold[1:]) & set(found)),
        found=len(found) - 1,
        gold=len(gold) - 1,
        exact=exact,
        found_units=len(found),
        gold_units=len(gold),
        critical=len(critical),
        cut=sum(any(start < place < end for place in found) for start, end in critical),
        glued=sum(homes.count(home) > 1 for home in homes),
    )


def own(text: str) -> Spans:
    return [(unit.start, unit.end) for unit in split_sentences(text)]


def peer(python: str, engine: str, cases: list[dict[str, Any]]) -> list[Spans]:
    asked = {"engine": engine, "texts": [{"lang": case["lang"], "text": case["text"]} for case in cases]}
    done = subprocess.run(
        [python, str(FOLDER / "peers.py")], input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    return [[(start, end) for start, end in spans] for spans in json.loads(done.stdout)]


def f1(hit: Any, found: Any, gold: Any) -> Any:
    return 2 * hit / np.maximum(found + gold, 1)


def measures(total: dict[str, Any]) -> dict[str, Any]:
    """The measures of one sum of counts, or of an array of sums."""
    return {
        "precision": total["hit"] / np.maximum(total["found"], 1),
        "recall": total["hit"] / np.maximum(total["gold"], 1),
        "boundary F1": f1(total["hit"], total["found"], total["gold"]),
        "unit F1": f1(total["exact"], total["found_units"], total["gold_units"]),
        "cut": total["cut"] / np.maximum(total["critical"], 1),
        "glued": total["glued"] / np.maximum(total["gold_units"], 1),
    }


def table_row(counts: list[Counts]) -> dict[str, str]:
    names = [field.name for field in fields(Counts)]
    matrix = np.array([[getattr(one, name) for name in names] for one in counts])
    generator = np.random.Generator(np.random.PCG64(0))
    drawn = generator.integers(0, len(counts), size=(_DRAWS, len(counts)))
    sums = matrix[drawn].sum(axis=1)
    spread = measures({name: sums[:, index] for index, name in enumerate(names)})
    value = measures({name: matrix[:, index].sum() for index, name in enumerate(names)})
    row = {}
    for name, share in value.items():
        low, high = np.quantile(spread[name], [0.025, 0.975])
        row[name] = f"{100 * share:.1f} [{100 * low:.1f}, {100 * high:.1f}]"
    total = dict(zip(names, matrix.sum(axis=0).tolist(), strict=True))
    row["cut"] += f" ({total['cut']} of {total['critical']})"
    row["glued"] += f" ({total['glued']} of {total['gold_units']})"
    return row


def print_table(rows: dict[str, dict[str, str]]) -> None:
    heads = list(next(iter(rows.values())))
    print("| | " + " | ".join(heads) + " |\n|" + "---|" * (len(heads) + 1))
    for name, row in rows.items():
        print(f"| {name} | " + " | ".join(row[head] for head in heads) + " |")


def show(case: dict[str, Any], spans: Spans) -> None:
    """Print the gold units that were not found exactly, with what was found in their place."""
    text = case["text"]
    gold = [start for start, _ in case["units"]]
    found = starts_of(text, spans, case["optional"])
    for place in sorted(set(gold) ^ set(found)):
        fault = "glued" if place in gold else "CUT"
        print(f"{case['id']:16} {fault:5} {text[max(0, place - 50) : place]!r} | {text[place : place + 40]!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("dev", "test", "both"), default="test")
    parser.add_argument("--peers", metavar="PYTHON", default="", help="a Python that has pysbd and syntok")
    parser.add_argument("--styles", action="store_true", help="one row a style and engine")
    parser.add_argument("--show", action="store_true", help="what is wrong in the dev part")
    args = parser.parse_args()
    cases = [json.loads(line) for line in (FOLDER / "gold.jsonl").read_text("utf-8").splitlines()]
    if args.show:
        for case in cases:
            if case["part"] == "dev":
                show(case, own(case["text"]))
        return
    cases = [case for case in cases if args.part in (case["part"], "both")]
    results = {"chartcite": [count(case, own(case["text"])) for case in cases]}
    for engine in PEERS if args.peers else ():
        found = peer(args.peers, engine, cases)
        results[engine] = [count(case, spans) for case, spans in zip(cases, found, strict=True)]
    print(f"{args.part}: {len(cases)} notes, {sum(one.gold for one in results['chartcite'])} boundaries")
    print_table({name: table_row(counts) for name, counts in results.items()})
    if args.styles:
        rows = {}
        for style in dict.fromkeys(case["style"] for case in cases):
            for name, counts in results.items():
                rows[f"{style}, {name}"] = table_row(
                    [one for one, case in zip(counts, cases, strict=True) if case["style"] == style]
                )
        print_table(rows)
    if not args.peers:
        print("skipped: " + ", ".join(PEERS) + " (give --peers a Python that has them)", file=sys.stderr)


if __name__ == "__main__":
    main()
