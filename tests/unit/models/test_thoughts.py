"""Thinking in a reply, in every spelling that models are known to use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.models.thoughts import is_thinking, without_thoughts

SPELLINGS = [
    ("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<THINK >", "</ think>"),
    ("<think type='x'>", "</think >"),
    ("<thought>", "</thought>"), ("<thoughts>", "</thoughts>"), ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"), ("<seed:think>", "</seed:think>"), ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"), ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"), ("<unused94>thought\n", "<unused95>"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    ("<|channel|>analysis <|constrain|>json<|message|>", "<|start|>assistant<|channel|>final<|message|>"),
]  # fmt: skip


@pytest.mark.parametrize(("begin", "end"), SPELLINGS[:-1], ids=[str(n) for n in range(len(SPELLINGS) - 1)])
def test_every_spelling(begin: str, end: str) -> None:
    assert without_thoughts(f"{begin}dose 50 mg{end}dose 5 mg").strip() == "dose 5 mg"
    assert without_thoughts(f"dose 50 mg{end}dose 5 mg").strip() == "dose 5 mg"
    assert without_thoughts(f"{begin}dose 50 mg").strip() == ""
    assert without_thoughts(f"a {begin}x{end}{begin}y{end} b").replace(" ", "") == "ab"
    assert is_thinking(f"{begin}dose")
    assert not is_thinking(f"{begin}dose{end}")


@pytest.mark.parametrize(
    "text", ["INR < 2 and > 1", "[1] she thinks", "a <b> c", "think", "<thinker>", "</p>", "x <= y", '{"text": "a"}']
)
def test_other_text_stays(text: str) -> None:
    assert without_thoughts(text) == text


@given(st.text(alphabet="<>/|think ab[]", max_size=200))
def test_never_more_than_was_said(text: str) -> None:
    assert len(without_thoughts(text)) <= len(text)


def test_long_replies_take_linear_time() -> None:
    for unit in ("<think", "<|channel|>analysis", "<think>", "< ", "[THINK]", "<think a"):
        without_thoughts(unit * (200_000 // len(unit)))
