"""How much of what identifies somebody is found, and how much else is taken for it.

Usage: python benchmarks/deid.py [--finder NAME]... [--split dev|test|all] [--language en|pt] [--show-errors]

Recall: mentions hidden in every letter and figure. Over-hiding: tokens that identify nobody and are hidden all the
same.
Precision: of the hidden tokens those that identify. Intervals are Wilson's, 95 %; mentions of a line are taken as
independent. `--show-errors` prints texts and is for the development half only.
"""

from __future__ import annotations

import argparse
import time

from chartcite.lab.statistics.proportion import wilson
from deidentification.finders import FINDERS
from deidentification.items import hand_made
from deidentification.scores import Tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--finder", action="append", choices=tuple(FINDERS))
    parser.add_argument("--split", choices=("dev", "test", "all"), default="dev")
    parser.add_argument("--language", choices=("en", "pt"))
    parser.add_argument("--show-errors", action="store_true")
    args = parser.parse_args()
    items = [i for i in hand_made(args.split) if args.language in (None, i.lang)]
    for name in args.finder or ["chartcite"]:
        find = FINDERS[name]()
        tally, start = Tally(), time.perf_counter()
        for item in items:
            tally.add(item, find(item.text))
        took = time.perf_counter() - start
        print(f"{name}: {len(items)} lines, {took * 1000 / len(items):.1f} ms a line")
        show(tally)
        if args.show_errors and args.split == "dev":
            for row in tally.missed + tally.spilled:
                print("  ", *row, sep=" | ")


def show(tally: Tally) -> None:
    """A table: recall by kind, then all, over-hiding and precision."""
    for kind in sorted(tally.gold):
        print(f"  {kind:9} {line(tally.hidden[kind], tally.gold[kind])}")
    print(f"  all       {line(tally.hidden.total(), tally.gold.total())}")
    print(f"  over      {line(tally.over, tally.plain)}")
    print(f"  precision {line(tally.right, tally.right + tally.over)}")


def line(count: int, n: int) -> str:
    """`41/43 .953 [.845, .987]`."""
    found = wilson(count, n)
    return f"{count}/{n} {found.value:.3f} [{found.low:.3f}, {found.high:.3f}]" if n else f"{count}/0"


if __name__ == "__main__":
    main()
