"""What a timeline is asked for: measured things and drugs by any of their names, and where a record may name them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from chartcite.core.errors import UsageError
from chartcite.facts.drug_mentions import drug_words, find_drugs
from chartcite.facts.line import overlap, read_line
from chartcite.facts.measurements import find_names, measured_words
from chartcite.facts.tokens import fold


class UnknownTopic(UsageError):
    """No measured thing and no drug of that name is known."""


@dataclass(frozen=True, slots=True)
class Topic:
    """Canonical names; both empty asks for everything."""

    analytes: frozenset[str] = frozenset()
    drugs: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.analytes or self.drugs)


EVERYTHING = Topic()


@dataclass(frozen=True, slots=True)
class Wish:
    """Which entries are wanted: of those kinds that are named, all or those of the names.

    Attributes:
        values: of which measured things; None for none at all, empty for all.
        doses: of which drugs, in the same way.
        lists: whether lists of medicines are looked through for drugs without an amount.
        history: whether diagnoses and procedures are wanted.
    """

    values: frozenset[str] | None = None
    doses: frozenset[str] | None = None
    lists: bool = False
    history: bool = False

    @classmethod
    def of(cls, topic: Topic) -> Wish:
        """What a topic asks for: with names of one kind, none of the others."""
        return cls(
            None if topic and not topic.analytes else topic.analytes,
            None if topic and not topic.drugs else topic.drugs,
            history=not topic,
        )


ALL = Wish(frozenset(), frozenset(), lists=True, history=True)


def is_wanted(name: str, names: frozenset[str] | None) -> bool:
    """Whether an entry of that name is wanted."""
    return names is not None and (not names or name in names)


def topic_of(words: str) -> Topic:
    """The measured things and drugs that some words name; `potassium` is both.

    Raises:
        UnknownTopic: none is known by that name.
    """
    line = read_line(words)
    drugs, names = find_drugs(line), find_names(line)
    kept = [d for d in drugs if not any(m.span != d.span and overlap(m.span, d.span) for m in names)]
    found = Topic(
        frozenset(value.name for match in names for value in match.values), frozenset(drug.name for drug in kept)
    )
    if not found:
        raise UnknownTopic(
            "The lists know no measured thing and no drug of that name.",
            "Ask for `creatinine`, `HbA1c`, `metformin`; without a name all are shown.",
        )
    return found


_WORD = re.compile(r"[^\W_]+")
_NAMELESS = frozenset(("blood pressure", "temperature", "oxygen saturation"))
"""Vital signs that are written without their name: `120/80`."""


class Sieve:
    """Tells cheaply where a text may name something of a topic; what it lets through is read by the facts room."""

    def __init__(self, words: frozenset[str], *, any_number: bool = False) -> None:
        self._words = frozenset(piece for word in words for piece in _WORD.findall(word)[:1])
        self._any_number = any_number

    def lets_through(self, text: str) -> bool:
        """Whether a text may name something."""
        if self._any_number and any(char.isdigit() for char in text):
            return True
        return not self._words.isdisjoint(map(fold, _WORD.findall(text)))


@lru_cache(maxsize=256)
def values_sieve(names: frozenset[str]) -> Sieve:
    """For these measured things; for all when none is named."""
    nameless = not names or bool(names & _NAMELESS)
    return Sieve(measured_words(names), any_number=nameless)


@lru_cache(maxsize=256)
def drugs_sieve(names: frozenset[str] = frozenset()) -> Sieve:
    """For these drugs; for all when none is named."""
    return Sieve(drug_words(names))
