"""How the rules choose among options and cut spans, on longchart's questions in those forms, by kind.

Usage: python benchmarks/forms.py FOLDER STORE [--split dev] [--choices N] [--spans N] [--seed 0] [--json OUT]

FOLDER and STORE as for benchmarks/longchart.py. The items are made of the split's questions by
`chartcite.lab.longchart.short_forms`; asked is a sample in which the kinds take turns. Tune on `dev`, report `test`.

- right: the right option was chosen, or the span holds the short answer where a gold sentence has it, with at most six
  words more. An abstention is wrong, except for what cannot be answered where no option says so.
- wrong: another option was chosen that the record is said to bear out; for spans: neither right nor none.
- gave up: no option, or one that says that it cannot be told or that none holds, though one does; for spans: no span.

Intervals are Wilson's, 95 %, over questions; questions of one patient are not independent.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from chartcite.lab.datafiles import read_objects
from chartcite.lab.longchart.dice import Dice
from chartcite.lab.longchart.short_forms import ChoiceItem, SpanItem, choices, spans
from chartcite.library.book import Book
from longchart import cell, figure, ingest, notes_of

MOST_EXTRA_WORDS = 6
NAMES = ("right", "wrong", "gave up")
Item = TypeVar("Item", ChoiceItem, SpanItem)


def sample(items: Sequence[Item], count: int, seed: int) -> list[Item]:
    """The kinds take turns until there are enough; in the order of the file."""
    piles: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        piles[item.kind].append(item)
    drawn = [Dice(seed, "forms", kind).shuffled(piles[kind]) for kind in sorted(piles)]
    turns = [pile[n] for n in range(max(map(len, drawn), default=0)) for pile in drawn if n < len(pile)]
    chosen = {item.id for item in turns[:count]}
    return [item for item in items if item.id in chosen]


def choose(book: Book, item: ChoiceItem) -> dict[str, Any]:
    found = book.choose(item.question, item.options, patient=item.patient_id, as_of=item.as_of)
    right = "ABCDEFGH"[item.right]
    is_right = found.chosen == right
    gave_up = found.chosen is None or found.how == "by_absence"
    return _row(item, found.chosen, is_right, gave_up and not is_right, found.reason or found.how or "")


def cut(book: Book, item: SpanItem) -> dict[str, Any]:
    found = book.span(item.question, patient=item.patient_id, as_of=item.as_of)
    if found.text is None or found.start is None or found.end is None:
        return _row(item, None, False, True, found.reason or "")
    is_right = any(
        doc_id == found.doc_id
        and found.start <= start
        and end <= found.end
        and len(found.text.split()) <= len(item.answers[0].split()) + MOST_EXTRA_WORDS
        for doc_id, start, end in item.places
    )
    return _row(item, found.text, is_right, False, found.sort or "")


def _row(item: ChoiceItem | SpanItem, said: str | None, is_right: bool, gave_up: bool, how: str) -> dict[str, Any]:
    measures = {"right": float(is_right), "wrong": float(not is_right and not gave_up), "gave up": float(gave_up)}
    return {"id": item.id, "kind": item.kind, "lang": item.lang, "said": said, "how": how, "measures": measures}


def table(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    groups: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[row["kind"]].append(row)
    ordered = {kind: groups[kind] for kind in sorted(groups)}
    ordered["not at an event"] = [r for r in rows if not r["kind"].endswith("at an event")]
    ordered["in all"] = list(rows)
    return {
        kind: {"n": len(group)} | {name: figure(r["measures"][name] for r in group) for name in NAMES}
        for kind, group in ordered.items()
    }


def show(title: str, shown: Mapping[str, Any]) -> None:
    head = f"{title}, % [95 % interval]"
    print(f"\n{head:36s}{'n':>4s}  " + "".join(f"{name:16s}" for name in NAMES).rstrip())
    for kind, row in shown.items():
        cells = "".join(f"{cell(row[name], row['n']):16s}" for name in NAMES)
        print(f"{kind:36s}{row['n']:4d}  {cells}".rstrip())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("store", type=Path)
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    parser.add_argument("--choices", type=int, default=150)
    parser.add_argument("--spans", type=int, default=150)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    rows = [row for row in read_objects(args.folder / "questions.jsonl") if row["split"] == args.split]
    asked = sample(list(choices(rows, args.seed)), args.choices, args.seed)
    cuts = sample(list(spans(rows)), args.spans, args.seed)
    start = time.perf_counter()
    with Book(args.store) as book:
        ingest(args.folder, book, notes_of(args.folder))
        chosen = [choose(book, item) for item in asked]
        print(f"{len(chosen)} choices", file=sys.stderr, flush=True)
        copied = [cut(book, item) for item in cuts]
    shown = {"choices": table(chosen), "spans": table(copied)}
    print(f"{len(chosen)} choices and {len(copied)} spans of {args.split}, seed {args.seed}")
    for title, rows_shown in shown.items():
        show(title, rows_shown)
    print(f"\n{time.perf_counter() - start:.0f} s")
    if args.json:
        result = {"split": args.split, "seed": args.seed, **shown, "rows": {"choices": chosen, "spans": copied}}
        args.json.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
