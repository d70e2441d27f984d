"""Two statements that have exchanged parts: `fundus firm, lochia moderate` is not `fundus moderate, lochia firm`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, combinations

from chartcite.core.documents import Span
from chartcite.verification.analysis import Analysed
from chartcite.verification.evidence import Evidence
from chartcite.verification.nearness import Context
from chartcite.verification.verdicts import Veto

Home = tuple[Context, int]
"""A part of the claim and the segment (or the sentence) of the evidence that it comes from."""


def crossed_vetoes(around: Sequence[Context], claim: Analysed, evidence: Evidence) -> list[Veto]:
    """A veto when two segments of the claim have each taken a part of the other's statement."""
    ways = [evidence.segments]
    if len(evidence.parts) > 1:
        ways.append(evidence.sentences)
    if ";" in evidence.texts:
        ways.append(_statements(evidence))
    if "(" in evidence.texts:
        ways.append(_items(evidence))
    for homes in ways:
        crossed = _crossed(_by_segment(around, homes))
        if crossed is not None:
            token = claim.tokens[crossed.at]
            span = Span(claim.span.start + token.start, claim.span.start + token.end)
            place = evidence.places[crossed.places[0]]
            why = "two statements have exchanged their parts"
            return [Veto("binding", span, claim.text[span.start : span.end], place.source_id, place.span, why)]
    return []


def _statements(evidence: Evidence) -> tuple[int, ...]:
    """For each token the number of its statement: semicolons and the ends of sentences part them."""
    marks = (
        text == ";" or (i > 0 and evidence.sentences[i] != evidence.sentences[i - 1])
        for i, text in enumerate(evidence.texts)
    )
    return tuple(accumulate(marks))


def _items(evidence: Evidence) -> tuple[int, ...]:
    """For each token the number of its item in a list, where brackets belong to the item before: `A (x), B (y)`."""
    depth = 0
    out: list[bool] = []
    for i, text in enumerate(evidence.texts):
        is_new_sentence = i > 0 and evidence.sentences[i] != evidence.sentences[i - 1]
        depth = 0 if is_new_sentence else max(0, depth + (text == "(") - (text == ")"))
        out.append(is_new_sentence or (not depth and text in _PARTS))
    return tuple(accumulate(out))


_PARTS = frozenset((",", ";", "and", "or", ".", "e", "ou"))


def _by_segment(around: Sequence[Context], homes: Sequence[int]) -> dict[int, list[Home]]:
    out: dict[int, list[Home]] = {}
    for part in around:
        own = {homes[p] for p in part.places}
        if len(own) == 1:
            out.setdefault(part.segment, []).append((part, own.pop()))
    return out


def _crossed(by_segment: Mapping[int, Sequence[Home]]) -> Context | None:
    for first, second in combinations(sorted(by_segment), 2):
        here, there = by_segment[first], by_segment[second]
        for x, x_home in here:
            for a, a_home in here:
                if x_home >= a_home or not {x_home, a_home} <= {home for _, home in there}:
                    continue
                y = next(part for part, home in there if home == a_home)
                if not set(y.places) & (set(x.places) | set(a.places)):
                    return a
    return None
