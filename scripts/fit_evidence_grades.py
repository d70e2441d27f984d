"""Fit the evidence grades: a logistic model over logit, late interaction and coverage, and its cut points.

Usage: python scripts/fit_evidence_grades.py SCIFACT_FOLDER STORE [--claims N] [--features FILE]

SCIFACT_FOLDER holds corpus.jsonl.gz and claims_train.jsonl (training claims only are read). STORE is a store in which
the collection `scifact` holds the corpus (made here if it does not exist; minutes). Labels are the rationale sentences
of the training claims. Writes src/chartcite/cascade/score/data/grades.json with the weights and a reliability report.
Deterministic: the same data give the same file.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chartcite import pipeline
from chartcite.cascade.interpret.rules import interpret
from chartcite.cascade.score.rules import CROSS_ENCODED, Grades, cheap_score, shown
from chartcite.core.scope import Scope
from chartcite.library.book import Book
from chartcite.retrieval.candidates import Bookshelf, Candidate, candidates
from chartcite.retrieval.probe import Probe

OUT = Path(__file__).parents[1] / "src/chartcite/cascade/score/data/grades.json"
CUTS = (0.02, 0.07, 0.16, 0.40)
"""Where the grades 2-5 begin, as probabilities; 4 and 3 maximise sentence F1 and F2 on the training claims."""
COMBINATION = (1.0, 30.0, 2.0)
"""Relative weights of logit, late interaction and coverage.

