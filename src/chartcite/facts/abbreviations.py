"""Abbreviations that need more than their letters: those of several meanings, and those that are everyday words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.tokens import fold


class Meaning(NamedTuple):
    """What an abbreviation may stand for, and the folded words that make it mean that; `#` is any number."""

    spellings: tuple[str, ...]
    context: frozenset[str]


@lru_cache(maxsize=1)
def _ambiguous() -> dict[str, tuple[Meaning, ...]]:
    table: dict[str, list[Meaning]] = {}
    for short, spellings, context in read_rows(FACTS, "abbreviations_ambiguous.tsv"):
        words = frozenset(fold(word) for word in context.split("|"))
        table.setdefault(short, []).append(Meaning(tuple(spellings.split("|")), words))
    return {short: tuple(meanings) for short, meanings in table.items()}


def ambiguous_abbreviations() -> frozenset[str]:
    """Abbreviations, as written, that must not be matched by their letters to any of their meanings."""
    return frozenset(_ambiguous())


def meaning(short: str, words: Iterable[str]) -> tuple[str, ...]:
    """The spellings of the one meaning that the other words of the sentence allow; empty when none or several fit.

    Args:
        short: the abbreviation as written.
        words: the folded words of its sentence.

    >>> meaning("RA", ["sat", "96", "on", "ra"]), meaning("RA", ["ra", "stable"])
    (('room air',), ())
    """
    others = {word for word in words if word != fold(short)}
    if any(char.isdigit() for word in others for char in word):
        others.add("#")
    fitting = [item.spellings for item in _ambiguous().get(short, ()) if item.context & others]
    return fitting[0] if len(fitting) == 1 else ()


@lru_cache(maxsize=1)
def cased_groups() -> tuple[tuple[str, ...], ...]:
    """Groups whose first spelling counts only when written exactly so: `ALL`, `HIT`, `FROM`."""
    return read_rows(FACTS, "abbreviations_cased.tsv")
