"""Fit the evidence grades: points, their calibration for claims and for questions, and evidence in given documents.

Usage: python scripts/fit_evidence_grades.py SCIFACT STORE LONGCHART LONGCHART_STORE [--claims 200] [--questions 160]
           [--given 130] [--rows FILE]

SCIFACT holds corpus.jsonl.gz and claims_train.jsonl (training claims only are read), LONGCHART comes from `chartcite
lab generate longchart` (questions of its dev split only are read); the stores are as `benchmarks/scifact.py` and
`benchmarks/longchart.py` make them. Labels are rationale sentences, and gold sentences of an answer; sentences that
state another day's value of what was asked are left out of the fit. Writes src/chartcite/cascade/score/data/grades.json
with the weights and a report of folds (claims or questions held out, five folds). Deterministic.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.interpret.rules import interpret
from chartcite.cascade.passages import ranked
from chartcite.cascade.score.grades import load_grades
from chartcite.cascade.score.rules import cheap_points, shown
from chartcite.cascade.trace import Trace
from chartcite.core.retrieval import Hit, Place
from chartcite.core.scope import Scope
from chartcite.lab.datafiles import read_objects
from chartcite.library.book import Book
from chartcite.retrieval.candidates import Bookshelf, Candidate, candidates

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
import longchart

OUT = Path(__file__).parents[1] / "src/chartcite/cascade/score/data/grades.json"
COMBINATION = (1.0, 30.0, 4.0, -0.3)
"""Points of a logit, of late interaction, of coverage and of the logarithm of the passage's rank.

