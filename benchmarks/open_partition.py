"""Opening one large record and retrieving from it, the encoding of the query left out.

    python benchmarks/open_partition.py STORE --patient ID --queries benchmarks/questions/X.txt [--json]

Opened row by row (in a copy without its pack) and from its pack; then every query, one a line, by each method without
rerank, and the cost that late interaction adds. Wall time is what a user waits, processor time what the work costs:
on a shared machine only the second can be compared. Medians and 95th percentiles of all runs, ms. The store is given a
pack if it has none; nothing else in it is changed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from chartcite.core.scope import Scope
from chartcite.index.lexical import Bm25
from chartcite.index.partition import PartitionIndex
from chartcite.library.book import Book
from chartcite.library.settings import Settings
from chartcite.retrieval.probe import Probe
from chartcite.retrieval.search import rank
from chartcite.store import reader as reading

RUNS = 15


def timed(runs: Sequence[Callable[[], object]]) -> dict[str, float]:
    """Wall and processor time of each."""
    wall, cpu = [], []
    for run in runs:
        begin, used = time.perf_counter(), time.process_time()
        run()
        wall.append((time.perf_counter() - begin) * 1e3)
        cpu.append((time.process_time() - used) * 1e3)
    return {
        f"{name}_{q}_ms": round(float(np.percentile(values, q)), 2)
        for name, values in (("wall", wall), ("cpu", cpu))
        for q in (50, 95)
    }


def opening(book: Book, scope: Scope) -> dict[str, Any]:
    """From rows and from the pack, as of now and as of a date in the middle."""
    recipe = book.engines.recipe

    def build(as_of: str = "") -> PartitionIndex:
        with book.store.read(scope, as_of) as reader:
            return PartitionIndex.build(reader, recipe, Bm25())

    book.store.pack(scope, recipe)
    index = build()
    dates = [d.sort_key for d in index.documents if d.sort_key]
    middle = dates[len(dates) // 2][:10] + "~"
    result: dict[str, Any] = {"passages": index.size, "documents": len(index.documents), "mb": index.nbytes / 1e6}
    for name, as_of in (("", ""), ("_as_of", middle)):
        result[f"pack{name}"] = timed([lambda as_of=as_of: build(as_of)] * RUNS)  # type: ignore[misc]
        with mock.patch.object(reading, "read_pack", return_value=None):
            result[f"rows{name}"] = timed([lambda as_of=as_of: build(as_of)] * RUNS)  # type: ignore[misc]
    return result


def retrieving(book: Book, scope: Scope, queries: Sequence[str]) -> dict[str, Any]:
    """Each method, and late interaction, on encoded queries."""
    engines = book.engines
    with book.store.read(scope) as reader:
        index = PartitionIndex.build(reader, engines.recipe, Bm25())
        settings = book._search(reader, index)
        probes = [book._probe(q, index, reader) for q in queries]
        for probe in probes:
            _ = probe.encoded

        def ranked(probe: Probe, rerank: str) -> object:
            how = replace(settings, rerank=rerank)
            return rank(probe, engines.method, how, lambda: engines.reranker, lambda _: "")

        kinds: dict[str, Callable[[Probe], object]] = {
            "lexical": lambda p: p.lexical_best(100), "dense": lambda p: p.dense_best(100),
            "hybrid": lambda p: ranked(p, "none"), "hybrid_and_late": lambda p: ranked(p, "fused"),
        }  # fmt: skip
        result = {}
        for name, run in kinds.items():
            for probe in probes[:5]:
                run(probe)
            result[name] = timed([lambda p=p, run=run: run(p) for p in probes for _ in range(5)])  # type: ignore[misc]
        return result


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("--patient", required=True)
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    queries = [line for line in args.queries.read_text("utf-8").splitlines() if line.strip()]
    with Book(args.store, Settings(), create=False) as book:
        scope = Scope.patient(args.patient)
        result = {"opening": opening(book, scope), "retrieving": retrieving(book, scope, queries)}
    if args.json:
        print(json.dumps(result, indent=1))
        return
    for part in result.values():
        for name, value in part.items():
            print(
                f"{name:18}", value if not isinstance(value, dict) else "  ".join(f"{k} {v}" for k, v in value.items())
            )


if __name__ == "__main__":
    main()
