"""One large collection: build time, disk, memory and latency from 10,000 to 1,000,000 passages of synthetic text.

    python benchmarks/large.py FOLDER [--sizes 10000 30000 100000 300000 1000000] [--hnsw 100000] [--tantivy 100000]

Text: 80 words a passage from a vocabulary of 200,000 with Zipf-Mandelbrot frequencies, 1 / (rank + 2.7) ** 1.05; the
150 most frequent stand for stop words and are no terms. Ten passages a document, one document in ten is of the type
that the filter allows. A query's seven terms are drawn from the distinct words of one passage.

Vectors, 384 dimensions: a direction common to all, plus one of 4,000 topics, plus noise of the passage itself, with
weights that give cosines of about .40 between topics and .65 within one, as sentence encoders do. The spectrum of
topics and noise falls as 1 / sqrt(rank), so that some dimensions say more than others. Queries are new draws.

A store is written with plain SQL (no models), everything after that is what `chartcite ingest` and `search` run. Each
step is a process of its own. Needs matplotlib for the plot, usearch and tantivy for the comparisons.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chartcite.core.neural import EncodedQuery
from chartcite.core.scope import Scope
from chartcite.core.stored import Recipe
from chartcite.index.large.build import build
from chartcite.index.large.collection import LargeIndex
from chartcite.index.large.files import load
from chartcite.index.lexical import Bm25
from chartcite.retrieval.fusion import reciprocal_rank_fusion
from chartcite.store.beside import stem
from chartcite.store.database import FILE
from chartcite.store.store import Store

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chartcite.index.ranking import Scored
    from chartcite.store.reader import PartitionReader

RECIPE, SCOPE = Recipe("synthetic", "synthetic", "synthetic@1"), Scope.collection("synthetic")
WORDS, STOP_WORDS, VOCABULARY = 80, 150, 200_000
DIMS, TOPICS = 384, 4_000
PER_DOCUMENT, QUERIES, DEPTH, TERMS = 10, 100, 100, 7
BATCH = 10_000
RESULTS = Path(__file__).parent / "results"


class Synthetic:
    """Batches of passages; the first n are the same for every size."""

    def __init__(self) -> None:
        weights = 1 / (np.arange(1, VOCABULARY + 1) + 2.7) ** 1.05
        self._cumulative = np.cumsum(weights / weights.sum())
        rng = np.random.default_rng(1)
        self._spectrum = (1 / np.sqrt(np.arange(1, DIMS + 1))).astype(np.float32)
        self._turn = np.linalg.qr(rng.standard_normal((DIMS, DIMS)))[0].astype(np.float32)
        self._common = _unit(rng.standard_normal((1, DIMS)).astype(np.float32))
        self._topics = _unit(self._noise(rng, TOPICS))

    def batch(self, number: int, n: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Word ranks, int64 [n, WORDS], and vectors, float32 [n, DIMS]."""
        rng = np.random.default_rng([2, number])
        words = np.searchsorted(self._cumulative, rng.random((n, WORDS)))
        return np.minimum(words, VOCABULARY - 1), self._vectors(rng, n)

    def queries(self) -> tuple[list[list[int]], NDArray[np.float32]]:
        """Terms of passages that are in no collection, and vectors."""
        rng = np.random.default_rng(3)
        words, vectors = self.batch(10**6, QUERIES)
        kept = [np.unique(w[w >= STOP_WORDS]) for w in words]
        return [rng.choice(w, min(TERMS, len(w)), replace=False).tolist() for w in kept], vectors

    def _vectors(self, rng: np.random.Generator, n: int) -> NDArray[np.float32]:
        topic = self._topics[rng.integers(TOPICS, size=n)]
        return _unit(0.63 * self._common + 0.5 * topic + 0.6 * _unit(self._noise(rng, n)))

    def _noise(self, rng: np.random.Generator, n: int) -> NDArray[np.float32]:
        return np.asarray((rng.standard_normal((n, DIMS), np.float32) * self._spectrum) @ self._turn, np.float32)


def _unit(rows: NDArray[Any]) -> NDArray[np.float32]:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def batches(n: int) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.float32]]]:
    """(first passage, words, vectors)."""
    synthetic = Synthetic()
    for number, start in enumerate(range(0, n, BATCH)):
        words, vectors = synthetic.batch(number, BATCH)  # always whole, so that sizes share their beginning
        yield start, words[: n - start], vectors[: n - start]