Set by hand where claims and questions agree: the claims' MAP is flat from 20 to 80 for the second and from 2 to 10 for
the third, the questions' best at 30-50 and 4-10; rank helps claims (+.015 at -0.3) and hurts questions beyond -0.3.
"""
READ = 64
"""Sentences of a query that are fitted on, twice what the cross-encoder reads in use."""
FOLDS = 5
LOGIT, LATE, COVERAGE, RANK, GOLD, QUERY = range(6)
Rows = NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("scifact", "store", "longchart", "longchart_store"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--claims", type=int, default=200)
    parser.add_argument("--questions", type=int, default=160)
    parser.add_argument("--given", type=int, default=130)
    parser.add_argument("--rows", type=Path, help="keep the rows here, and fit on them again if they are there")
    args = parser.parse_args()
    if args.rows and args.rows.exists():
        saved = np.load(args.rows)
        claims, given, asked = saved["claims"], saved["given"], saved["asked"]
    else:
        claims, given = of_claims(args.scifact, args.store, args.claims, args.given)
        asked = of_questions(args.longchart, args.longchart_store, args.questions)
        if args.rows:
            np.savez_compressed(args.rows, claims=claims, given=given, asked=asked)
    write(claims, given, asked)


def of_claims(folder: Path, store: Path, count: int, given: int) -> tuple[Rows, Rows]:
    """Rows of a search for each claim, and rows of all sentences of each abstract that is its evidence."""
    corpus = {d["_id"]: d["sentences"] for d in read_objects(folder / "corpus.jsonl.gz")}
    claims = list(read_objects(folder / "claims_train.jsonl"))
    found: list[list[float]] = []
    inside: list[list[float]] = []
    with Book(store) as book:
        for claim in claims[:count]:
            found += _rows(
                book, Scope.collection("scifact"), claim["claim"], (), _rationale(claim, corpus), claim["id"]
            )
        for claim in [c for c in claims if c["evidence"]][:given]:
            for doc in claim["evidence"]:
                own = _rows(
                    book, Scope.collection("scifact"), claim["claim"], (doc,), _rationale(claim, corpus), len(inside)
                )
                inside += own
    return np.array(found), np.array(inside)


def _rationale(claim: dict[str, Any], corpus: dict[str, Sequence[str]]) -> Any:
    gold = {
        (doc, " ".join(corpus[doc][i].split()))
        for doc, sets in claim["evidence"].items()
        for one in sets
        for i in one["sentences"]
    }

    def label(doc_id: str, candidate: Candidate) -> float:
        text = " ".join(candidate.text.split())
        return float(any(doc == doc_id and (text in sentence or sentence in text) for doc, sentence in gold))

    return label


def of_questions(folder: Path, store: Path, count: int) -> Rows:
    """Rows of a search for each question of the dev split."""
    notes = longchart.notes_of(folder)
    found: list[list[float]] = []
    with Book(store) as book:
        for n, (_, q) in enumerate(longchart.sample(longchart.questions_of(folder, "dev", ""), count, 0)):
            texts = {note.doc_id: note.text for note in notes[q.patient_id]}

            def label(doc_id: str, c: Candidate, q: Any = q, texts: dict[str, str] = texts) -> float:
                spans = [s for s in q.gold if s.part >= 0]
                if longchart.shared(doc_id, c.start, c.end, spans, texts[doc_id]):
                    return 1.0
                return -1.0 if longchart.shared(doc_id, c.start, c.end, q.must_not_cite, texts[doc_id]) else 0.0

            found += _rows(book, Scope.patient(q.patient_id), q.text, (), label, n, q.as_of or None)
    return np.array([row for row in found if row[GOLD] >= 0])


def _rows(
    book: Book, scope: Scope, query: str, documents: Sequence[str], label: Any, number: int, as_of: str | None = None
) -> list[list[float]]:
    """Logit, late, coverage, rank, label, query number of what a query finds, or of all that some documents hold."""
    with book._open(scope, as_of) as (reader, index):
        tools, asked, shelf = book._tools(reader, index, query), interpret(query), Bookshelf(reader, index.documents)
        inquiry = Inquiry(reader, index, shelf, tools, Trace())
        probe = inquiry.probe(asked.query)
        hits = list(_given(index, documents)) or ranked(asked, probe, inquiry)
        coverage = inquiry.focus(asked, probe).coverage
        found = candidates(hits, shelf, probe, tools.encoder, coverage, lambda _: "")
        grades = load_grades()
        seen = sorted(found, key=lambda c: (-cheap_points(c, grades), c.hit_rank, c.order, c.start))[:READ]
        logits = tools.reranker().score(asked.query, [shown(c) for c in seen])
        return [
            [logit, c.late, c.coverage, c.hit_rank, label(shelf.document(c.document).doc_id, c), number]
            for c, logit in zip(seen, logits, strict=True)
        ]


def _given(index: Any, documents: Sequence[str]) -> Iterator[Hit]:
    keys = {d.key for d in index.documents if d.doc_id in documents}
    for passage in np.flatnonzero(index.of_documents(sorted(keys))).tolist() if keys else ():
        yield Hit(passage, 1, 0.0, tuple(Place(*p) for p in index.places(passage) if p[0] in keys))


def write(claims: Rows, given: Rows, asked: Rows) -> None:
    both = np.vstack([claims, asked])
    cheap = np.linalg.lstsq(np.column_stack([np.ones(len(both)), both[:, [LATE, COVERAGE]]]), both[:, LOGIT])[0]
    model, report = {}, {}
    for name, rows in (("record", asked), ("collection", claims)):
        features, y = _features(rows), rows[:, GOLD]
        held_out = _held_out(features, y, rows[:, QUERY])
        cuts = _cuts(held_out, y)
        model[name] = {"weights": _rounded(_logistic(features, y)), "cuts": cuts}
        report[name] = {
            "queries": len(np.unique(rows[:, QUERY])), "sentences": len(rows), "evidence": int(y.sum()),
            "held_out": reliability(held_out, y, cuts),
            "f1_strict": _f_beta(held_out >= cuts[2], y, 1.0), "f2_lenient": _f_beta(held_out >= cuts[1], y, 2.0),
        }  # fmt: skip
    inside = _beside_best(given, given[:, LOGIT])
    held_out = _held_out(inside, given[:, GOLD], given[:, QUERY])
    least = _best_cut(held_out, given[:, GOLD], 1.0)
    report["given"] = {
        "abstracts": len(np.unique(given[:, QUERY])), "sentences": len(given), "evidence": int(given[:, GOLD].sum()),
        "held_out_f1": _f_beta(held_out >= least, given[:, GOLD], 1.0),
        "f1_of_all": _f_beta(np.ones(len(given), bool), given[:, GOLD], 1.0),
    }  # fmt: skip
    result = {
        "combination": COMBINATION, "cheap": _rounded(cheap), **model,
        "given": {"weights": _rounded(_logistic(inside, given[:, GOLD])), "least": least},
        "report": {
            "collection": "SciFact, training claims (CC BY 4.0)", "record": "longchart, dev split (our own generator)",
            "given": "SciFact, training claims, abstracts with evidence",
            "command": "python scripts/fit_evidence_grades.py SCIFACT STORE LONGCHART LONGCHART_STORE",
            "figures": report,
        },
    }  # fmt: skip
    OUT.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    print(OUT.read_text("utf-8"))


def _features(rows: Rows) -> Rows:
    logit, late, coverage, rank = COMBINATION
    points = logit * rows[:, LOGIT] + late * rows[:, LATE] + coverage * rows[:, COVERAGE]
    return _beside_best(rows, points + rank * np.log(rows[:, RANK]))


def _beside_best(rows: Rows, points: Rows) -> Rows:
    """Points, and what is missing to the query's best."""
    best = {q: points[rows[:, QUERY] == q].max() for q in np.unique(rows[:, QUERY])}
    return np.column_stack([points, np.array([best[q] for q in rows[:, QUERY]]) - points])


