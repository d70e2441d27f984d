"""Metrics that want a model: no figure without one, and the arithmetic around it."""

from __future__ import annotations

import numpy as np
import pytest

from chartcite.core.errors import ModelMissing
from chartcite.lab.experiment.metric_names import form_of, metric_of
from chartcite.lab.metrics.alignscore import alignscore
from chartcite.lab.metrics.bertscore import bertscore
from chartcite.lab.metrics.medcon import SEMANTIC_TYPES, medcon

NAMES = ("bertscore", "alignscore", "medcon", "nli_precision", "nli_consistency")


@pytest.mark.parametrize("name", NAMES)
def test_without_a_model_there_is_no_figure(name: str) -> None:
    found = metric_of(name).measure({"1": ["no pain"], "2": ["fever"]}, {"1": "no pain"})
    assert found.per_case(name) == {"1": None, "2": None}
    assert (found[name].value, found[name].n) == (None, 0)
    assert "needs" in found[name].reason
    assert form_of(metric_of(name)).startswith("no figure")


@pytest.mark.parametrize("name", ["bertscore", "alignscore"])
def test_a_folder_that_does_not_say_which_model_it_is_gives_none(name: str, tmp_path: object) -> None:
    with pytest.raises(ModelMissing):
        metric_of(f"{name}:{tmp_path}").measure({"1": ["no pain"]}, {"1": "no pain"})


def test_medcon_without_its_library_has_no_figure_even_with_a_folder() -> None:
    assert metric_of("medcon:/umls").measure({"1": ["pain"]}, {"1": "pain"})["medcon"].value is None


def test_bertscore_in_the_head() -> None:
    ours, theirs = np.array([[2.0, 0.0], [0.0, 1.0]]), np.array([[3.0, 0.0]])
    # Precision (1 + 0) / 2, recall 1.
    assert bertscore(ours, theirs) == pytest.approx(2 / 3)
    assert bertscore(ours, theirs, 0.5) == pytest.approx((2 / 3 - 0.5) / 0.5)
    assert bertscore(ours, theirs[:0]) == 0.0
    assert bertscore(ours, ours[::-1]) == pytest.approx(1.0)


def test_alignscore_takes_the_best_part_and_the_mean_over_sentences() -> None:
    asked: list[tuple[str, str]] = []

    def aligned(sentence: str, part: str) -> float:
        asked.append((sentence, part))
        return 0.9 if "fever" in sentence and "fever" in part else 0.2

    reference = "The fever resolved. " + "The knee is stiff. " * 100  # more than 350 words: two parts
    assert alignscore("The fever went. The stent was placed.", reference, aligned) == pytest.approx((0.9 + 0.2) / 2)
    assert len(asked) == 2 * 3  # parts of 101 // 2 sentences, and what is left
    assert alignscore("The fever went.", "One. Two.", lambda _s, _p: None) is None
    assert alignscore("The fever went.", " ", aligned) is None


def test_medcon_counts_terms_that_share_a_concept() -> None:
    ours = {"heart attack": frozenset({"C1"}), "pain": frozenset({"C2", "C3"})}
    theirs = {"myocardial infarction": frozenset({"C1"}), "ache": frozenset({"C3"}), "fever": frozenset({"C9"})}
    assert medcon(ours, theirs) == pytest.approx(2 * (2 / 2) * (2 / 3) / (2 / 2 + 2 / 3))
    assert medcon({}, theirs) == medcon(ours, {}) == 0.0
    assert len(set(SEMANTIC_TYPES)) == len(SEMANTIC_TYPES) == 66
