"""How many computed claims the rules accept: true ones, and the same with one planted edit, by form and edit.

Usage: python benchmarks/computed_claims.py [--patients N] [--first SEED] [--language en|pt] [--json OUT]
       [--show-errors N]

Claims and sentences are invented (`verification/computed_claims.py`), so they may be shown. A claim counts as accepted
when the rules verify it; intervals are Wilson's, 95 %, claims taken as independent.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from chartcite.verification.check import check_claim
from verification.checkers import Judged
from verification.command import ended, show_errors, write
from verification.computed_claims import computed_items
from verification.figures import latency, share, shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--patients", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--language", choices=("en", "pt"), default="en")
    parser.add_argument("--json", type=Path, metavar="OUT")
    parser.add_argument("--show-errors", type=int, default=0, metavar="N")
    args = parser.parse_args()
    seeds = range(args.first, args.first + args.patients)
    judged = [_judged(item) for seed in seeds for item in computed_items(seed, args.language)]
    result = report(judged)
    for title, rows in result["groups"].items():
        print(title)
        for kind, figure in rows.items():
            print(f"  {kind:32} {figure['n']:6} {shown(figure)}")
    print(result["ms"])
    show_errors(judged, args.show_errors)
    write(args.json, result)


def _judged(item: Any) -> Judged:
    began = time.perf_counter()
    found = check_claim(item.claim, item.sources)
    return Judged(item, found.verdict, 1000 * (time.perf_counter() - began))


def report(judged: list[Judged]) -> dict[str, Any]:
    """By kind, true and wrong claims apart."""
    groups: dict[str, Any] = {}
    for title, supported in (("true", True), ("wrong", False)):
        by_kind: dict[str, list[bool]] = defaultdict(list)
        for one in judged:
            if one.item.supported == supported:
                by_kind[one.item.kind].append(one.accepted)
        rows = {kind: share(flags) for kind, flags in sorted(by_kind.items())}
        groups[title] = rows | {f"all {title}": share([flag for flags in by_kind.values() for flag in flags])}
    return {"groups": groups, "ms": latency([one.ms for one in judged])}


if __name__ == "__main__":
    ended(main)
