"""`benchmarks/sentences.py`: the marked notes hold. The part that was held out is asserted in total, never shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sentences import FOLDER, count, own


@pytest.fixture(scope="module")
def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / "gold.jsonl").read_text("utf-8").splitlines()]


def test_marks_cover_each_note(cases: list[dict[str, Any]]) -> None:
    for case in cases:
        inside = "".join(case["text"][start:end] for start, end in case["units"])
        assert "".join(inside.split()) == "".join(case["text"].split())
        assert all(text == text.strip() for text in (case["text"][start:end] for start, end in case["units"]))


@pytest.mark.parametrize(("part", "cut", "glued"), [("dev", 0, 0), ("test", 13, 12)], ids=["dev", "test"])
def test_no_more_is_torn_or_glued(cases: list[dict[str, Any]], part: str, cut: int, glued: int) -> None:
    counts = [count(case, own(case["text"])) for case in cases if case["part"] == part]
    assert sum(one.cut for one in counts) <= cut
    assert sum(one.glued for one in counts) <= glued


def test_counts_of_a_cut_and_of_glue() -> None:
    case = {"text": "No pain. Slept.\nHome.", "units": [[0, 8], [9, 15], [16, 21]], "optional": []}
    whole = count(case, [(0, 21)])
    assert (whole.hit, whole.found, whole.gold, whole.exact, whole.glued) == (0, 0, 2, 0, 3)
    torn = count(case, [(0, 2), (3, 8), (9, 15), (16, 21)])
    assert (torn.hit, torn.found, torn.exact, torn.critical, torn.cut) == (2, 3, 2, 1, 1)
