"""What the projection and the int8 codes of token vectors cost late interaction, against the hidden states themselves.

    python benchmarks/token_loss.py SCIFACT_FOLDER [--claims 100] [--pool 300]

The pool is the relevant abstracts of the first claims of the dev split, filled up with the first others of the corpus.
Every claim ranks the whole pool by MaxSim alone. MRR@10 and nDCG@10, and the mean difference in nDCG@10 to the hidden
states with its 95 % interval (bootstrap over claims, 10,000 samples, seed 0). The projection was fitted on other texts
(MedQuAD). One JSON object.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chartcite.models.encoder.bge_small_en import PROJECTION, PROJECTION_SHA256, SETTINGS, load
from chartcite.models.projection import Projection
from scifact import measures, qrels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]


def unit(rows: Matrix) -> Matrix:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scifact", type=Path)
    parser.add_argument("--claims", type=int, default=100)
    parser.add_argument("--pool", type=int, default=300)
    args = parser.parse_args()
    if not (args.scifact / "corpus.jsonl.gz").is_file():
        sys.exit(f"SciFact is not in {args.scifact}: this benchmark is skipped.")
    queries, gold = qrels(args.scifact, "dev")
    queries = dict(list(queries.items())[: args.claims])
    wanted = {doc for query in queries for doc in gold[query]}
    with gzip.open(args.scifact / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = {d["_id"]: d["title"] + "\n\n" + " ".join(d["sentences"]) for d in map(json.loads, lines)}
    others = [doc for doc in texts if doc not in wanted][: max(0, args.pool - len(wanted))]
    pool = sorted(wanted) + others
    encoder = load()
    encoder_folder = Path(sys.modules[load.__module__].__file__ or "").parent
    projection = Projection.load(encoder_folder / PROJECTION, PROJECTION_SHA256)
    passages = [encoder.hidden(texts[doc]) for doc in pool]
    asked = {query: encoder.hidden(SETTINGS.query_prefix + text) for query, text in queries.items()}

    # How passages are kept, how queries are put to them, bytes for 256 tokens.
    kinds: dict[str, tuple[list[Any], dict[str, Matrix], int]] = {
        "hidden states, 384 x float32": (
            [unit(h) for h in passages], {q: unit(h) for q, h in asked.items()}, 256 * 1536
        ),
        "projected, 96 x float32": (
            [projection.project(h) for h in passages], {q: projection.project(h) for q, h in asked.items()}, 256 * 384
        ),
        "codes, 96 x int8": (
            [projection.encode(h) for h in passages], {q: projection.for_query(h) for q, h in asked.items()}, 256 * 96
        ),
    }  # fmt: skip
    result, first = {}, np.zeros(0)
    for name, (kept, put, size) in kinds.items():
        found = []
        for query, tokens in put.items():
            scores = np.array([(tokens @ np.asarray(k, np.float32).T).max(axis=1).mean() for k in kept])
            ranked = [pool[i] for i in np.argsort(-scores, kind="stable")]
            found.append(measures(ranked, gold[query]))
        ndcg = np.array([m[0] for m in found])
        first = first if len(first) else ndcg
        drawn = np.random.default_rng(0).integers(len(ndcg), size=(10_000, len(ndcg)))
        low, high = np.percentile((ndcg - first)[drawn].mean(axis=1), [2.5, 97.5])
        result[name] = {
            "n": len(ndcg), "pool": len(pool), "mrr@10": round(float(np.mean([m[3] for m in found])), 4),
            "ndcg@10": round(float(ndcg.mean()), 4), "difference": round(float((ndcg - first).mean()), 4),
            "interval": [round(float(low), 4), round(float(high), 4)], "bytes_for_256_tokens": size,
        }  # fmt: skip
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
