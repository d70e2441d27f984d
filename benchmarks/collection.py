"""Collections: do documents take turns, does a table fill the right cells, and how many conflicts are false?

Usage: python benchmarks/collection.py pairs SCIFACT_FOLDER [--split dev|train]      (seconds, no store)
       python benchmarks/collection.py scifact SCIFACT_FOLDER STORE [--split dev|train] [--single N] [--seed N]
       python benchmarks/collection.py medquad MEDQUAD_FOLDER STORE [--single N] [--seed N]
       with [--json OUT] [--show]

STORE holds the collection of that name (`benchmarks/scifact.py` makes the first, `benchmarks/ingest.py medquad` the
second). Every question is asked twice: documents in turns (`per_document` 1, the default), and not (0).

- coverage: the share of a question's gold documents that the answer cites. SciFact: all claims with several gold
  abstracts, and N drawn claims with one, which must not get worse; beside it, whether a rationale sentence is cited.
  MedQuAD: N drawn questions, whose gold is the answer that they belong to. An abstention covers nothing.
- table (SciFact): each claim against its gold abstracts that have rationale sentences and the four best-ranked
  abstracts that are no gold: how many cells are filled, and in the gold ones, how often from a rationale sentence.
  Whether the four others say nothing to the claim nobody has judged.
- pairs: each claim against the rationale sentences of an abstract, as if the two were documents: how many of the
  refuted claims are found to conflict with them, and how many of the supported ones, which is false.
- conflicts: how many answers show one; with --show all are printed, to be read.

Intervals: 95 %, bootstrap over questions (2,000 draws, seed 0); the difference is paired.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from chartcite.core.answer import Answer
from chartcite.core.conflict import Statement
from chartcite.library.book import Book
from chartcite.library.settings import Settings
from chartcite.verification.findings import between_documents

HARD = 4


class Question(NamedTuple):
    """A question, its gold documents, and of each the sentences that are the evidence (texts; may be none)."""

    text: str
    gold: frozenset[str]
    rationales: dict[str, list[str]]


def of_scifact(folder: Path, split: str, single: int, seed: int) -> list[Question]:
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        sentences = {str(d["_id"]): d["sentences"] for d in map(json.loads, lines)}
    claims = [json.loads(line) for line in (folder / f"claims_{split}.jsonl").open(encoding="utf-8")]
    many = [c for c in claims if len(c["cited_doc_ids"]) > 1]
    one = [c for c in claims if len(c["cited_doc_ids"]) == 1 and c["evidence"]]
    drawn = random.Random(seed).sample(one, min(single, len(one)))
    return [
        Question(
            c["claim"],
            frozenset(map(str, c["cited_doc_ids"])),
            {doc: [sentences[doc][n] for e in found for n in e["sentences"]] for doc, found in c["evidence"].items()},
        )
        for c in [*many, *drawn]
    ]


def of_medquad(folder: Path, single: int, seed: int, known: set[str]) -> list[Question]:
    with gzip.open(folder / "medquad_qa.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [d for d in map(json.loads, lines) if d["_id"] in known and d.get("answer")]
    drawn = random.Random(seed).sample(rows, single)
    return [Question(d["question"], frozenset((d["_id"],)), {}) for d in drawn]


def coverage(answer: Answer, question: Question) -> float:
    return len(question.gold & {c.doc_id for c in answer.citations}) / len(question.gold)


def largest_share(answer: Answer) -> float | None:
    cited = [s.cited for s in answer.sources]
    return max(cited) / sum(cited) if sum(cited) else None


def rationales(pairs: Sequence[tuple[Answer, Answer]], questions: Sequence[Question]) -> dict[str, Any]:
    """The share of questions for which a rationale sentence of a gold document is cited, without and with turns."""
    judged = [(pair, q) for pair, q in zip(pairs, questions, strict=True) if q.rationales]
    return (
        {"a rationale is cited": [interval([quotes_one(p[i], q) for p, q in judged]) for i in (0, 1)]} if judged else {}
    )


def quotes_one(answer: Answer, question: Question) -> float:
    wanted = {doc: [r.strip() for r in found] for doc, found in question.rationales.items()}
    return float(any(r in c.quote or c.quote.strip() in r for c in answer.citations for r in wanted.get(c.doc_id, ())))


def cited(answer: Answer) -> int:
    return sum(share.cited > 0 for share in answer.sources)


def interval(values: Sequence[float]) -> list[float]:
    draws = np.random.default_rng(0).choice(np.array(values), (2000, len(values))).mean(axis=1)
    return [round(float(np.mean(values)), 4), *(round(float(q), 4) for q in np.quantile(draws, (0.025, 0.975)))]


def compared(pairs: Sequence[tuple[Answer, Answer]], questions: Sequence[Question]) -> dict[str, Any]:
    off = [coverage(a, q) for (a, _), q in zip(pairs, questions, strict=True)]
    on = [coverage(b, q) for (_, b), q in zip(pairs, questions, strict=True)]
    both = list(zip(off, on, strict=True))
    shares = [[s for pair in pairs if (s := largest_share(pair[i])) is not None] for i in (0, 1)]
    return {
        "n": len(pairs),
        "coverage without turns": interval(off),
        "coverage with turns": interval(on),
        "difference": interval([b - a for a, b in both]),
        "better, worse": [sum(b > a for a, b in both), sum(b < a for a, b in both)],
        "documents cited": [round(float(np.mean([cited(p[i]) for p in pairs])), 3) for i in (0, 1)],
        "largest share of a document": [round(float(np.mean(s)), 3) for s in shares],
        **rationales(pairs, questions),
        "abstained": [sum(p[i].abstained for p in pairs) for i in (0, 1)],
    }  # fmt: skip


def conflicts(answers: Sequence[Answer], *, show: bool) -> dict[str, int]:
    for answer in answers if show else ():
        for row in answer.conflicts:
            print(
                f"\n{answer.question}\n  {answer.sentences[row['sentence'] - 1].text}\n  {row['quote']}\n  {row['why']}"
            )
    return {
        "answers": sum(not a.abstained for a in answers),
        "answers with a conflict": sum(bool(a.conflicts) for a in answers),
        "conflicts": sum(len(a.conflicts) for a in answers),
    }


def cells(book: Book, collection: str, questions: Sequence[Question]) -> dict[str, Any]:
    gold: list[float] = []
    right: list[float] = []
    other: list[float] = []
    for q in questions:
        ranked = [doc for doc, _ in book.rank_documents(q.text, collection=collection, depth=HARD + len(q.gold))]
        chosen = [*sorted(q.rationales), *[doc for doc in ranked if doc not in q.gold][:HARD]]
        for cell in book.table([q.text], collection=collection, documents=chosen).rows[0].cells:
            filled = cell.sentence is not None
            (gold if cell.doc_id in q.rationales else other).append(float(filled))
            if cell.sentence and cell.doc_id in q.rationales:
                right.append(float(any(r.strip() in cell.sentence.text for r in q.rationales[cell.doc_id])))
    return {
        "gold cells": len(gold), "filled": interval(gold), "from a rationale sentence, of the filled": interval(right),
        "other cells": len(other), "filled, of the others": interval(other),
    }  # fmt: skip


def pairs_judged(folder: Path, split: str) -> dict[str, list[int]]:
    """(conflicts found, pairs) by what SciFact says of the pair."""
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        sentences = {str(d["_id"]): d["sentences"] for d in map(json.loads, lines)}
    found: dict[str, list[int]] = {}
    for claim in map(json.loads, (folder / f"claims_{split}.jsonl").open(encoding="utf-8")):
        for doc, evidence in claim["evidence"].items():
            said = [Statement(sentences[doc][n]) for e in evidence for n in e["sentences"]]
            counts = found.setdefault(evidence[0]["label"], [0, 0])
            counts[0] += bool(between_documents(claim["claim"], "", said))
            counts[1] += 1
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", choices=("pairs", "scifact", "medquad"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("store", type=Path, nargs="?")
    parser.add_argument("--split", default="dev", choices=("dev", "train"))
    parser.add_argument("--single", type=int, default=50, help="how many questions with one gold document")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if not args.folder.is_dir() or (args.data != "pairs" and not (args.store and args.store.is_dir())):
        sys.exit(f"{args.folder} or the store {args.store} is not there: this benchmark is skipped.")
    if args.data == "pairs":
        print(json.dumps(pairs_judged(args.folder, args.split)))
        return
    off = Book(args.store, Settings(per_document=0), create=False)
    with off, Book(args.store, Settings(per_document=1), create=False, engines=off.engines) as on:
        found = measured(off, on, args)
    print(json.dumps(found, indent=1))
    if args.json:
        args.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


def measured(off: Book, on: Book, args: argparse.Namespace) -> dict[str, Any]:
    if args.data == "scifact":
        questions = of_scifact(args.folder, args.split, args.single, args.seed)
    else:
        with on.open_table(["?"], collection="medquad") as opened:
            known = {d.doc_id for d in opened.table.documents}
        questions = of_medquad(args.folder, args.single, args.seed, known)
    pairs: list[tuple[Answer, Answer]] = []
    for n, q in enumerate(questions, start=1):
        pairs.append((off.ask(q.text, collection=args.data), on.ask(q.text, collection=args.data)))
        print(f"\r{n} of {len(questions)}", end="", file=sys.stderr, flush=True)
    groups = {
        "several gold documents": [n for n, q in enumerate(questions) if len(q.gold) > 1],
        "one gold document": [n for n, q in enumerate(questions) if len(q.gold) == 1],
    }
    found: dict[str, Any] = {
        name: compared([pairs[n] for n in group], [questions[n] for n in group])
        for name, group in groups.items()
        if group
    }
    found["conflicts"] = conflicts([b for _, b in pairs], show=args.show)
    if args.data == "scifact":
        found["table"] = cells(on, args.data, [q for q in questions if q.rationales])
    return found


if __name__ == "__main__":
    main()
