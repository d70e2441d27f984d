"""Which words of the evidence may stand for a word of the claim: by stem, list, derivation, or what they entail."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.concepts import denies, generals, hidden_stems
from chartcite.verification.derivation import entailed_keys, family
from chartcite.verification.evidence import Evidence
from chartcite.verification.exclusive import complements, exclude, member_keys, others
from chartcite.verification.measured import measured
from chartcite.verification.paraphrases import index_words, named, spelled_out
from chartcite.verification.stems import stem


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
            hidden, families = _of_text(word.text)
            for key in word.keys.union(*(part for part in word.parts if not part & hidden)):
                self._exact.setdefault(key, []).append(word)
            for key in member_keys(word.keys):
                self._members.setdefault(key, []).append(word)
            for key in families:
                self._derived.setdefault(key, []).append(word)
            if word.status.polarity == "affirmed":
                # "No infection" is said by nobody who says "no pneumonia": only what is affirmed entails its class.
                for key in generals(word.keys) | entailed_keys(word.text):
                    self._general.setdefault(key, []).append(word)
        self.evidence = evidence
        self._index: dict[str, list[Word]] | None = None

    def find(self, word: Word) -> tuple[Word, ...]:
        """The words that may stand for it, the closest way first."""
        return (
            _listed(self._exact, word.keys)
            or _listed(self._members, member_keys(word.keys))
            or _listed(self._general, word.keys)
            or _listed(self._derived, family(word.text))
        )

    def find_phrase(self, word: Word, groups: frozenset[str]) -> tuple[Word, ...]:
        """What says the same in several words, or in one word what the claim's phrase around this word says."""
        if self._index is None:
            self._index = index_words(self.evidence.words)
        return (
            _listed(self._exact, groups)
            or _listed(self._general, groups)
            or spelled_out(word.keys | groups, self._index)
        )

    def find_complement(self, word: Word) -> tuple[Word, ...]:
        """For a denied word, what asserts another possibility; for an affirmed one, the denial of the only other."""
        is_denied = word.status.polarity == "negated"
        found = _listed(self._members, others(word.keys) if is_denied else complements(word.keys))
        turned = {"negated": "affirmed", "affirmed": "negated"}.get(word.status.polarity)
        return tuple(hit for hit in found if hit.status.polarity == turned)


@lru_cache(maxsize=8192)
def _of_text(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems that a word or phrase does not say, and the families of the words that it says."""
    words = text.split()
    hidden = hidden_stems(tuple(map(stem, words))) if len(words) > 1 else frozenset[str]()
    return hidden, frozenset[str]().union(*(family(word) for word in (() if hidden or denies(text) else words)))


@lru_cache(maxsize=512)
def look_up(evidence: Evidence) -> Lookup:
    """The words of some evidence, kept for a while."""
    return Lookup(evidence)


def match_words(claim: Analysed, lookup: Lookup) -> tuple[Matched, ...]:
    """Find each word in the evidence; a phrase as a whole, else word by word, else by what its words say together."""
    matched = tuple(item for word in claim.content for item in _match(word, lookup))
    if all(item.hits for item in matched):
        return matched
    groups = named(index_words(claim.words))
    return tuple(found for item in matched for found in _restated(item, claim, lookup, groups))


def _restated(
    item: Matched, claim: Analysed, lookup: Lookup, groups: Mapping[int, frozenset[str]]
) -> Sequence[Matched]:
    """What says in other words what a word says that was not found; a phrase as a whole, else by its words."""
    if item.hits:
        return (item,)
    own = groups.get(item.word.at, frozenset())
    hits = lookup.find_phrase(item.word, own) or measured(item.word, own, claim, lookup.evidence)
    hits = _besides(hits, item.word)
    if item.word.text in PREFIXES:
        hits = tuple(hit for hit in hits if before(hit, lookup.evidence) not in PREFIXES)
    if hits or not item.word.parts:
        return (replace(item, hits=hits),)
    each = [Matched(part, _besides(_alone(part, claim, lookup, own), item.word)) for part in _parts(item.word)]
    return each if all(part.hits for part in each) else (item,)


PREFIXES = word_set("intra extra inter supra infra sub peri para retro juxta endo epi trans pre post ante non anti")
"""They stand apart from their word where a hyphen does: `extra-articular`."""


def before(word: Word, evidence: Evidence) -> str:
    """The token before a word, in its sentence."""
    at = word.at - 1
    return evidence.texts[at] if at >= 0 and evidence.sentences[at] == evidence.sentences[word.at] else ""


def _alone(part: Word, claim: Analysed, lookup: Lookup, groups: frozenset[str]) -> tuple[Word, ...]:
    return lookup.find(part) or lookup.find_phrase(part, groups) or measured(part, (), claim, lookup.evidence)


def _besides(hits: Sequence[Word], phrase: Word) -> tuple[Word, ...]:
    """Without what excludes the whole: no part of `after surgery` is found in `before surgery`."""
    return tuple(hit for hit in hits if not exclude(phrase.keys, hit.keys))


def _match(word: Word, lookup: Lookup) -> Sequence[Matched]:
    hits = lookup.find(word)
    if not any(hit.status.polarity == word.status.polarity for hit in hits):
        # A sentence that asserts the denied word itself denies it by no other possibility that it also names.
        says_so = {lookup.evidence.sentences[hit.at] for hit in hits if hit.status.polarity == "affirmed"}
        opposite = tuple(
            hit
            for hit in lookup.find_complement(word)
            if word.status.polarity != "negated" or lookup.evidence.sentences[hit.at] not in says_so
        )
        if opposite:
            return (Matched(word, opposite, True),)
    if hits or not word.parts:
        return (Matched(word, hits),)
    each = [Matched(part, _besides(lookup.find(part), word)) for part in _parts(word)]
    return each if all(item.hits for item in each) else (Matched(word, ()),)


def _parts(phrase: Word) -> list[Word]:
    return [replace(phrase, keys=part, parts=(), text=_text(phrase, part)) for part in phrase.parts]


def _text(phrase: Word, keys: frozenset[str]) -> str:
    return next((text for text in phrase.text.split() if stem(text) in keys), phrase.text)


def _listed(table: dict[str, list[Word]], keys: Iterable[str]) -> tuple[Word, ...]:
    found = {hit.at: hit for key in keys for hit in table.get(key, ())}
    return tuple(found[at] for at in sorted(found))
