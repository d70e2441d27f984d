"""Recall on whole records, what else is hidden, and whether everything comes back.

Usage: python benchmarks/deid_records.py [demo|longchart] [--split dev|test|all] [--seed N] [--scale X] [--show-errors]

Each record is hidden as it would be before a remote call: with a secret, and with what the record says of its own
names. Recall, over-hiding and precision are counted by the places that were hidden. `canaries`: gold strings of names,
numbers and places that still stand in the hidden texts. `back`: notes that `restore` gives back to the letter.
Intervals are Wilson's, 95 %; mentions are taken as independent, though those of one patient repeat each other.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter

from chartcite.deid.deidentifier import Deidentifier
from chartcite.deid.known import read_record
from deid import line, show
from deidentification.records import Record, demo, longchart
from deidentification.scores import Tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", choices=("demo", "longchart"))
    parser.add_argument("--split", choices=("dev", "test", "all"), default="dev")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--scale", type=float, default=0.25)
    parser.add_argument("--show-errors", action="store_true")
    args = parser.parse_args()
    found = demo() if args.data == "demo" else longchart(args.split, args.seed, args.scale)
    tally, back, notes, canaries, took = Tally(), 0, 0, Counter[str](), 0.0
    for record in found:
        start = time.perf_counter()
        hider = _hider(record)
        for item in record.items:
            hidden = hider.hide(item.text)
            tally.add(item, [(s.start, s.end) for s in hidden.spans])
            back += hider.restore(hidden.text) == item.text
            notes += 1
            names = {item.text[g.start : g.end] for g in item.gold if g.kind != "date"}
            canaries.update(n for n in names if re.search(rf"(?<!\w){re.escape(n)}(?!\w)", hidden.text))
        took += time.perf_counter() - start
    print(
        f"{args.data}: {len(found)} patients, {notes} notes,"
        f" {took * 1000 / notes:.1f} ms a note (hidden, checked, restored)"
    )
    show(tally)
    print(f"  back      {line(back, notes)}")
    print(f"  canaries  {canaries.total()} in {notes} notes")
    if args.show_errors and args.split != "test":
        for row, count in Counter(tally.missed + tally.spilled).most_common(80):  # type: ignore[operator]
            print("  ", count, *(part.replace("\n", "¶") for part in row), sep=" | ")


def _hider(record: Record) -> Deidentifier:
    texts = [item.text for item in record.items]
    return Deidentifier(b"benchmark " + record.patient_id.encode(), read_record(texts, [record.patient_id]))


if __name__ == "__main__":
    main()
