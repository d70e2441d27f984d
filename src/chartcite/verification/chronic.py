"""Conditions that stay: a history of one is no past, and when it was written does not matter."""

from __future__ import annotations

from functools import lru_cache

from chartcite.facts.lexicon import read_words
from chartcite.verification.concepts import DATA, name_keys


def is_chronic(keys: frozenset[str]) -> bool:
    """Whether a word with these keys names a listed condition that stays."""
    return not keys.isdisjoint(_listed())


@lru_cache(maxsize=1)
def _listed() -> frozenset[str]:
    return frozenset(key for name in read_words(DATA, "chronic.tsv") for key in name_keys(name))