def fill(folder: Path, n: int) -> dict[str, Any]:
    """Write the store, and the true neighbours of the queries beside it."""
    Store(folder, create=True).close()
    start = time.perf_counter()
    connection = sqlite3.connect(folder / FILE, isolation_level=None)
    for pragma in ("synchronous=OFF", "locking_mode=EXCLUSIVE", "cache_size=-200000"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("INSERT INTO partitions VALUES (1, 'collection', 'synthetic', 1)")
    names = [f"w{rank}" for rank in range(VOCABULARY)]
    connection.execute("BEGIN")
    rows = ((rank + 1, 1, names[rank]) for rank in range(STOP_WORDS, VOCABULARY))
    connection.executemany("INSERT INTO terms VALUES (?, ?, ?)", rows)
    connection.execute("COMMIT")
    _, queries = Synthetic().queries()
    nearest, scores = np.zeros((QUERIES, 0), np.int64), np.zeros((QUERIES, 0), np.float32)
    for first, words, vectors in batches(n):
        connection.execute("BEGIN")
        _insert(connection, names, first, words, vectors)
        connection.execute("COMMIT")
        numbers = np.broadcast_to(np.arange(first, first + len(vectors)), (QUERIES, len(vectors)))
        nearest, scores = np.hstack([nearest, numbers]), np.hstack([scores, queries @ vectors.T])
        best = np.argsort(-scores, axis=1, kind="stable")[:, :DEPTH]
        nearest, scores = np.take_along_axis(nearest, best, 1), np.take_along_axis(scores, best, 1)
    connection.close()
    np.savez(folder / "truth.npz", nearest=nearest, scores=scores)
    return {"fill_s": round(time.perf_counter() - start, 1)}


def _insert(
    connection: sqlite3.Connection,
    names: Sequence[str],
    first: int,
    words: NDArray[np.int64],
    vectors: NDArray[np.float32],
) -> None:
    texts = [" ".join([names[w] for w in passage]) for passage in words.tolist()]
    counted = []
    for passage in words:
        terms, counts = np.unique(passage[passage >= STOP_WORDS], return_counts=True)
        counted.append(((terms + 1).tobytes(), counts.astype(np.uint16).tobytes()))
    documents, passages = [], []
    for at in range(0, len(texts), PER_DOCUMENT):
        mine = texts[at : at + PER_DOCUMENT]
        key = (first + at) // PER_DOCUMENT + 1
        kind = "filtered" if key % 10 == 0 else "other"
        day = f"20{key % 30:02d}-{key % 12 + 1:02d}-{key % 28 + 1:02d}"
        documents.append(
            (key, 1, f"d{key:07d}", "\n".join(mine), "", "", "", kind, day, f"{day}T00:00:00", "", "en", "current", "",
             "[]", "[]", '[[], null, "", ""]', "", "", "", "", "r")
        )  # fmt: skip
        begin = 0
        for n, text in enumerate(mine):
            passages.append((key, RECIPE.splitter, n, begin, begin + len(text), first + at + n + 1))
            begin += len(text) + 1
    numbers = range(first + 1, first + 1 + len(texts))
    digests = [np.uint64(i * 0x9E3779B97F4A7C15 % 2**64).tobytes() * 4 for i in numbers]
    marks = ",".join("?" * 22)
    connection.executemany(f"INSERT INTO documents VALUES ({marks})", documents)
    connection.executemany("INSERT INTO texts VALUES (?, 1, ?)", zip(numbers, digests, strict=True))
    connection.executemany("INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?)", passages)
    sentences = [(p[0], p[2], p[3], p[4], "text", "[]") for p in passages]
    connection.executemany("INSERT INTO sentences VALUES (?, ?, ?, ?, ?, ?)", sentences)
    connection.executemany(
        "INSERT INTO postings VALUES (?, ?, ?, ?)",
        [(number, RECIPE.analyser, *pair) for number, pair in zip(numbers, counted, strict=True)],
    )
    connection.executemany(
        "INSERT INTO vectors VALUES (?, ?, ?)",
        [(number, RECIPE.encoder, row.tobytes()) for number, row in zip(numbers, vectors, strict=True)],
    )


def make(folder: Path) -> dict[str, Any]:
    """The large files, from the store."""
    begin, cpu = time.perf_counter(), time.process_time()
    with Store(folder) as store, store.read(SCOPE) as reader:
        made = build(reader, RECIPE, stem(folder, reader.incarnation, RECIPE))
    manifest = load(made).manifest
    return {
        "build_s": round(time.perf_counter() - begin, 1), "build_cpu_s": round(time.process_time() - cpu, 1),
        "build_peak_mb": _peak_mb(), "files_mb": _mb(made), "store_mb": round((folder / FILE).stat().st_size / 1e6, 1),
        "rescored": manifest["rescored"], "recall_at_10_at_build": manifest["recall_at_10"],
    }  # fmt: skip


def search(folder: Path) -> dict[str, Any]:
    """Latencies of every kind of search, recall, and memory."""
    begin = time.perf_counter()
    store = Store(folder)
    with store.read(SCOPE) as reader:
        index = LargeIndex.open(reader, RECIPE, Bm25(), stem(folder, reader.incarnation, RECIPE))
        opened = time.perf_counter() - begin
        terms, vectors = Synthetic().queries()
        queries = [
            ({f"w{t}": 1.0 for t in words}, EncodedQuery(vector, np.zeros((0, 0), np.float32)))
            for words, vector in zip(terms, vectors, strict=True)
        ]
        begin = time.perf_counter()
        allowed = index.of_documents([d.key for d in index.documents if d.note_type == "filtered"])
        masked = time.perf_counter() - begin
        kinds: dict[str, Callable[[Any], list[Scored]]] = {
            "lexical": lambda q: index.lexical_best(reader, q[0], DEPTH),
            "dense": lambda q: index.dense_best(reader, q[1], DEPTH),
            "hybrid": lambda q: _hybrid(index, reader, q, None),
            "hybrid_filtered": lambda q: _hybrid(index, reader, q, allowed),
        }
        found = {name: _timed(run, queries) for name, run in kinds.items()}
        recall = _recall(index, folder, [kinds["dense"](q) for q in queries])
    return {
        "open_s": round(opened, 2), "mask_ms": round(masked * 1e3, 1), **found, **recall, "search_peak_mb": _peak_mb(),
        "index_mb": round(index.nbytes / 1e6, 1),
    }  # fmt: skip


def _hybrid(index: LargeIndex, reader: PartitionReader, query: Any, allowed: NDArray[np.bool_] | None) -> list[Any]:
    one = index.lexical_best(reader, query[0], DEPTH, allowed)
    two = index.dense_best(reader, query[1], DEPTH, allowed)
    return reciprocal_rank_fusion([[s.passage for s in one], [s.passage for s in two]])


def _timed(run: Callable[[Any], Any], queries: Sequence[Any]) -> dict[str, float]:
    for query in queries[:10]:
        run(query)
    wall, cpu = [], []
    for query in queries:
        begin, used = time.perf_counter(), time.process_time()
        run(query)
        wall.append((time.perf_counter() - begin) * 1e3)
        cpu.append((time.process_time() - used) * 1e3)
    return {
        f"{name}_{q}_ms": round(float(np.percentile(values, q)), 2)
        for name, values in (("wall", wall), ("cpu", cpu))
        for q in (50, 95)
    }


def _recall(index: LargeIndex, folder: Path, found: Sequence[Sequence[Scored]]) -> dict[str, float]:
    nearest = np.load(folder / "truth.npz")["nearest"]
    # Passages are numbered by date; documents and spans say which one was meant.
    place = {(d, start): i for i in range(index.size) for d, start, _ in index.places(i)[:1]}
    by_document: dict[int, list[int]] = {}
    for (document, start), passage in place.items():
        by_document.setdefault(document, []).append(start << 32 | passage)
    order = {d: [v & 0xFFFFFFFF for v in sorted(values)] for d, values in by_document.items()}
    shares: dict[int, list[float]] = {10: [], DEPTH: []}
    for row, hits in zip(nearest, found, strict=True):
        true = [order[i // PER_DOCUMENT + 1][i % PER_DOCUMENT] for i in row.tolist()]
        for k, values in shares.items():
            values.append(len({h.passage for h in hits[:k]} & set(true[:k])) / k)
    return {f"recall_at_{k}": round(float(np.mean(values)), 4) for k, values in shares.items()}


def _peak_mb() -> float:
    """The most this process held, mapped files that it touched among it."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def _mb(folder: Path) -> float:
    return round(sum(f.stat().st_size for f in folder.iterdir()) / 1e6, 1)


def hnsw(n: int) -> dict[str, Any]:
    """Usearch's graph and its exact scan over the same vectors, both int8."""
    from usearch.index import Index  # noqa: PLC0415

    vectors = np.concatenate([v for _, _, v in batches(n)])
    _, queries = Synthetic().queries()
    true = np.argsort(-(queries @ vectors.T), axis=1, kind="stable")[:, :10]
    index = Index(ndim=DIMS, metric="ip", dtype="i8", connectivity=16, expansion_add=128, expansion_search=128)
    begin = time.perf_counter()
    index.add(np.arange(n), vectors, threads=1)
    built = time.perf_counter() - begin
    result: dict[str, Any] = {"passages": n, "build_s": round(built, 1), "threads": 1, "connectivity": 16}
    for ef in (64, 128, 512):
        index.expansion_search = ef
        found = [index.search(q, 10, threads=1).keys for q in queries]
        recall = np.mean([len(set(f.tolist()) & set(t.tolist())) / 10 for f, t in zip(found, true, strict=True)])
        result[f"ef_{ef}"] = {"recall_at_10": round(float(recall), 4)} | _timed(
            lambda q: index.search(q, 10, threads=1), list(queries)
        )
    return result


def tantivy_lexical(n: int, folder: Path) -> dict[str, Any]:
    """Tantivy over the same terms: one field, split at spaces, term queries under one boolean query."""
    import tantivy  # noqa: PLC0415

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body", stored=False, tokenizer_name="whitespace", index_option="freq")
    builder.add_integer_field("id", stored=True, fast=True)
    schema = builder.build()
    index = tantivy.Index(schema, path=str(folder))
    begin = time.perf_counter()
    writer = index.writer(heap_size=200_000_000, num_threads=1)
    for first, words, _ in batches(n):
        for i, passage in enumerate(words.tolist()):
            text = " ".join(f"w{w}" for w in passage if w >= STOP_WORDS)
            writer.add_document(tantivy.Document(body=text, id=first + i))
    writer.commit()
    writer.wait_merging_threads()
    built = time.perf_counter() - begin
    index.reload()
    searcher = index.searcher()
    terms, _ = Synthetic().queries()
    queries = [
        tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Should, tantivy.Query.term_query(schema, "body", f"w{t}", index_option="freq"))
                for t in words
            ]
        )
        for words in terms
    ]
    timed = _timed(lambda q: searcher.search(q, DEPTH), queries)
    return {"passages": n, "build_s": round(built, 1), "disk_mb": _mb(folder), "threads": 1, **timed}


