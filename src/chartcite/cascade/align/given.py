"""Alignment of given sentences by rules: each is linked to the evidence that has most of its words.

Conservative: a sentence is linked to no evidence that has less than half of its words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chartcite.core.answer import Evidence

LEAST_SHARE = 0.5
MAX_LINKS = 3


def align_given(
    texts: Sequence[str], evidence: Sequence[Evidence], analyse: Callable[[str], Sequence[str]]
) -> list[tuple[Evidence, ...]]:
    """For each answer sentence the evidence that it rests on, best first; perhaps none."""
    terms = [(set(analyse(e.quote)), e) for e in evidence]
    return [_links(set(analyse(text)), terms) for text in texts]


def _links(own: set[str], terms: Sequence[tuple[set[str], Evidence]]) -> tuple[Evidence, ...]:
    if not own:
        return ()
    shares = [(len(own & held) / len(own), e) for held, e in terms]
    best = sorted((pair for pair in shares if pair[0] >= LEAST_SHARE), key=lambda pair: -pair[0])
    return tuple(e for _, e in best[:MAX_LINKS])
