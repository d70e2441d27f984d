"""Metrics that run a model of one's own, wire-tested with tiny graphs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from chartcite.core.errors import ModelRefused
from chartcite.lab.experiment.metric_names import form_of, metric_of

if TYPE_CHECKING:
    from tests.unit.models.conftest import MakeFolder

NLI = json.dumps({"labels": ["entailment", "neutral", "contradiction"], "max_tokens": 12})
GOLD = {"1": ["knee pain", "no warfarin"], "2": ["knee " * 20]}
SAID = {"1": "no knee pain", "2": "no pain"}


def test_bertscore_of_equal_texts_is_one_and_of_others_less(model_folder: MakeFolder) -> None:
    folder = model_folder()
    (folder / "bertscore.json").write_text('{"model": "tiny", "layer": 1, "baseline": null}')
    metric = metric_of(f"bertscore:{folder}")
    found = metric.measure({"1": ["warfarin 5 mg"], "2": ["warfarin 5 mg"]}, {"1": "warfarin 5 mg", "2": "no pain"})
    values = found.per_case("bertscore")
    assert values["1"] == pytest.approx(1.0)
    assert values["2"] is not None
    assert values["2"] < 0.99
    assert form_of(metric) == "BERTScore F1, tiny, layer 1, not rescaled"


@pytest.mark.parametrize("card", ["{", '{"model": "x", "layer": 0, "baseline": null}', '{"model": "x"}', "[]"])
def test_a_card_that_cannot_be_used(card: str, model_folder: MakeFolder) -> None:
    folder = model_folder()
    (folder / "bertscore.json").write_text(card)
    with pytest.raises(ModelRefused):
        form_of(metric_of(f"bertscore:{folder}"))


def test_nli_takes_the_best_reference_and_judges_no_part_of_a_pair(model_folder: MakeFolder) -> None:
    folder = model_folder(hidden=3, pooled=True, settings=NLI)
    for name in ("nli_precision", "nli_consistency"):
        metric = metric_of(f"{name}:{folder}")
        each = [metric.measure({"1": [ref]}, SAID)[name].value for ref in GOLD["1"]]
        found = metric.measure(GOLD, SAID)
        assert found.per_case(name)["1"] == max(v for v in each if v is not None)
        assert found.per_case(name)["2"] is None
        assert found[name].n == 1
        assert "longer" in {v.case_id: v.reason for v in found.values}["2"]
        assert folder.name in form_of(metric)


def test_consistency_wants_a_label_of_contradiction(model_folder: MakeFolder) -> None:
    folder = model_folder(hidden=1, pooled=True, settings='{"labels": ["entailment"]}')
    with pytest.raises(ModelRefused, match="contradiction"):
        metric_of(f"nli_consistency:{folder}").measure({"1": ["pain"]}, {"1": "pain"})
    assert metric_of(f"nli_precision:{folder}").measure({"1": ["pain"]}, {"1": "pain"})["nli_precision"].value


def test_alignscore_runs_a_folder(model_folder: MakeFolder) -> None:
    folder = model_folder(hidden=3, pooled=True, settings=NLI)
    (folder / "alignscore.json").write_text('{"checkpoint": "tiny"}')
    metric = metric_of(f"alignscore:{folder}")
    value = metric.measure({"1": ["knee pain . no warfarin ."]}, {"1": "knee pain ."})["alignscore"].value
    assert value is not None
    assert 0 < value < 1
    assert "tiny" in form_of(metric)
