"""Search against the machine's limit and against bm25s, in one run; nothing outside is needed.

Usage: python benchmarks/peers/limits.py [--sizes 5000,50000] [--json OUT]      (bm25s is in the dev group)

Dense: one query over all float32 vectors of a partition (384 dimensions, seeded), against copying the same array with
numpy. The scan reads every byte once, the copy reads and writes them, so both are given as bytes moved a second, one
thread each, rounds in turn. Lexical: seeded texts of 80 terms from a Zipf-like vocabulary, queries of 8 terms of the
same kind; chartcite's BM25 and bm25s (method lucene, same k1 and b), both for the best 100, their scores compared.
Every time is the least of several: other work on the machine can only add to it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bm25s
import numpy as np

from chartcite.core.neural import EncodedQuery
from chartcite.core.stored import PassageArrays, Postings, Recipe
from chartcite.index.lexical import Bm25
from chartcite.index.partition import PartitionIndex
from chartcite.index.ranking import best

DIMS, TERMS, WORDS, ASKED, DEPTH, REPEATS = 384, 30_000, 80, 8, 100, 5
PARAMETERS = Bm25(1.2, 0.75)
Texts = np.ndarray[Any, np.dtype[np.int64]]
Vectors = np.ndarray[Any, np.dtype[np.float32]]


def texts(rng: np.random.Generator, n: int, words: int) -> Texts:
    """int64 [n, words]: term numbers, the frequent ones often."""
    return (TERMS ** rng.random((n, words))).astype(np.int64) - 1


def index_of(corpus: Texts, vectors: Vectors) -> PartitionIndex:
    """The arrays that a store would give for these passages."""
    n = len(corpus)
    pairs, counts = np.unique(corpus + TERMS * np.arange(n)[:, None], return_counts=True)
    terms, rows = pairs % TERMS, pairs // TERMS
    order = np.lexsort((rows, terms))
    present, first = np.unique(terms[order], return_index=True)
    postings = Postings(
        present, np.append(first, len(order)), rows[order].astype(np.int32), counts[order].astype(np.uint16)
    )
    places = np.stack([np.arange(n), np.arange(n), np.zeros(n), np.ones(n)], axis=1).astype(np.int64)
    lengths = np.full(n, corpus.shape[1], dtype=np.int32)
    keys = np.arange(n, dtype=np.int64)
    return PartitionIndex(PassageArrays(keys, vectors, postings, lengths, None, places), Recipe("", "", ""), PARAMETERS)


def seconds(step: Callable[[], object]) -> float:
    start = time.perf_counter()
    step()
    return time.perf_counter() - start


def dense(index: PartitionIndex, vectors: Vectors, rng: np.random.Generator) -> dict[str, float]:
    """Scan and copy, in turn."""
    target = np.empty_like(vectors)
    scans, copies = [], []
    for _ in range(25):
        query = EncodedQuery(rng.standard_normal(DIMS).astype(np.float32), np.zeros((0, 0), np.float32))
        scans.append(seconds(lambda query=query: index.dense_scores(query)))  # type: ignore[misc]
        copies.append(seconds(lambda: np.copyto(target, vectors)))
    scan, copy = vectors.nbytes / min(scans) / 1e9, 2 * vectors.nbytes / min(copies) / 1e9
    return {
        "mb": round(vectors.nbytes / 1e6), "scan_ms": round(1000 * min(scans), 2),
        "scan_gb_s": round(scan, 1), "copy_gb_s": round(copy, 1), "ratio": round(scan / copy, 2),
    }  # fmt: skip


def lexical(index: PartitionIndex, corpus: Texts, asked: Texts) -> dict[str, float]:
    """Percentiles of both, queries in turn; the greatest difference of their scores."""
    other = bm25s.BM25(method="lucene", k1=PARAMETERS.k1, b=PARAMETERS.b, backend="numpy")
    other.index([[str(t) for t in row] for row in corpus], show_progress=False)
    own, theirs, apart = [], [], 0.0
    for row in asked:
        query, words = dict.fromkeys(row.tolist(), 1.0), [str(t) for t in dict.fromkeys(row.tolist())]
        found: list[Any] = []
        mine_s, theirs_s = [], []
        for _ in range(REPEATS):
            mine_s.append(seconds(lambda q=query, f=found: f.append(best(index.lexical.scores(q), DEPTH))))  # type: ignore[misc]
            theirs_s.append(
                seconds(lambda w=words, f=found: f.append(other.retrieve([w], k=DEPTH, show_progress=False)))  # type: ignore[misc]
            )
        own.append(min(mine_s))
        theirs.append(min(theirs_s))
        mine = np.array([s.score for s in found[0]])
        scores = np.asarray(found[1].scores[0], dtype=np.float64)[: len(mine)]
        apart = max(apart, float(np.max(np.abs(mine - scores))))
    return {
        **{f"chartcite_p{p}_ms": round(1000 * float(np.percentile(own, p)), 3) for p in (50, 95)},
        **{f"bm25s_p{p}_ms": round(1000 * float(np.percentile(theirs, p)), 3) for p in (50, 95)},
        "ratio_p50": round(float(np.median(own) / np.median(theirs)), 2), "greatest_score_difference": round(apart, 5),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="5000,50000")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    result = {}
    for size in map(int, args.sizes.split(",")):
        rng = np.random.default_rng(0)
        vectors = rng.standard_normal((size, DIMS), dtype=np.float32)
        corpus = texts(rng, size, WORDS)
        index = index_of(corpus, vectors)
        result[size] = {
            "dense": dense(index, vectors, rng), "lexical": lexical(index, corpus, texts(rng, 200, ASKED))
        }  # fmt: skip
        print(size, json.dumps(result[size]), flush=True)
    if args.json:
        args.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
