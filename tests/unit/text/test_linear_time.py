"""Hostile texts cost time in proportion to their size: twice the text, at most 2.5 times the time."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import process_time

import pytest

from chartcite.text.analyser import Analyser
from chartcite.text.sentences import split_sentences

HOSTILE = [
    "(**",
    "[**",
    "[**x.**]. ",
    "[**x\n",
    ". ",
    ". . .\n",
    "a.",
    "x",
    "x\n",
    "x. ",
    "# ",
    "- ",
    "* ",
    "1. ",
    "1. a 2. b ",
    "| ",
    "x\t",
    "x  ",
    "\r",
    "? ",
    "a.[1",
    "A:",
    "Ab\n===\n",
    "mon ",
    "Dr. ",
    ".)",
    "a-",
    "1,",
    "n't",
    "< ",
    "q.i.d.",
    "é",
]
_REPEATS = 20_000


def seconds(work: Callable[[str], object], text: str) -> float:
    gc.disable()  # what other tests have left in memory is no part of the work
    try:
        start = process_time()
        work(text)
        return process_time() - start
    finally:
        gc.enable()


@pytest.mark.parametrize("part", HOSTILE)
@pytest.mark.parametrize("work", [split_sentences, Analyser("en").terms], ids=["sentences", "terms"])
def test_time_is_linear(work: Callable[[str], object], part: str) -> None:
    work(part)
    for _ in range(3):  # a busy machine may disturb one measurement, not three
        once, twice = seconds(work, part * _REPEATS), seconds(work, part * 2 * _REPEATS)
        if twice <= 2.5 * once + 0.02:
            return
    pytest.fail(f"{once:.3f} s became {twice:.3f} s")


@pytest.mark.soak
@pytest.mark.parametrize("text", ["The patient was well. " * 230_000, "word\n" * 100_000], ids=["one line", "lines"])
def test_large_texts(text: str) -> None:
    assert seconds(split_sentences, text) < 0.000002 * len(text) + 2