Between 20 and 80 for the second the mean average precision on the training claims is flat (.565-.578), and the low end
does better on questions, which claims are not. Only bias and slope are fitted.
"""
START = Grades((0.0, 1.0, 0.0, 0.0), (0.0, 1.0, 0.3), CUTS)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("scifact", type=Path)
    arguments.add_argument("store", type=Path)
    arguments.add_argument("--claims", type=int, default=809)
    arguments.add_argument("--features", type=Path, help="fit again from the features that an earlier run saved")
    args = arguments.parse_args()
    if args.features:
        write(np.load(args.features), args.claims)
        return
    with gzip.open(args.scifact / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        corpus = {d["_id"]: d for d in map(json.loads, lines)}
    claims = [json.loads(line) for line in (args.scifact / "claims_train.jsonl").open(encoding="utf-8")][: args.claims]
    with Book(args.store) as book:
        _ingest(book, corpus)
        rows = [row for claim in claims for row in _features(book, claim, corpus)]
    data = np.array(rows)
    print(f"{len(claims)} claims, {len(data)} sentences, {int(data[:, 3].sum())} rationale sentences found")
    np.save(args.store / "evidence_features.npy", data)
    write(data, len(claims))


def _ingest(book: Book, corpus: dict[str, Any]) -> None:
    if any(p.scope.name == "scifact" for p in book.store.partitions("collection")):
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scifact.jsonl"
        with path.open("w", encoding="utf-8") as out:
            for d in corpus.values():
                text = d["title"] + "\n\n" + " ".join(d["sentences"])
                out.write(json.dumps({"doc_id": d["_id"], "title": d["title"], "text": text}) + "\n")
        book.ingest(path, collection="scifact")


def _features(
    book: Book, claim: dict[str, Any], corpus: dict[str, Any]
) -> list[tuple[float, float, float, float, float]]:
    """Rows (logit, late, coverage, is rationale, claim id) of the sentences that the cross-encoder would see."""
    gold = {
        (doc, " ".join(corpus[doc]["sentences"][i].split()))
        for doc, sets in claim["evidence"].items()
        for one in sets
        for i in one["sentences"]
    }
    with book._open(Scope.collection("scifact"), None) as (reader, index):
        tools = book._tools()
        asked = interpret(claim["claim"])
        shelf = Bookshelf(reader, index.documents)
        probe = Probe(asked.query, index, reader, tools.encoder, tools.query_terms)
        hits = pipeline._retrieve(asked, probe, shelf, tools, pipeline.Trace())
        coverage = pipeline._focus(asked, probe, tools).coverage
        found = candidates(hits, shelf, probe, tools.encoder, coverage, lambda _: "")
        seen = sorted(found, key=lambda c: (-cheap_score(c, START), c.hit_rank, c.start))[:CROSS_ENCODED]
        logits = tools.reranker().score(asked.query, [shown(c) for c in seen])
        return [
            (logit, c.late, c.coverage, float(_is_gold(c, shelf, gold)), float(claim["id"]))
            for c, logit in zip(seen, logits, strict=True)
        ]


def _is_gold(candidate: Candidate, shelf: Bookshelf, gold: set[tuple[str, str]]) -> bool:
    doc_id, text = shelf.document(candidate.document).doc_id, " ".join(candidate.text.split())
    return any(doc == doc_id and (text in sentence or sentence in text) for doc, sentence in gold)


def write(data: NDArray[np.float64], claims: int) -> None:
    combined = data[:, :3] @ np.array(COMBINATION)
    bias, slope = _logistic(combined[:, None], data[:, 3])
    full = np.array([bias, *(slope * np.array(COMBINATION))])
    cheap = _logistic(data[:, [1, 2]], data[:, 3])
    p = _probability(data[:, :3], full)
    report = {
        "data": f"SciFact training claims (CC BY 4.0), first {claims}",
        "sentences": len(data),
        "rationales": int(data[:, 3].sum()),
        "command": "python scripts/fit_evidence_grades.py SCIFACT_FOLDER STORE",
        "reliability": _reliability(p, data[:, 3]),
        "f1_strict": _f_beta(p >= CUTS[2], data[:, 3], 1.0),
        "f2_lenient": _f_beta(p >= CUTS[1], data[:, 3], 2.0),
    }
    rounded = {
        "weights": [round(float(w), 6) for w in full],
        "cheap": [round(float(w), 6) for w in cheap],
        "cuts": CUTS,
    }
    OUT.write_text(json.dumps(rounded | {"report": report}, indent=1) + "\n", "utf-8")
    print(OUT.read_text("utf-8"))


def _logistic(x: NDArray[np.float64], y: NDArray[np.float64], ridge: float = 1e-3) -> NDArray[np.float64]:
    """Newton's method; bias first."""
    design = np.column_stack([np.ones(len(x)), x])
    w = np.zeros(design.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-design @ w))
        gradient = design.T @ (p - y) + ridge * w
        hessian = (design * (p * (1 - p))[:, None]).T @ design + ridge * np.eye(len(w))
        w -= np.linalg.solve(hessian, gradient)
    return w


def _probability(x: NDArray[np.float64], w: NDArray[np.float64]) -> NDArray[np.float64]:
    p: NDArray[np.float64] = 1 / (1 + np.exp(-(w[0] + x @ w[1:])))
    return p


def _reliability(p: NDArray[np.float64], y: NDArray[np.float64]) -> list[dict[str, float]]:
    edges = [0.0, *CUTS, 1.01]
    bins = [(p >= low) & (p < high) for low, high in pairwise(edges)]
    return [
        {
            "grade": i,
            "n": int(b.sum()),
            "mean_probability": round(float(p[b].mean()), 4),
            "share_rationale": round(float(y[b].mean()), 4),
        }
        for i, b in enumerate(bins, start=1)
        if b.any()
    ]


def _f_beta(predicted: NDArray[np.bool_], y: NDArray[np.float64], beta: float) -> float:
    hit = float((predicted & (y > 0)).sum())
    precision, recall = hit / max(predicted.sum(), 1), hit / max(y.sum(), 1)
    if precision + recall == 0:
        return 0.0
    return round(float((1 + beta**2) * precision * recall / (beta**2 * precision + recall)), 4)


if __name__ == "__main__":
    main()
