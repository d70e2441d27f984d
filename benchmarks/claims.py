"""How many wrong claims checkers accept, and how many true ones, by kind.

Usage: python benchmarks/claims.py FILE... [--checker NAME...] [--split S] [--language L]
       [--by kind|language|split|file] [--json OUT] [--show-errors]

FILE is JSONL; its form is in `verification/items.py`. Without `--checker` all of `verification/checkers.py` are shown.
A claim is accepted when the verdict is `supported`; intervals are Wilson's, 95 %, with claims taken as independent.
Milliseconds are of the check alone, without the start, on the machine as it is. No text of a claim is printed, except
by `--show-errors`: the wrong claims accepted and the true ones refused. It is for development sets: a file whose name
begins with `test`, or a row of the split `test`, is not shown.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chartcite.core.errors import UsageError
from verification.checkers import Judged, judge, named
from verification.command import ended, parser_of, show_errors, write
from verification.figures import latency, share, shown, shown_latency
from verification.items import Item, is_for_testing, read_items


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--split")
    parser.add_argument("--language")
    parser.add_argument("--by", choices=("kind", "language", "split", "file"), default="kind")
    parser.add_argument("--show-errors", action="store_true", help="print the claims gone wrong; development sets only")
    args = parser.parse_args()
    items = chosen(args)
    result: dict[str, Any] = {"files": [f.name for f in args.files], "n": len(items), "checkers": {}}
    for name, make in named(args.checker).items():
        judged = judge(make, items)
        result["checkers"][name] = report(judged, args.by)
        print(table(name, result["checkers"][name]), flush=True)
        if args.show_errors:
            show_errors(judged, len(judged))
    write(args.json, result)


def chosen(args: argparse.Namespace) -> list[Item]:
    """The items asked for.

    Raises:
        UsageError: there are none, or claims of a test set would be shown.
    """
    read = [item for path in args.files for item in read_items(path)]
    items = [i for i in read if args.split in (None, i.split) and args.language in (None, i.language)]
    if not items:
        raise UsageError("No claim is left with this split and language.", "Leave one of them out.")
    if args.show_errors and any(map(is_for_testing, items)):
        raise UsageError("The claims of a test set are not shown.", "Use --show-errors with development sets.")
    return items


def report(judged: Sequence[Judged], by: str) -> dict[str, Any]:
    """Wrong and true claims apart: by group, then all."""
    found: dict[str, Any] = {}
    for title, supported in (("wrong", False), ("true", True)):
        groups: dict[str, list[Judged]] = defaultdict(list)
        for one in judged:
            if one.item.supported == supported:
                groups[getattr(one.item, by)].append(one)
        rows = {name: figures(group) for name, group in sorted(groups.items())}
        found[title] = {"groups": rows, "all": figures([one for group in groups.values() for one in group])}
    return found | {"ms": latency([one.ms for one in judged])}


def figures(judged: Sequence[Judged]) -> dict[str, Any]:
    contradicted = sum(one.verdict == "contradicted" for one in judged)
    return share(one.accepted for one in judged) | {
        "contradicted": contradicted, "ms": latency([one.ms for one in judged])
    }  # fmt: skip


def table(name: str, found: dict[str, Any]) -> str:
    lines = [f"\n{name}", f"  {'':32} {'n':>5}  accepted % [95 %]   p50 ms   p95 ms   max ms"]
    for title in ("wrong", "true"):
        rows = [*found[title]["groups"].items(), (f"all {title}", found[title]["all"])]
        lines += [f"  {title} claims", *(row(group, figure) for group, figure in rows)]
    return "\n".join([*lines, f"  ms a claim, all: {found['ms']}"])


def row(group: str, figure: dict[str, Any]) -> str:
    return f"    {group:30} {figure['n']:5}  {shown(figure)} {shown_latency(figure['ms'])}"


if __name__ == "__main__":
    ended(main)
