"""Replies that are almost right: what each stage reads from them against what it should.

Usage: python benchmarks/replies.py [FOLDER] [--json OUT]

Without a folder the items of our own (benchmarks/model_replies/own.jsonl). FOLDER holds `replies.jsonl` with `id`,
`stage`, `raw` and `expected.json` with `id`, `expected`; 3 answer sentences and 9 sources. `FAIL`: the stage takes
nothing, and the cascade goes on to its second try and its fallback. `FAIL_OR_PARTIAL`: nothing, or what came before the
cut.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chartcite.lab.datafiles import read_objects
from model_replies.reading import FAIL, read

OWN = Path(__file__).parent / "model_replies" / "own.jsonl"
ANSWERS, SOURCES = 3, 9
Item = dict[str, Any]


def items(folder: Path | None) -> Iterator[Item]:
    """The items of a folder, or our own."""
    if folder is None:
        yield from read_objects(OWN)
        return
    expected = {item["id"]: item for item in json.loads((folder / "expected.json").read_text("utf-8"))}
    for item in read_objects(folder / "replies.jsonl"):
        yield {**item, **expected[item["id"]]}


def is_right(item: Item) -> bool:
    """Whether the stage reads from a reply what it should."""
    # A reply that its server did not finish is known to be cut off, whatever it looks like.
    is_cut = item["expected"] == "FAIL_OR_PARTIAL"
    found = read(item["stage"], item["raw"], answers=ANSWERS, sources=SOURCES, was_cut=is_cut)
    if is_cut:
        return bool(found == FAIL or found == item.get("partial", [[1, 2]]))
    wanted = item["expected"]
    if isinstance(wanted, dict) and "supported" in wanted:  # what else is said of a verdict is for people
        wanted = {"supported": wanted["supported"]}
    return bool(found == wanted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if args.folder is not None and not (args.folder / "replies.jsonl").is_file():
        sys.exit("Skipped: the folder holds no replies.jsonl.")
    rows = [
        {"id": i["id"], "stage": i["stage"], "right": is_right(i), "why": i.get("why", "")} for i in items(args.folder)
    ]
    for row in rows:
        print(f"{row['id']:>5}  {row['stage']:<6} {'right' if row['right'] else 'WRONG'}  {row['why']}")
    right = sum(row["right"] for row in rows)
    print(f"{right} of {len(rows)} right")
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1), "utf-8")
    sys.exit(0 if right == len(rows) else 1)


if __name__ == "__main__":
    main()
