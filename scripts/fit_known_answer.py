"""Fit which sentences of a note an answer rests on, where it is known that the note answers.

Usage: python scripts/fit_known_answer.py [--cases 4] [--seed 7]

Fits on invented cases alone: the dev scenarios of `chartcite lab generate archehr` and the six cases of tests/data,
each scenario weighing the same; the label is `essential`, the text is what the patient asks. Features, penalty, the
least probability and the fewest sentences were chosen by leaving one scenario out; the test scenarios chose nothing.
Writes src/chartcite/cascade/score/data/known.json with a report. Deterministic.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chartcite.cascade.align.given import is_header
from chartcite.cascade.align.likeness import FEATURES, Likeness
from chartcite.cascade.score.known import USED, KnownModel
from chartcite.lab.archehr_cases import DEFAULT_SEED, generate
from chartcite.lab.datasets.archehr import read_labelled
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from ridge import fitted

ROOT = Path(__file__).parents[1]
OUT = ROOT / "src/chartcite/cascade/score/data/known.json"
PENALTY, ROUNDS = 3.0, 50
LEAST, FEWEST = 0.3, 4
COLUMNS = [FEATURES.index(name) for name in USED]


@dataclass(frozen=True, slots=True)
class Rows:
    """One case: likenesses [n, n_features] of its sentences that are no headers, and which are essential."""

    group: str
    features: NDArray[np.float64]
    gold: NDArray[np.bool_]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=4)
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    given = parser.parse_args()
    engines = Engines(Settings())
    likeness = Likeness(engines.analyse, engines.query_terms([engines.analyse]), engines.encoder, engines.reranker)
    with tempfile.TemporaryDirectory() as name:
        generate(given.cases, Path(name) / "made", given.seed)
        dev = rows_of(Path(name) / "made" / "dev", likeness) + rows_of(ROOT / "tests/data/archehr", likeness)
        test = rows_of(Path(name) / "made" / "test", likeness)
    groups = sorted({r.group for r in dev})
    left_out = [(fit([r for r in dev if r.group != g]), r) for g in groups for r in dev if r.group == g]
    model = fit(dev)
    report = {
        "fitted_on": f"invented cases, {len(dev)} of {len(groups)} scenarios (dev and tests/data)",
        "left_out": pooled(left_out),
        "test": {"cases": len(test), **pooled([(model, r) for r in test])},
        "test_all_sentences": pooled([(KnownModel(model.weights, 0.0, 0), r) for r in test]),
    }
    weights = {name: round(w, 6) for name, w in zip(USED, model.weights[1:], strict=True)}
    content = {
        "bias": round(model.weights[0], 6), "weights": weights, "least": LEAST, "fewest": FEWEST, "report": report,
    }  # fmt: skip
    OUT.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    print(json.dumps(report, indent=1))


def rows_of(folder: Path, likeness: Likeness) -> list[Rows]:
    """The cases of a folder."""
    found = []
    for one in read_labelled(folder):
        texts = {s.id: " ".join(one.case.sentence_text(s).split()) for s in one.case.sentences}
        kept = {name: text for name, text in texts.items() if not is_header(text)}
        features = likeness.of([one.case.question], list(kept.values()))[0]
        essential = one.gold.of("essential") if one.gold else ()
        found.append(Rows(one.document_id, features, np.array([name in essential for name in kept], dtype=bool)))
    return found


def fit(rows: Sequence[Rows]) -> KnownModel:
    """Ridge logistic regression by Newton's steps; every scenario has the same weight, 40 sentences."""
    x = np.concatenate([r.features[:, COLUMNS] for r in rows])
    y = np.concatenate([r.gold for r in rows]).astype(np.float64)
    sizes = Counter[str]()
    for r in rows:
        sizes[r.group] += len(r.gold)
    weight = np.concatenate([np.full(len(r.gold), 40 / sizes[r.group]) for r in rows])
    return KnownModel(fitted(x, y, weight, PENALTY, ROUNDS), LEAST, FEWEST)


def pooled(judged: Sequence[tuple[KnownModel, Rows]]) -> dict[str, float | int]:
    """Micro precision, recall and F1 of the essential sentences, in percent."""
    hits = predicted = gold = 0
    for model, r in judged:
        p = model.probabilities(r.features)
        best = np.argsort(-p, kind="stable")
        taken = [n for at, n in enumerate(best) if p[n] >= model.least or at < model.fewest]
        hits, predicted, gold = hits + int(r.gold[taken].sum()), predicted + len(taken), gold + int(r.gold.sum())
    parts = {"precision": hits / predicted, "recall": hits / gold, "f1": 2 * hits / (predicted + gold)}
    return {"essential": gold, **{name: round(100 * value, 1) for name, value in parts.items()}}


if __name__ == "__main__":
    main()
