"""Which passages the retrieval finds for longchart's questions: MRR, and the share of an answer's parts at 5 and 20.

Usage: python benchmarks/longchart_passages.py FOLDER STORE [--split dev] [--questions 420] [--seed 0]
       [--with NAME=VALUE[,NAME=VALUE]]... [--json OUT]

FOLDER is what `chartcite lab generate longchart` wrote; STORE is made if it does not exist (minutes). Each --with is
one configuration; without any the default is measured. A part of an answer is found if a passage overlaps one of its
gold spans. Left out: multiple choice, and kinds whose gold is the whole record (narrative, trend, current medications).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.found import FoundPassage
from chartcite.library.settings import Settings

LEFT_OUT = {"narrative", "trend", "current_medications_as_of", "multiple_choice"}


def chosen(folder: Path, split: str, number: int, seed: int) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (folder / "questions.jsonl").open(encoding="utf-8")]
    fit = [q for q in rows if q["split"] == split and q["answerable"] and q["gold"] and q["kind"] not in LEFT_OUT]
    fit = [q for q in fit if q["lang"] == "en"]
    random.Random(seed).shuffle(fit)
    return sorted(fit[:number], key=lambda q: (q["patient_id"], q["as_of"] or "", q["id"]))


def part_ranks(found: Sequence[FoundPassage], gold: Sequence[Mapping[str, Any]]) -> list[int | None]:
    """The rank of the first passage that states each part; None where none does."""
    spans: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for span in gold:
        if span["part"] >= 0:
            spans[span["part"]].append(span)
    return [next((p.rank for p in found if any(_states(p, s) for s in part)), None) for part in spans.values()]


def _states(passage: FoundPassage, span: Mapping[str, Any]) -> bool:
    return any(
        p.doc_id == span["doc_id"] and p.start < span["end"] and span["start"] < p.end for p in passage.places
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("store", type=Path)
    parser.add_argument("--split", default="dev", choices=("dev", "test"))
    parser.add_argument("--questions", type=int, default=420)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--with", dest="configurations", action="append", default=[], metavar="NAME=VALUE,...")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if not (args.folder / "questions.jsonl").is_file():
        sys.exit(f"longchart is not in {args.folder}: this benchmark is skipped.")
    questions = chosen(args.folder, args.split, args.questions, args.seed)
    rows, encoder = {}, None
    for name in args.configurations or ["default"]:
        changed = {} if name == "default" else dict(part.split("=") for part in name.split(","))
        settings = Settings(**changed)
        engines = Engines(settings)
        if encoder is not None:
            engines.__dict__["encoder"] = encoder
        encoder = engines.encoder
        with Book(args.store, settings, engines=engines) as book:
            if not book.patients():
                book.ingest(args.folder / "notes.jsonl")
            figures = []
            for q in questions:
                found = book.search(q["question"], patient=q["patient_id"], as_of=q["as_of"])
                ranks = part_ranks(found, q["gold"])
                known = [rank for rank in ranks if rank is not None]
                figures.append(
                    (1 / min(known) if known else 0.0, *(sum(r <= k for r in known) / len(ranks) for k in (5, 20)))
                )
        mean = np.mean(figures, axis=0)
        rows[name] = {"n": len(figures), "mrr": mean[0], "parts@5": mean[1], "parts@20": mean[2]}
        print(name, {key: round(float(value), 4) for key, value in rows[name].items()}, flush=True)
    if args.json:
        args.json.write_text(json.dumps({"split": args.split, "rows": rows}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
