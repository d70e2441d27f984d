"""Which words of the evidence may stand for a word of the claim: stem, abbreviation, name, synonym, or what it entails."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from chartcite.verification.analysis import Word
from chartcite.verification.concepts import generals
from chartcite.verification.derivation import family
from chartcite.verification.evidence import Evidence
from chartcite.verification.exclusive import complements, member_keys


@dataclass(frozen=True, slots=True)
class Matched:
    """A claim's word and the evidence's words that may stand for it (empty: none)."""

    word: Word
    hits: tuple[Word, ...]
    is_complement: bool = False
    """Whether the hits say the same by its opposite: `not negative`, `positive`."""


class Lookup:
    """The evidence's words by what they can be matched by."""

    def __init__(self, evidence: Evidence) -> None:
        self._exact: dict[str, list[Word]] = {}
        self._members: dict[str, list[Word]] = {}
        self._derived: dict[str, list[Word]] = {}
        self._general: dict[str, list[Word]] = {}
        for word in evidence.words:
            for key in word.keys.union(*word.parts):
                self._exact.setdefault(key, []).append(word)
            for key in member_keys(word.keys):
                self._members.setdefault(key, []).append(word)
            for key in family(word.text):
                self._derived.setdefault(key, []).append(word)
            if word.status.polarity == "affirmed":
                # "No infection" is said by nobody who says "no pneumonia": only what is affirmed entails its class.
                for key in generals(word.keys):
                    self._general.setdefault(key, []).append(word)

    def find(self, word: Word) -> tuple[Word, ...]:
        """The words that may stand for it, the closest way first."""
        return (
            _listed(self._exact, word.keys)
            or _listed(self._members, member_keys(word.keys))
            or _listed(self._general, word.keys)
            or _listed(self._derived, family(word.text))
        )

    def find_complement(self, word: Word) -> tuple[Word, ...]:
        """For a denied word, what asserts the only other possibility; for an affirmed one, its denial."""
        wanted = "affirmed" if word.status.polarity == "negated" else "negated"
        found = _listed(self._members, complements(word.keys))
        return tuple(hit for hit in found if hit.status.polarity == wanted)


def match_words(words: Iterable[Word], lookup: Lookup) -> tuple[Matched, ...]:
    """Find each word in the evidence; a phrase as a whole, else word by word."""
    return tuple(item for word in words for item in _match(word, lookup))


def _match(word: Word, lookup: Lookup) -> Sequence[Matched]:
    hits = lookup.find(word)
    if not any(hit.status.polarity == word.status.polarity for hit in hits):
        opposite = lookup.find_complement(word)
        if opposite:
            return (Matched(word, opposite, True),)
    if hits or not word.parts:
        return (Matched(word, hits),)
    each = [Matched(replace(word, keys=part, parts=()), lookup.find(replace(word, keys=part))) for part in word.parts]
    return each if all(item.hits for item in each) else (Matched(word, ()),)


def _listed(table: dict[str, list[Word]], keys: Iterable[str]) -> tuple[Word, ...]:
    found = {hit for key in keys for hit in table.get(key, ())}
    return tuple(sorted(found, key=lambda word: word.at))
