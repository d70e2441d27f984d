from __future__ import annotations

import pytest

from chartcite.facts.sides import find_sides
from chartcite.facts.tokens import expand, tokenise

CASES = [
    ("R knee pain and left hip swelling", "right:knee pain | left:hip swelling"),
    ("weakness on the right", "right:weakness on the right"),
    ("RLE swelling", "right:lower extremity swelling"),
    ("Lt ear", "left:ear"),
    ("left the hospital", ""),
    ("L 4 units R", ""),
    ("L TKA, 2 L nasal cannula, R wave", "left:tka"),
    ("R 1st MTP", "right:1st mtp"),
    ("bilateral crackles", "bilateral:crackles"),
    ("dor no joelho direito", "right:dor no joelho direito"),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_sides(text: str, expected: str) -> None:
    tokens = expand(tokenise(text))
    found = [f"{s.name}:{' '.join(t.text for t in tokens[s.first : s.last])}" for s in find_sides(tokens, text)]
    assert " | ".join(found) == expected
