"""METEOR's matches, alignment and score: words that are equal, share a stem or a synset, in as few chunks as can be.

Score and parameters: Banerjee and Lavie, *METEOR: An Automatic Metric for MT Evaluation*, ACL workshop 2005:
`F = 10 P R / (R + 9 P)`, penalty `.5 * (chunks / matches)^3`, score `F * (1 - penalty)`. Alignment: Denkowski and
Lavie, *Meteor 1.3*, WMT 2011: every word matched at most once; most matches; of those the fewest chunks; of those the
smallest sum of distances; found by a beam of 40, as there. Porter stems; English.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from heapq import nsmallest
from typing import Any, NamedTuple

from chartcite.lab.extras import need
from chartcite.text.sentences import split_sentences

BEAM = 40
Senses = Callable[[str], frozenset[Hashable]]
"""By word, the synsets it is in."""


def meteor_words(text: str) -> list[str]:
    """Words and punctuation in lower case: the Penn Treebank's tokens of each sentence.

    Sentences are chartcite's: NLTK's own need a model that must be fetched.

    Raises:
        MissingExtra: NLTK is not installed.
    """
    tokens = need("nltk.tokenize.destructive").NLTKWordTokenizer().tokenize
    return [word.lower() for s in split_sentences(text) for word in tokens(text[s.start : s.end])]


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The Porter stem, in NLTK's form."""
    return str(_stemmer().stem(word))


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    return need("nltk.stem.porter").PorterStemmer()


def senseless(_word: str) -> frozenset[Hashable]:
    """For the form without WordNet."""
    return frozenset()


def meteor(ours: Sequence[str], theirs: Sequence[str], senses: Senses = senseless) -> float:
    """The score of a prediction's words against a reference's."""
    matches, chunks = align(candidates(ours, theirs, senses))
    return scored(matches, chunks, len(ours), len(theirs))


def scored(matches: int, chunks: int, ours: int, theirs: int) -> float:
    """From counts to the score; 0 without a match."""
    if not matches:
        return 0.0
    precision, recall = matches / ours, matches / theirs
    return 10 * precision * recall / (recall + 9 * precision) * (1 - 0.5 * (chunks / matches) ** 3)


def candidates(ours: Sequence[str], theirs: Sequence[str], senses: Senses = senseless) -> list[list[int]]:
    """By word of ours, the places of theirs that it may be matched with."""
    others = [(j, word, stem(word), senses(word)) for j, word in enumerate(theirs)]
    return [
        [j for j, word, root, meant in others if own == word or stem(own) == root or meant & senses(own)]
        for own in ours
    ]


class _Partial(NamedTuple):
    """An alignment of the words so far; the smaller, the better.

    `lost`: matches that there can be no more; `used`: places taken, as bits; `last`: that of the word before, or -2.
    """

    lost: int = 0
    chunks: int = 0
    distance: int = 0
    used: int = 0
    last: int = -2


def align(options: Sequence[Sequence[int]]) -> tuple[int, int]:
    """How many words are matched at most, and in how few chunks (runs of neighbours on both sides)."""
    groups = _groups(options)
    left = Counter(groups)  # by group, our words that are still to come
    beam = [_Partial()]
    for i, places in enumerate(options):
        group = groups[i]
        grown = {
            _Partial(p.lost, p.chunks + (p.last + 1 != j), p.distance + abs(i - j), p.used | 1 << j, j)
            for p in beam
            for j in places
            if not p.used >> j & 1
        }
        # A word left out costs a match only where its group has no more words to come than free places.
        grown |= {
            _Partial(p.lost + (left[group] <= (group & ~p.used).bit_count()), p.chunks, p.distance, p.used)
            if places
            else p._replace(last=-2)
            for p in beam
        }
        left[group] -= 1
        beam = nsmallest(BEAM, grown)
    best = min(beam, key=lambda p: (-p.used.bit_count(), p))
    return best.used.bit_count(), best.chunks


def _groups(options: Sequence[Sequence[int]]) -> list[int]:
    """By word of ours, the places that it and what it competes with can reach, as bits; 0 for none."""
    masks: list[int] = []
    for places in options:
        mask = sum(1 << j for j in places)
        touching = [m for m in masks if m & mask]
        masks = [m for m in masks if not m & mask] + ([mask | _union(touching)] if mask else [])
    return [next((m for m in masks if places and m >> places[0] & 1), 0) for places in options]


def _union(masks: Sequence[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found
