"""Fit the alignment of given sentences: five features of a pair to a probability, and the least probabilities.

Usage: python scripts/fit_given_alignment.py [--cases 4] [--seed 7]

Fits on invented cases alone: the dev scenarios of `chartcite lab generate archehr` and the six cases of tests/data,
each scenario and each of the six weighing the same. Each note is also given three sentences of other cases' answers,
which rest on nothing in it. Features, penalty and least probabilities were chosen by leaving one scenario out; the test
scenarios chose nothing. Writes src/chartcite/cascade/align/data/given.json with a report. Deterministic.
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

from chartcite.cascade.align.given import GivenModel, chosen_links, is_header
from chartcite.cascade.align.likeness import FEATURES, Likeness
from chartcite.lab.archehr_cases import DEFAULT_SEED, generate
from chartcite.lab.datasets.archehr import read_labelled
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from ridge import fitted

ROOT = Path(__file__).parents[1]
OUT = ROOT / "src/chartcite/cascade/align/data/given.json"
PENALTY = 1.0
LEAST, LEAST_ALONE = 0.5, 0.2
FOREIGN = (1, 2, 4)
"""From which cases further on the foreign sentences come."""
ROUNDS = 50


@dataclass(frozen=True, slots=True)
class Rows:
    """One case: features [n_given, n_note, n_features], gold [n_given, n_note], and which sentences are headers.

    The first `own` given sentences are of the case's own answer, the others of other cases'.
    """

    group: str
    features: NDArray[np.float64]
    gold: NDArray[np.bool_]
    headers: NDArray[np.bool_]
    own: int


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
    model = fit(dev)
    left_out = [
        (fit([r for r in dev if r.group != group]), [r for r in dev if r.group == group])
        for group in sorted({r.group for r in dev})
    ]
    report = {
        "fitted_on": f"invented cases, {len(dev)} of {len(left_out)} scenarios (dev and tests/data)",
        "left_out": pooled([(m, r) for m, rows in left_out for r in rows]),
        "test": {"cases": len(test), **pooled([(model, r) for r in test])},
    }
    weights = {name: round(w, 6) for name, w in zip(FEATURES, model.weights[1:], strict=True)}
    content = {"bias": round(model.weights[0], 6), "weights": weights, "least": [LEAST, LEAST_ALONE], "report": report}
    OUT.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    print(json.dumps(report, indent=1))


def rows_of(folder: Path, likeness: Likeness) -> list[Rows]:
    """The cases of a folder that have an answer."""
    found, cases = [], read_labelled(folder)
    for n, one in enumerate(cases):
        note = [" ".join(one.case.sentence_text(s).split()) for s in one.case.sentences]
        ids = [s.id for s in one.case.sentences]
        others = [cases[(n + k) % len(cases)].answer_sentences for k in FOREIGN]
        foreign = [said[(n + k) % len(said)].text for k, said in zip(FOREIGN, others, strict=True) if said]
        own = [[i in (a.citations or ()) for i in ids] for a in one.answer_sentences]
        gold = own + [[False] * len(ids) for _ in foreign]
        features = likeness.of([a.text for a in one.answer_sentences] + foreign, note)
        headers = np.array([is_header(text) for text in note])
        found.append(Rows(one.document_id, features, np.array(gold, dtype=bool), headers, len(one.answer_sentences)))
    return found


def fit(rows: Sequence[Rows]) -> GivenModel:
    """Ridge logistic regression by Newton's steps; every group has the same weight, 40 pairs."""
    x = np.concatenate([r.features.reshape(-1, len(FEATURES)) for r in rows])
    y = np.concatenate([r.gold.reshape(-1) for r in rows]).astype(np.float64)
    sizes = Counter[str]()
    for r in rows:
        sizes[r.group] += r.gold.size
    weight = np.concatenate([np.full(r.gold.size, 40 / sizes[r.group]) for r in rows])
    return GivenModel(fitted(x, y, weight, PENALTY, ROUNDS), LEAST, LEAST_ALONE)


def pooled(judged: Sequence[tuple[GivenModel, Rows]]) -> dict[str, float | int]:
    """Micro precision, recall and F1 over the pairs of all cases, in percent; and how many foreign sentences linked."""
    hits = predicted = gold = foreign = linked = 0
    for model, r in judged:
        for n, (row, wanted) in enumerate(zip(model.probabilities(r.features), r.gold, strict=True)):
            links = chosen_links(np.where(r.headers, 0.0, row), model)
            if n >= r.own:
                foreign, linked = foreign + 1, linked + bool(links)
                continue
            hits += sum(bool(wanted[link.unit]) for link in links)
            predicted, gold = predicted + len(links), gold + int(wanted.sum())
    parts = {"precision": hits / predicted, "recall": hits / gold, "f1": 2 * hits / (predicted + gold)}
    percent = {name: round(100 * value, 1) for name, value in parts.items()}
    return {"links": gold, **percent, "foreign": foreign, "foreign_linked": linked}


if __name__ == "__main__":
    main()
