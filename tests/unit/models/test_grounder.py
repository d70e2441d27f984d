"""A model of inference from a user's folder, wire-tested with a tiny graph: its three outputs are means over tokens."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from chartcite.core.errors import ModelMissing, ModelRefused
from chartcite.models.grounder import onnx_folder

if TYPE_CHECKING:
    from tests.unit.models.conftest import MakeFolder

NLI = '{"labels": ["entailment", "neutral", "contradiction"]}'


def test_a_probability_of_the_named_label(model_folder: MakeFolder) -> None:
    found = {}
    for label in ("entailment", "neutral", "contradiction"):
        order = [label, *(x for x in ("entailment", "neutral", "contradiction") if x != label)]
        settings = json.dumps({"labels": order})
        model = onnx_folder.load(model_folder(label, hidden=3, pooled=True, settings=settings))
        found[order.index("entailment")] = model.entailment("knee pain", "warfarin 5 mg")
    assert all(value is not None and 0 < value < 1 for value in found.values())
    assert len({round(float(v or 0), 6) for v in found.values()}) == len(found)


def test_one_output_is_a_logit_and_order_matters_not_for_a_mean(model_folder: MakeFolder) -> None:
    one = onnx_folder.load(model_folder("one", hidden=1, pooled=True, settings='{"labels": ["entailment"]}'))
    turned = onnx_folder.load(
        model_folder("turned", hidden=1, pooled=True, settings='{"labels": ["entailment"], "claim_first": true}')
    )
    first, second = (m.entailment("knee pain", "warfarin 5 mg") for m in (one, turned))
    assert first == pytest.approx(second)
    assert one.fingerprint != turned.fingerprint
    assert one.entailment("knee pain", "warfarin 5 mg") == first


def test_a_text_that_does_not_fit_is_not_judged_by_its_beginning(model_folder: MakeFolder) -> None:
    settings = NLI.replace("}", ', "max_tokens": 9}')
    model = onnx_folder.load(model_folder(hidden=3, pooled=True, settings=settings))
    assert model.entailment("knee pain", "warfarin 5 mg") is not None
    assert model.entailment("knee pain", "warfarin 5 mg " * 4) is None


@pytest.mark.parametrize(
    "settings",
    [
        "{", "[]", "{}", '{"labels": []}', '{"labels": ["yes", "no"]}', '{"labels": ["entailment", "entailment"]}',
        '{"labels": ["entailment"], "max_tokens": 2}', '{"labels": ["entailment"], "claim_first": 1}',
        '{"labels": ["entailment", 3]}', '{"labels": ["entailment"], "more": 1}', '{"labels": "entailment"}',
    ],
)  # fmt: skip
def test_settings_that_cannot_be_used(settings: str, model_folder: MakeFolder) -> None:
    with pytest.raises(ModelRefused):
        onnx_folder.load(model_folder(hidden=3, pooled=True, settings=settings))


def test_missing_settings_and_a_wrong_number_of_outputs(model_folder: MakeFolder) -> None:
    with pytest.raises(ModelMissing):
        onnx_folder.load(model_folder("bare", hidden=3, pooled=True))
    model = onnx_folder.load(model_folder("six", hidden=6, pooled=True, settings=NLI))
    with pytest.raises(ModelRefused, match="6 outputs"):
        model.entailment("knee pain", "warfarin")
