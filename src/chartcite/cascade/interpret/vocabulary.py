"""The words of one partition, as interpretation asks for them: how rare they are, and what stands there instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

from chartcite.cascade.interpret.edits import edits_between, may_be_within
from chartcite.retrieval.probe import Probe

UNKNOWN_RARITY = 0.3
"""Of a word that the partition does not have: it cannot find anything, but may be what the question is about."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SEEN_PASSAGES = 3


class Vocabulary(Protocol):
    """What interpretation may know of the partition that will be searched."""

    def rarity(self, word: str) -> float:
        """From 0 (in every passage) to 1 (in a single one)."""
        ...

    def has(self, word: str) -> bool:
        """Whether the partition has the word, or one as good as the same."""
        ...

    def nearest(self, word: str, one_edit: int, two_edits: int) -> list[tuple[int, str]]:
        """The partition's words that are like another and begin with the same letter: (edits, word), nearest first.

        Equally near ones stand in order of their frequency.

        Args:
            word: what was written.
            one_edit: characters, endings left out, from which one edit is allowed.
            two_edits: those from which two are.
        """
        ...


class PartitionVocabulary:
    """The vocabulary of the partition behind a probe.

    Args:
        probe: any query put to the partition.
        analyse: text to index terms.
        text_of: the text of a passage number.
    """

    def __init__(self, probe: Probe, analyse: Callable[[str], Sequence[str]], text_of: Callable[[int], str]) -> None:
        self._probe, self._analyse, self._text_of = probe, analyse, text_of
        self._rarest = probe.idf(["\0"])["\0"]  # no term holds this character: the value of a term that nothing has

    def rarity(self, word: str) -> float:
        """From 0 to 1; `UNKNOWN_RARITY` for what the partition does not have."""
        terms = list(self._analyse(word))
        known = [idf for idf in self._probe.idf(terms).values() if idf < self._rarest]
        if not terms:
            return 0.0
        return max(known) / self._rarest if known else UNKNOWN_RARITY

    def has(self, word: str) -> bool:
        """Whether the partition has all terms of the word, or ones as good as the same."""
        return all(self._probe.has_akin(term) for term in self._analyse(word))

    def nearest(self, word: str, one_edit: int, two_edits: int) -> list[tuple[int, str]]:
        """See the protocol."""
        terms = list(self._analyse(word))
        if len(terms) != 1 or len(terms[0]) < one_edit:
            return []
        term, edits = terms[0], 2 if len(terms[0]) >= two_edits else 1
        numbers = self._probe.reader.terms_starting(term[:1])
        may_be = {n: other for other, n in numbers.items() if other.isalpha() and may_be_within(term, other, edits)}
        having = self._probe.index.having(self._probe.reader, list(may_be))
        near = [
            (distance, other)
            for number, other in may_be.items()
            if number in having and (distance := edits_between(term, other, edits)) <= edits
        ]
        rarity = self._probe.idf([other for _, other in near])
        near.sort(key=lambda pair: (pair[0], rarity[pair[1]], pair[1]))
        return [(distance, self._spelt(other, word)) for distance, other in near]

    def _spelt(self, term: str, like: str) -> str:
        """A word of the text that gives a term; the one most like another word."""
        for passage, _ in self._probe.index.lexical_best(self._probe.reader, {term: 1.0}, _SEEN_PASSAGES):
            words: list[str] = _WORD.findall(self._text_of(passage).lower())
            giving = [word for word in words if list(self._analyse(word)) == [term]]
            if giving:
                return min(giving, key=lambda word: (edits_between(like.lower(), word, 4), word))
        return term
