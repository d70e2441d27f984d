"""How the rules pipeline answers the gold questions of the demo records.

This set is for development: rules were written with it in view, so its figures show what works, not how well it
generalises.

Usage: python benchmarks/demo_gold.py [--verbose]
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter, defaultdict
from importlib.resources import files
from pathlib import Path
from typing import Any

from chartcite.core.answer import Answer
from chartcite.library.book import Book

GOLD = Path(__file__).parents[1] / "tests/golden/demo_gold.json"
DEMO = Path(str(files("chartcite"))) / "demo"


def ingest_demo(book: Book) -> None:
    book.ingest(DEMO / "records", patient_from_folder=True)
    book.ingest(DEMO / "articles", collection="demo-articles")


def fold(text: str) -> str:
    return " ".join(text.split())


def judge(item: dict[str, Any], answer: Answer) -> str:
    """right, wrong (cites what it must not, or only other things), missed (abstained), false_answer."""
    if not item["answerable"]:
        return "right" if answer.abstained else "false_answer"
    if answer.abstained:
        return "missed"
    cited = [(c.doc_id, fold(c.quote)) for c in answer.citations]
    forbidden = [fold(t) for t in item["must_not_cite"]]
    if any(f in quote for f in forbidden for _, quote in cited):
        return "forbidden"
    gold = [fold(g["quote"]) for g in item["gold"]]
    return "right" if any(g in q or q in g for g in gold for _, q in cited) else "wrong"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    by_kind: dict[str, Counter[str]] = defaultdict(Counter)
    cited = right_first = 0
    with tempfile.TemporaryDirectory() as folder, Book(Path(folder)) as book:
        ingest_demo(book)
        for item in json.loads(GOLD.read_text("utf-8")):
            where = {k: item[k] for k in ("patient", "collection") if item.get(k)}
            answer = book.ask(item["question"], **where)
            outcome = judge(item, answer)
            by_kind[item["kind"]][outcome] += 1
            cited += len(answer.citations)
            gold = [fold(g["quote"]) for g in item["gold"]]
            right_first += sum(any(g in fold(c.quote) or fold(c.quote) in g for g in gold) for c in answer.citations)
            if args.verbose and outcome != "right":
                names = [f["name"] for f in answer.fallbacks]
                print(f"{outcome:12s} {item['id']} [{answer.kind}] {item['question']}")
                print(f"    gold: {gold}\n    got:  {answer.text or answer.reason} {names}")
    total = sum(by_kind.values(), Counter())
    for kind, counts in sorted(by_kind.items()):
        print(f"{kind:12s} {counts['right']:3d} of {counts.total():3d}   {dict(counts)}")
    print(f"all          {total['right']:3d} of {total.total():3d}   {dict(total)}")
    print(f"citations that are gold: {right_first} of {cited}")


if __name__ == "__main__":
    main()
