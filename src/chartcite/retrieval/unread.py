"""Texts in a language that the encoder does not know: its list counts half, late interaction not at all.

On Portuguese trials the bundled English encoder's late interaction costs more than the dense list gains; with the dense
list at half its weight both together are better than BM25 alone (docs/results.md, "Portuguese titles ...").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chartcite.core.retrieval import SearchSettings

UNREAD = "encoder_of_another_language"
"""The fallback: the encoder does not know the language of most texts, and its scores count less."""
DENSE_SHARE = 0.5
MOSTLY = 0.5
"""From this share of Portuguese passages on a partition counts as Portuguese."""


def is_unread(portuguese: float, encoder_languages: Sequence[str]) -> bool:
    """Whether most texts are in a language that the encoder does not know; not where it does not say what it knows.

    Args:
        portuguese: share of the partition's passages.
        encoder_languages: those that the encoder knows; none: it does not say.
    """
    language = "pt" if portuguese >= MOSTLY else "en"
    return bool(encoder_languages) and language not in encoder_languages


def for_unread(settings: SearchSettings) -> SearchSettings:
    """The default settings for such texts."""
    weights = {**settings.weights, "dense": DENSE_SHARE * settings.weight("dense")}
    return replace(settings, weights=weights, rerank="none")