def plot(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Latency, memory and disk against size."""
    import matplotlib as mpl  # noqa: PLC0415

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    sizes = [row["passages"] for row in rows]
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    for kind in ("lexical", "dense", "hybrid", "hybrid_filtered"):
        left.plot(sizes, [row[kind]["cpu_95_ms"] for row in rows], "o-", label=kind.replace("_", ", "))
    left.set_ylabel("processor time, 95th percentile (ms)")
    left.axhline(40, color="grey", linewidth=0.8, linestyle=":")
    left.axhline(150, color="grey", linewidth=0.8, linestyle="--")
    for name, label in (("search_peak_mb", "memory while searching"), ("files_mb", "search files")):
        right.plot(sizes, [row[name] for row in rows], "o-", label=label)
    right.set_ylabel("MB")
    for axes in (left, right):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("passages")
        axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120, metadata={"Software": None})


def _step(folder: Path, step: str, n: int) -> dict[str, Any]:
    """Run one step in a process of its own."""
    command = [sys.executable, __file__, str(folder), "--step", step, "--sizes", str(n)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, env=environment)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def _save(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    known = json.loads(path.read_text("utf-8")) if path.exists() else {"growth": []}
    change(known)
    known["growth"].sort(key=lambda row: row["passages"])
    path.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
    if known["growth"]:
        plot(known["growth"], path.with_suffix(".png"))


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 30_000, 100_000, 300_000, 1_000_000])
    parser.add_argument("--hnsw", type=int, default=0)
    parser.add_argument("--tantivy", type=int, default=0)
    parser.add_argument("--step", choices=["fill", "make", "search", "hnsw", "tantivy"])
    parser.add_argument("--keep", action="store_true", help="keep the stores")
    parser.add_argument("--out", type=Path, default=RESULTS / "large.json")
    args = parser.parse_args()
    if args.step:
        n = args.sizes[0]
        steps: dict[str, Callable[[], dict[str, Any]]] = {
            "fill": lambda: fill(args.folder, n), "make": lambda: make(args.folder),
            "search": lambda: search(args.folder), "hnsw": lambda: hnsw(n),
            "tantivy": lambda: tantivy_lexical(n, args.folder),
        }  # fmt: skip
        print(json.dumps(steps[args.step]()))
        return
    for n in args.sizes:
        folder = args.folder / str(n)
        shutil.rmtree(folder, ignore_errors=True)
        row: dict[str, Any] = {"passages": n}
        for step in ("fill", "make", "search"):
            row |= _step(folder, step, n)
            print(json.dumps(row), file=sys.stderr, flush=True)
        if not args.keep:
            shutil.rmtree(folder)
        _save(args.out, lambda known, row=row: known.update(  # type: ignore[misc]
            growth=[r for r in known["growth"] if r["passages"] != row["passages"]] + [row]
        ))  # fmt: skip
    for name, n in (("hnsw", args.hnsw), ("tantivy", args.tantivy)):
        if n:
            compared = _step(args.folder / name, name, n)
            _save(args.out, lambda known, name=name, compared=compared: known.update({name: compared}))  # type: ignore[misc]


if __name__ == "__main__":
    main()
