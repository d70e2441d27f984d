"""Voting: several runs of an alignment to one. A link is kept that enough of them have.

A sentence that ends without a link takes those of the best single run that links it: the best is the run whose links
the others share most, and of equals the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

Links = frozenset[tuple[int, int]]
"""Pairs (answer sentence, source)."""


class Elected(NamedTuple):
    """The links that were kept, and how many sentences had to take theirs from a single run."""

    links: Links
    from_single_run: int


def elect(runs: Sequence[Links], needed: int, sentences: Sequence[int]) -> Elected:
    """Keep the links that at least `needed` runs have.

    >>> runs = [frozenset({(1, 2), (1, 3)}), frozenset({(1, 2)}), frozenset({(2, 5)})]
    >>> sorted(elect(runs, 2, [1, 2, 3]).links)
    [(1, 2), (2, 5)]
    """
    votes = Counter(link for run in runs for link in run)
    kept = {link for link, count in votes.items() if count >= needed}
    best_first = sorted(range(len(runs)), key=lambda n: (-_agreement(runs[n], votes), n))
    single = 0
    for sentence in sentences:
        if any(answer == sentence for answer, _ in kept):
            continue
        own = next((found for n in best_first if (found := _of(runs[n], sentence))), None)
        if own:
            kept |= own
            single += 1
    return Elected(frozenset(kept), single)


def _agreement(run: Links, votes: Counter[tuple[int, int]]) -> float:
    """How many runs have a link of this run, on average."""
    return sum(votes[link] for link in run) / len(run) if run else 0.0


def _of(run: Links, sentence: int) -> set[tuple[int, int]]:
    return {link for link in run if link[0] == sentence}