def _held_out(x: Rows, y: Rows, queries: Rows) -> Rows:
    """Probabilities by models that did not see the query."""
    fold = np.unique(queries, return_inverse=True)[1] % FOLDS
    p = np.zeros(len(y))
    for n in range(FOLDS):
        p[fold == n] = _probability(x[fold == n], _logistic(x[fold != n], y[fold != n]))
    return p


def _logistic(x: Rows, y: Rows, ridge: float = 1e-2) -> Rows:
    """Newton's method; bias first."""
    design = np.column_stack([np.ones(len(x)), x])
    w = np.zeros(design.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-design @ w))
        hessian = (design * (p * (1 - p))[:, None]).T @ design + ridge * np.eye(len(w))
        w -= np.linalg.solve(hessian, design.T @ (p - y) + ridge * w)
    return w


def _probability(x: Rows, w: Rows) -> Rows:
    p: Rows = 1 / (1 + np.exp(-(w[0] + x @ w[1:])))
    return p


def _cuts(p: Rows, y: Rows) -> list[float]:
    """Grade 4 begins where F1 is best, 3 where F2 is; 2 at half of that, 5 half way from 4 to certainty."""
    strict, lenient = _best_cut(p, y, 1.0), _best_cut(p, y, 2.0)
    return [round(lenient / 2, 3), lenient, strict, round((1 + strict) / 2, 3)]


def _best_cut(p: Rows, y: Rows, beta: float) -> float:
    return max((round(c, 2) for c in np.arange(0.02, 0.71, 0.01)), key=lambda c: (_f_beta(p >= c, y, beta), -c))


def reliability(p: Rows, y: Rows, cuts: Sequence[float]) -> list[dict[str, float]]:
    """For each grade how many, the mean probability and the share of evidence."""
    bins = [(p >= low) & (p < high) for low, high in pairwise([0.0, *cuts, 1.01])]
    return [
        {
            "grade": i, "n": int(b.sum()),
            "probability": round(float(p[b].mean()), 4), "share": round(float(y[b].mean()), 4),
        }
        for i, b in enumerate(bins, start=1)
        if b.any()
    ]  # fmt: skip


def _f_beta(predicted: NDArray[np.bool_], y: Rows, beta: float) -> float:
    hit = float((predicted & (y > 0)).sum())
    return round(float((1 + beta**2) * hit / max(predicted.sum() + beta**2 * y.sum(), 1)), 4)


def _rounded(weights: NDArray[Any]) -> list[float]:
    return [round(float(w), 6) for w in weights]


if __name__ == "__main__":
    main()
