"""Evidence sentences on SciFact: in abstracts given, in the whole collection, and whether the grades are calibrated.

Usage: python benchmarks/evidence_scifact.py SCIFACT_FOLDER STORE [--split dev] [--claims 300] [--json OUT] [--plot OUT]

STORE is as of `benchmarks/scifact.py` (made in minutes if it is not there). Training claims shaped the grades, so
figures of `dev` are the ones that count. Two tasks, micro F1 over sentences, intervals by resampling claims:

- given: the abstracts with evidence are known (claims that have some). `given` is how `cascade/score/within.py` picks,
  `strict`, `lenient`, `weak` are grades of at least 4, 3 and 2, `all` is every sentence.
- open: everything that a search of the collection finds, for all claims, those without evidence too: grade 4 and more,
  3 and more, and the rung that `ask` would use (4 and more, or else 3 and more).

Calibration: every sentence that the cross-encoder saw in the open task, by grade.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chartcite.lab.cases import Claim
from chartcite.lab.datasets.scifact import DATASET
from chartcite.library.book import Book
from scifact import ingest
from verification.command import ended, write
from verification.evidence import Lines, evidence_figures, evidence_lines, picks_in_the_open, picks_within
from verification.reliability import lines as table
from verification.reliability import plot, reliability


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scifact", type=Path)
    parser.add_argument("store", type=Path)
    parser.add_argument("--split", default="dev", choices=("dev", "train"))
    parser.add_argument("--claims", type=int, default=10_000, help="the first so many of the split")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plot", type=Path)
    args = parser.parse_args()
    claims = [claim for claim in DATASET.claims(args.scifact) if claim.split == args.split][: args.claims]
    spans = {i.id: Lines.of(i.sentences, " ", f"{i.title}\n\n") for i in DATASET.corpus(args.scifact)}
    result = {"split": args.split, "claims": len(claims), **figures(args, claims, spans)}
    print("\n".join(evidence_lines(result["evidence_sentences"])))
    print("\n".join(table("calibration", result["calibration"])))
    if args.plot:
        plot(args.plot, {f"SciFact {args.split}": result["calibration"]})
    write(args.json, result)


def figures(args: argparse.Namespace, claims: Sequence[Claim], spans: dict[str, Lines]) -> dict[str, Any]:
    gold = {claim.id: {(e.item_id, e.sentence) for e in claim.evidence} for claim in claims}
    clusters = {claim.id: claim.id for claim in claims}
    proven = {c.id: (c.claim, tuple(dict.fromkeys(e.item_id for e in c.evidence))) for c in claims if c.evidence}
    with Book(args.store) as book:
        ingest(args.scifact, book)
        given = picks_within(book, "scifact", proven, spans)
        opened, judged = picks_in_the_open(book, "scifact", {c.id: c.claim for c in claims}, spans, gold)
    return {
        "evidence_sentences": {
            "given": {how: evidence_figures(picked, gold, clusters) for how, picked in given.items()},
            "open": {how: evidence_figures(picked, gold, clusters) for how, picked in opened.items()},
        },
        "calibration": reliability(judged),
    }


if __name__ == "__main__":
    ended(main)
