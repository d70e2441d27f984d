"""A large collection on three nodes of OpenSearch: rate of indexing, and latency against the embedded files.

    python benchmarks/cluster_million.py FOLDER [--size 1000000] [--queries 50] [--json OUT]

Text, vectors and queries are those of `benchmarks/large.py`, whose store and files are made first, in FOLDER. The three
nodes are real processes on the loopback of this machine, and share its cores with each other and with this process: a
cluster's own machines would not. Both engines answer the same queries, depth 100; both lists are compared.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.cluster.servers.opensearch import Loopback

import large
from chartcite.core.neural import EncodedQuery
from chartcite.index.large.collection import LargeIndex
from chartcite.index.lexical import Bm25
from chartcite.index.opensearch.cluster import Cluster
from chartcite.index.opensearch.connection import Address
from chartcite.index.port import SearchIndex
from chartcite.index.ranking import Scored
from chartcite.store.beside import stem
from chartcite.store.store import Store


def run(folder: Path, size: int, asked: int) -> dict[str, Any]:
    """All of it."""
    if not (folder / "truth.npz").exists():
        shutil.rmtree(folder, ignore_errors=True)
        print(json.dumps({**large.fill(folder, size), **large.make(folder)}), flush=True)
    terms, vectors = large.Synthetic().queries()
    queries = [
        ({f"w{t}": 1.0 for t in words}, EncodedQuery(vector, np.zeros((0, 0), np.float32)))
        for words, vector in zip(terms[:asked], vectors[:asked], strict=True)
    ]
    with Loopback() as opensearch, Store(folder) as store:
        cluster = Cluster(Address(tuple(opensearch.urls), prefix="million", timeout_s=120))
        store.secret(large.SCOPE)
        with store.read(large.SCOPE) as reader:
            begin = time.perf_counter()
            fed = cluster.refresh(reader, large.RECIPE)
            seconds = time.perf_counter() - begin
            print(json.dumps({"sent": fed.sent, "seconds": round(seconds, 1)}), flush=True)
            begin = time.perf_counter()
            far = cluster.open(reader, large.RECIPE, Bm25())
            opened = time.perf_counter() - begin
            near = LargeIndex.open(
                reader, large.RECIPE, Bm25(), stem(folder, reader.incarnation, large.RECIPE)
            )  # fmt: skip
            found: dict[str, Any] = {
                "passages": size, "sent": fed.sent, "passages_per_s": round(fed.sent / seconds),
                "open_s": round(opened, 1),
                "index_mb_here": round(far.nbytes / 1e6, 1), "disk_mb_there": _disk(opensearch),
            }  # fmt: skip
            for name, ask in KINDS.items():
                one: tuple[list[float], list[list[Scored]]] = ([], [])
                many: tuple[list[float], list[list[Scored]]] = ([], [])
                for query in queries:
                    for index, (times, lists) in ((near, one), (far, many)):
                        begin = time.perf_counter()
                        lists.append(ask(index, reader, query))
                        times.append((time.perf_counter() - begin) * 1e3)
                found[name] = {
                    "embedded_ms": _percentiles(one[0]), "cluster_ms": _percentiles(many[0]),
                    "same_lists": sum(_same(a, b) for a, b in zip(one[1], many[1], strict=True)),
                    "of_embedded_s_first_10_in_cluster_s": _shared(one[1], many[1]),
                }  # fmt: skip
                print(json.dumps({name: found[name]}), flush=True)
        cluster.close()
    return found


Ask = Callable[[SearchIndex, Any, Any], list[Scored]]
KINDS: dict[str, Ask] = {
    "lexical": lambda index, reader, q: index.lexical_best(reader, q[0], large.DEPTH),
    "dense": lambda index, reader, q: index.dense_best(reader, q[1], large.DEPTH),
}


def _same(one: Sequence[Scored], other: Sequence[Scored]) -> bool:
    return [s.passage for s in one] == [s.passage for s in other]


def _shared(one: Sequence[Sequence[Scored]], other: Sequence[Sequence[Scored]]) -> float:
    shares = [
        len({s.passage for s in a[:10]} & {s.passage for s in b[:10]}) / max(len(a[:10]), 1)
        for a, b in zip(one, other, strict=True)
    ]
    return round(float(np.mean(shares)), 4)


def _percentiles(values: Sequence[float]) -> dict[str, float]:
    return {f"p{q}": round(float(np.percentile(values, q)), 1) for q in (50, 95)}


def _disk(opensearch: Loopback) -> float:
    with urllib.request.urlopen(f"{opensearch.urls[0]}/_stats/store") as answer:
        return round(float(json.load(answer)["_all"]["total"]["store"]["size_in_bytes"]) / 1e6, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    found = run(args.folder, args.size, args.queries)
    if args.json:
        args.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
