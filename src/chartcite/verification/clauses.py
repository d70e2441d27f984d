"""Segments (between commas and conjunctions) and clauses (segments held together by one word of doing or state)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from chartcite.facts.assertions import Assertions
from chartcite.facts.lexicon import read_words, word_set
from chartcite.facts.tokens import Token
from chartcite.verification.concepts import DATA
from chartcite.verification.stems import stem


@dataclass(frozen=True, slots=True)
class Layout:
    """For each token its segment and its clause; `is_bound` says of each clause whether such a word holds it."""

    segments: tuple[int, ...]
    clauses: tuple[int, ...]
    is_bound: tuple[bool, ...]


BREAKS = frozenset((",", ";", ":", "(", ")", ".", "!", "?", "-", "–", "and", "or", "but", "then", "while", "whereas",
                     "nor", "however", "e", "ou", "mas", "because", "because of", "after", "before", "until", "when",
                     "since", "due to", "following", "which", "who"))  # fmt: skip
_HARD = frozenset((";", ".", "!", "but", "while", "whereas", "however", "then", "mas"))


@lru_cache(maxsize=1)
def _binding() -> frozenset[str]:
    return frozenset(stem(word) for word in read_words(DATA, "binding.tsv"))


@lru_cache(maxsize=16384)
def binds(word: str) -> bool:
    """Whether a folded word is one of doing or state."""
    return (len(word) > 4 and word.endswith("ed")) or stem(word) in _binding()


def lay_out(tokens: Sequence[Token], assertions: Assertions) -> Layout:
    """Cut a sentence into segments and clauses."""
    relatives = {c.first for c in assertions.cues if c.kind == "family" and c.speaks}
    segments: list[int] = []
    bound: list[int] = []  # 0: no binding word, 1: first word binds, 2: a later one does
    hard: list[bool] = []  # whether a segment begins behind a hard break
    current, is_fresh, is_hard = -1, True, False
    for i, token in enumerate(tokens):
        if token.text in BREAKS:
            segments.append(max(current, 0))
            is_fresh = True
            is_hard = is_hard or token.text in _HARD
            continue
        if is_fresh:
            current += 1
            bound.append(0)
            hard.append(is_hard)
            is_fresh = is_hard = False
            is_first = True
        if bound[current] == 0 and not token.is_mark and (binds(token.text) or i in relatives):
            bound[current] = 1 if is_first else 2
        is_first = False
        segments.append(current)
    clause_of, is_bound = _clauses(bound, hard)
    return Layout(tuple(segments), tuple(clause_of[s] if clause_of else 0 for s in segments), is_bound)


def _clauses(bound: Sequence[int], hard: Sequence[bool]) -> tuple[list[int], tuple[bool, ...]]:
    """Give every segment a clause: one that binds begins a clause, bare ones join a neighbour."""
    clause_of: list[int] = []
    kinds: list[int] = []
    for n, kind in enumerate(bound):
        joins = bool(kinds) and not hard[n]
        if kind and joins and kinds[-1] == 0:
            kinds[-1] = kind  # the bare list before a verb is its subject
        elif not kind and joins and (kinds[-1] != 2 or not _verb_follows(bound, hard, n)):
            pass
        else:
            kinds.append(kind)
        clause_of.append(len(kinds) - 1)
    return clause_of, tuple(bool(kind) for kind in kinds) or (False,)


def _verb_follows(bound: Sequence[int], hard: Sequence[bool], n: int) -> bool:
    for later in range(n + 1, len(bound)):
        if hard[later]:
            return False
        if bound[later]:
            return True
    return False


_LIGHT = word_set("has have had is was were are reports reported denies denied tem teve é foi")


def units(tokens: Sequence[Token], layout: Layout) -> tuple[frozenset[int], ...]:
    """The claim's parts, as sets of segments, that may each be carried by another source sentence.

    A list without a word of doing falls into its items; else every part keeps a verb of its own.
    """
    count = max(layout.segments, default=-1) + 1
    if not any(layout.is_bound):
        return tuple(frozenset((n,)) for n in range(count))
    bound, hard = [0] * count, [False] * count
    for token, segment in zip(tokens, layout.segments, strict=True):
        if token.text not in BREAKS and (token.text in _LIGHT or binds(token.text)):
            bound[segment] = 2
    clause_of, _ = _clauses(bound, hard)
    return tuple(
        frozenset(n for n in range(count) if clause_of[n] == clause) for clause in range(max(clause_of, default=-1) + 1)
    )
