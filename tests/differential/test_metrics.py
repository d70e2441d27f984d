"""Metrics against ir-measures (trec_eval) and scikit-learn: 1,000 random tables each, ties and gaps included."""

from __future__ import annotations

import importlib
import random
from typing import Any

import pytest

from chartcite.lab.measured import Metric
from chartcite.lab.metrics.calibration import Calibration, reliability
from chartcite.lab.metrics.evidence import Evidence, EvidenceKey
from chartcite.lab.metrics.hit_at_k import HitAtK
from chartcite.lab.metrics.map import Map
from chartcite.lab.metrics.mrr import Mrr
from chartcite.lab.metrics.ndcg import Ndcg
from chartcite.lab.metrics.r_precision import RPrecision
from chartcite.lab.metrics.recall_at_k import RecallAtK

TABLES = 1000
DOCS = ["d1", "d10", "d2", "D2", "é", "z", "ß", "doc-9", "日本", "a"]
SCORES = [0.1, 0.1 + 1e-10, 0.2, 0.25, 1.0, -3.5, 0.0, 1e30, 7.25]

ir: Any = importlib.import_module("ir_measures")
sklearn_metrics: Any = importlib.import_module("sklearn.metrics")
sklearn_calibration: Any = importlib.import_module("sklearn.calibration")

PAIRS: list[tuple[Metric[Any, Any], str]] = [
    (RecallAtK(3), "R@3"),
    (HitAtK(2), "Success@2"),
    (Mrr(), "RR"),
    (Ndcg(10), "nDCG@10"),
    (Ndcg(2), "nDCG@2"),
    (Ndcg(None), "nDCG"),
    (Map(), "AP"),
    (Map(3), "AP@3"),
    (RPrecision(), "Rprec"),
]


def _table(rng: random.Random) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Four judged queries, grades 0 to 3; a query may lack its ranking, its relevant documents or its judgements.

    Grades below 0 are left out: on some of them pytrec_eval never returns.
    """
    qrels = {f"q{i}": {d: rng.randint(0, 3) for d in rng.sample(DOCS, rng.randint(1, 6))} for i in range(4)}
    run = {f"q{i}": {d: rng.choice(SCORES) for d in rng.sample(DOCS, rng.randint(1, 10))} for i in range(5)}
    for query in list(run):
        if rng.random() < 0.2:
            del run[query]
    return qrels, run


def test_ranking_metrics_equal_ir_measures() -> None:
    rng = random.Random(1)
    theirs = {name: ir.parse_measure(name) for _, name in PAIRS}
    seen_ties = worst = 0.0
    for _ in range(TABLES):
        qrels, run = _table(rng)
        seen_ties += any(len(set(s.values())) < len(s) for s in run.values())
        judged = [ir.Qrel(q, d, g) for q, docs in qrels.items() for d, g in docs.items()]
        ranked = [ir.ScoredDoc(q, d, s) for q, docs in run.items() for d, s in docs.items()]
        found = ir.pytrec_eval.calc(list(theirs.values()), judged, ranked)
        per_query = {(m.query_id, str(m.measure)): m.value for m in found.per_query}
        for ours, name in PAIRS:
            measured = ours.measure(qrels, run)
            key = str(theirs[name])
            for value in measured.values:
                assert value.value is not None
                worst = max(worst, abs(value.value - per_query[value.case_id, key]))
            mean = measured[ours.name].value
            assert mean is not None
            worst = max(worst, abs(mean - found.aggregated[theirs[name]]))
            assert worst < 1e-6, (name, qrels, run)
    assert seen_ties > TABLES / 2
    assert worst < 1e-12


def test_reciprocal_rank_with_a_cut_off_equals_ir_measures_without_ties() -> None:
    rng, measure = random.Random(2), ir.parse_measure("RR@3")
    for _ in range(TABLES):
        docs = rng.sample(DOCS, rng.randint(2, 9))
        run = {"q": {d: float(i) for i, d in enumerate(docs)}}
        qrels = {"q": {d: rng.randint(0, 1) for d in rng.sample(DOCS, 3)}}
        judged = [ir.Qrel("q", d, g) for d, g in qrels["q"].items()]
        ranked = [ir.ScoredDoc("q", d, s) for d, s in run["q"].items()]
        theirs = ir.calc_aggregate([measure], judged, ranked)[measure]
        assert Mrr(3).measure(qrels, run)["mrr@3"].value == pytest.approx(theirs, abs=1e-12)


def test_evidence_micro_equals_scikit_learn() -> None:
    rng = random.Random(3)
    sentences = [str(i) for i in range(8)]
    for _ in range(TABLES):
        gold = {str(c): frozenset(rng.sample(sentences, rng.randint(0, 5))) for c in range(4)}
        picked = {c: frozenset(rng.sample(sentences, rng.randint(0, 5))) for c in gold}
        found = Evidence("strict").measure({c: EvidenceKey(g) for c, g in gold.items()}, picked)
        truth = [[s in gold[c] for s in sentences] for c in gold]
        guess = [[s in picked[c] for s in sentences] for c in gold]
        p, r, f, _support = sklearn_metrics.precision_recall_fscore_support(
            truth, guess, average="micro", zero_division=0.0
        )
        for part, theirs in (("precision", p), ("recall", r), ("f1", f)):
            assert found[f"evidence.strict.micro.{part}"].value == pytest.approx(theirs, abs=1e-12)


def test_calibration_equals_scikit_learn() -> None:
    rng = random.Random(4)
    for _ in range(TABLES):
        n, bins = rng.randint(1, 60), rng.randint(1, 12)
        gold = {str(i): rng.random() < 0.5 for i in range(n)}
        probability = {c: round(rng.random(), 3) + 0.0004 * rng.random() for c in gold}
        probability = {c: min(p, 1.0) for c, p in probability.items()}
        found = Calibration(bins).measure(gold, probability)
        truth, guess = [gold[c] for c in gold], [probability[c] for c in gold]
        brier = sklearn_metrics.brier_score_loss([*truth, True, False], [*guess, 1.0, 0.0]) * (n + 2) / n
        assert found["brier"].value == pytest.approx(brier, abs=1e-12)
        share, mean = sklearn_calibration.calibration_curve(truth, guess, n_bins=bins)
        filled = [b for b in reliability(gold, probability, bins) if b.n]
        assert [b.share_right for b in filled] == pytest.approx(list(share), abs=1e-12)
        assert [b.mean_probability for b in filled] == pytest.approx(list(mean), abs=1e-12)
