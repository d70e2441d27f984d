"""Texts that the encoder cannot read: when that is so, and what then counts."""

from __future__ import annotations

import pytest

from chartcite.core.retrieval import SearchSettings
from chartcite.retrieval.unread import DENSE_SHARE, for_unread, is_unread


@pytest.mark.parametrize(
    ("portuguese", "languages", "unread"),
    [
        (1.0, ("en",), True), (0.6, ("en",), True), (0.4, ("en",), False), (0.0, ("en",), False),
        (1.0, ("en", "pt"), False), (1.0, (), False), (0.0, ("pt",), True),
    ],
)  # fmt: skip
def test_most_texts_decide(portuguese: float, languages: tuple[str, ...], unread: bool) -> None:
    assert is_unread(portuguese, languages) is unread


def test_dense_counts_half_and_late_interaction_is_left_out() -> None:
    found = for_unread(SearchSettings(weights={"dense": 3.0, "lexical": 2.0}))
    assert (found.rerank, found.weight("dense"), found.weight("lexical")) == ("none", 3.0 * DENSE_SHARE, 2.0)
