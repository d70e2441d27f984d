from __future__ import annotations

import pytest

from chartcite.core.documents import text_sha256
from chartcite.verification.citations import check_quote

TEXT = "EF 35 %. No edema."
HASH = text_sha256(TEXT)


@pytest.mark.parametrize(
    ("text", "start", "end", "quote", "problems"),
    [
        (TEXT, 0, 8, "EF 35 %.", ()),
        (None, 0, 8, "EF 35 %.", ("missing",)),
        ("Addendum. " + TEXT, 0, 8, "EF 35 %.", ("text changed", "quote differs", "moved")),
        ("EF 55 %. No edema.", 0, 8, "EF 35 %.", ("text changed", "quote differs", "quote gone")),
        (TEXT + " Signed.", 0, 8, "EF 35 %.", ("text changed",)),
        (TEXT, 10, 99, "No edema.", ("out of range", "moved")),
        (TEXT, -8, 8, "EF 35 %.", ("out of range", "moved")),
        (TEXT, 3, 3, "", ("out of range", "quote gone")),
        (TEXT, 0, 5, "EF 40", ("quote differs", "quote gone")),
    ],
)
def test_quote(text: str | None, start: int, end: int, quote: str, problems: tuple[str, ...]) -> None:
    assert check_quote(text, start, end, quote, HASH) == problems


def test_hash_with_prefix_and_lone_surrogate() -> None:
    assert check_quote(TEXT, 0, 2, "EF", "sha256:" + HASH.upper()) == ()
    assert check_quote("\ud800", 0, 1, "\ud800", text_sha256("\ud800")) == ()
