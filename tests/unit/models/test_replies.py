"""Replies that are almost right: their JSON is found, their faults are told, and a refusal is no empty answer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.models.replies import read_json

GOOD = '{"sentences": [{"text": "INR was 2.1.", "sources": ["E1"]}]}'


def fits(value: Any) -> bool:
    return isinstance(value, dict) and "sentences" in value


@pytest.mark.parametrize(
    "raw",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Here it is:\n{GOOD}\nAnything [else]?",
        f'<think>Perhaps {{"sentences": []}} or [1].</think>{GOOD}',
        f"as said in [3] and {{x}}</think>{GOOD}",
        f"As source [2] says: {GOOD}",
        GOOD.replace("]}]}", "],},],}"),
        GOOD.replace('"', "'"),
        f"{GOOD}{GOOD}",
    ],
)
def test_found(raw: str) -> None:
    reading = read_json(raw, fits)
    assert reading.value == {"sentences": [{"text": "INR was 2.1.", "sources": ["E1"]}]}
    assert not reading.is_partial


@pytest.mark.parametrize(
    "raw",
    [
        "", " \n", "I am sorry, I cannot help with that.", "[5]", "[]", "{}", '{"verdict": true}', "null", "{{{{",
        f"<think>{GOOD}", "]" * 500, "[" * 5000,
    ],
)  # fmt: skip
def test_nothing_there_is_not_an_empty_answer(raw: str) -> None:
    assert read_json(raw, fits).value is None


@pytest.mark.parametrize("cut", range(18, len(GOOD) - 1))
def test_a_reply_that_was_cut_off_is_partial(cut: int) -> None:
    reading = read_json(GOOD[:cut], fits)
    assert reading.value is None or reading.is_partial


@given(st.text(alphabet='{}[]",:\\ E1`<think>/\n', max_size=200))
def test_no_text_is_an_exception(raw: str) -> None:
    read_json(raw, fits)


def test_a_mended_value_says_so() -> None:
    assert read_json(GOOD.replace('"', "'"), fits).is_mended
    assert not read_json(GOOD, fits).is_mended
    assert read_json(GOOD.replace("]}]}", "],},],}"), fits, was_cut=True).is_partial
