"""Retrieval on SciFact: nDCG@10, R@5, R@100, MRR@10 of lexical, dense, hybrid and the default (fused late interaction).

Usage: python benchmarks/scifact.py SCIFACT_FOLDER STORE [--split dev|train] [--with NAME=VALUE,...]... [--json OUT]

Each --with is one more configuration, in place of the usual ones: `--with fusion=rrf,late_weight=1`.

SCIFACT_FOLDER holds corpus.jsonl.gz, claims_{train,dev}.jsonl and qrels.beir.test.txt. STORE is made if it does not
exist (minutes). The dev split is the 300 claims of the BEIR test set; nothing is tuned on it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "lexical": {"method": "lexical", "rerank": "none"},
    "dense": {"method": "dense", "rerank": "none"},
    "hybrid (RRF)": {"method": "hybrid", "rerank": "none", "fusion": "rrf"},
    "hybrid (convex)": {"method": "hybrid", "rerank": "none", "fusion": "convex"},
    "hybrid (RRF) + late interaction": {"method": "hybrid", "rerank": "fused", "fusion": "rrf"},
    "hybrid (convex) + late interaction (default)": {},
}


def ingest(folder: Path, book: Book) -> None:
    if any(p.scope.name == "scifact" for p in book.store.partitions("collection")):
        return
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "scifact.jsonl"
        with (
            gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines,
            path.open("w", encoding="utf-8") as out,
        ):
            for d in map(json.loads, lines):
                text = d["title"] + "\n\n" + " ".join(d["sentences"])
                out.write(json.dumps({"doc_id": d["_id"], "title": d["title"], "text": text}) + "\n")
        book.ingest(path, collection="scifact")


def qrels(folder: Path, split: str) -> tuple[dict[str, str], dict[str, set[str]]]:
    claims = [json.loads(line) for line in (folder / f"claims_{split}.jsonl").open(encoding="utf-8")]
    gold: dict[str, set[str]] = defaultdict(set)
    if split == "dev":
        for line in (folder / "qrels.beir.test.txt").open(encoding="utf-8"):
            query, _, doc, relevant = line.split()
            if int(relevant) > 0:
                gold[query].add(doc)
    else:
        for claim in claims:
            gold[str(claim["id"])] = {str(d) for d in claim["cited_doc_ids"]}
    return {str(c["id"]): c["claim"] for c in claims if gold.get(str(c["id"]))}, gold


def measures(ranked: Sequence[str], gold: set[str]) -> tuple[float, float, float, float]:
    gains = [1.0 if doc in gold else 0.0 for doc in ranked]
    dcg = sum(g / math.log2(i + 2) for i, g in enumerate(gains[:10]))
    ideal = sum(1 / math.log2(i + 2) for i in range(min(len(gold), 10)))
    first = next((1 / (i + 1) for i, g in enumerate(gains[:10]) if g), 0.0)
    return dcg / ideal, sum(gains[:5]) / len(gold), sum(gains[:100]) / len(gold), first


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scifact", type=Path)
    parser.add_argument("store", type=Path)
    parser.add_argument("--split", default="dev", choices=("dev", "train"))
    parser.add_argument("--with", dest="configurations", action="append", default=[], metavar="NAME=VALUE,...")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    configurations = {w: dict(part.split("=") for part in w.split(",")) for w in args.configurations} or CONFIGURATIONS
    if not (args.scifact / "corpus.jsonl.gz").is_file():
        sys.exit(f"SciFact is not in {args.scifact}: this benchmark is skipped.")
    queries, gold = qrels(args.scifact, args.split)
    rows, engines = {}, None
    for name, changed in configurations.items():
        settings = Settings(**changed)
        fresh = Engines(settings)
        if engines is not None:
            fresh.__dict__["encoder"] = engines.encoder
        engines = fresh
        with Book(args.store, settings, engines=engines) as book:
            ingest(args.scifact, book)
            book.rank_documents("warm up", collection="scifact")
            results, spent = [], []
            for query, text in queries.items():
                start = time.perf_counter()
                ranked = [doc for doc, _ in book.rank_documents(text, collection="scifact", depth=100)]
                spent.append(time.perf_counter() - start)
                results.append(measures(ranked, gold[query]))
        mean = np.mean(results, axis=0)
        half = 1.96 * np.std([r[0] for r in results], ddof=1) / math.sqrt(len(results))
        rows[name] = {
            "n": len(results), "ndcg@10": round(float(mean[0]), 4), "ndcg@10_half_interval": round(float(half), 4),
            "r@5": round(float(mean[1]), 4), "r@100": round(float(mean[2]), 4), "mrr@10": round(float(mean[3]), 4),
            "ms_p50": round(1000 * float(np.median(spent)), 1),
        }  # fmt: skip
        print(name, rows[name], flush=True)
    if args.json:
        args.json.write_text(json.dumps({"split": args.split, "rows": rows}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
