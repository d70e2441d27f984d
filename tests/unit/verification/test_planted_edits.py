"""Small mechanical edits of every tuned source: none may pass as supported by the text it was made from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source

TABLE = Path(__file__).parent / "data" / "pairs_tuned.tsv"
ROWS = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
TEXTS = sorted({text for row in ROWS for text in row[3].split(" || ")})
DROPS = (
    r"no|not|denies|without|negative for|never|possible|mother|father|history of|prior|stopped|cannot exclude|rule out"
    r"|family history:|if|plan to"
)
SWAPS = [
    ("left", "right"), ("right", "left"), ("L", "R"), ("R", "L"), ("mg", "mcg"), ("mg", "g"), ("mL", "L"),
    ("daily", "BID"), ("BID", "daily"), ("<", ">"), (">", "<"), ("<", ""), ("before", "after"), ("after", "before"),
    ("days", "weeks"), ("started", "stopped"), ("stopped", "started"), ("mother", "father"), ("increased", "decreased"),
]  # fmt: skip


def numbers(text: str) -> list[float]:
    return [float(n) for n in re.findall(r"\d+(?:\.\d+)?", text)]


def digit_edits(text: str) -> list[str]:
    edits = [
        text[:i] + str((int(char) + step) % 10) + text[i + 1 :]
        for i, char in enumerate(text)
        if char in "0123456789"
        for step in (1, 3)
    ]
    return [e for e in edits if numbers(e) != numbers(text) and not set(numbers(e)) <= set(numbers(text))]


def word_edits(text: str) -> list[str]:
    edits = [text[: m.start()] + text[m.end() :] for m in re.finditer(rf"(?i)\b(?:{DROPS})(?!\w) ?", text)]
    for old, new in SWAPS:
        end = r"(?!\w)" if old[-1].isalpha() else ""
        edits.append(re.sub(rf"(?<!\w){re.escape(old)}{end}", new, text, count=1))
    return [e.strip() for e in edits if e != text and e.strip(" .")]


@pytest.mark.parametrize("text", TEXTS)
def test_no_edit_passes(text: str) -> None:
    passed = [e for e in digit_edits(text) + word_edits(text) if check_claim(e, [Source("a", text)]).verified]
    assert passed == []


@pytest.mark.parametrize("text", TEXTS)
def test_the_text_itself_passes(text: str) -> None:
    assert check_claim(text, [Source("a", text + " Seen by cardiology.")]).verified
