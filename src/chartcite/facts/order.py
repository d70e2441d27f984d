"""What stands before, after or during what, and what came of what, as `(first, relation, second)`.

Read as a statement: `After surgery, he had fever` is `he had fever` *after* `surgery`. Of the words around a cue,
those of its own clause count; nothing is said of whether the two really happened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from chartcite.core.documents import Span
from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.line import Line, hard_stops, next_stop, overlap, previous_stop
from chartcite.facts.phrases import Match, Phrases, listed

Relation = Literal["before", "after", "then", "since", "until", "during", "due to", "led to", "from-to"]


class Order(NamedTuple):
    """`first` stands in `relation` to `second`; `cue` says so. `first` may not be named."""

    cue: Span
    first: Span | None
    relation: Relation
    second: Span


_MOST_CHARS = 200


def find_order(line: Line, taken: Sequence[Span] = ()) -> tuple[Order, ...]:
    """The relations of a sentence, in order of their cues.

    Args:
        line: the sentence.
        taken: spans in which a cue says something else (a dose: `before breakfast`, a time of day).
    """
    cues = [m for m in _phrases().find(line.text, line.tokens) if not any(overlap(m.span, span) for span in taken)]
    stops = hard_stops(line.text)
    found = list(_ranges(line))
    for n, cue in enumerate(cues):
        if any(overlap(cue.span, one.cue) for one in found) or _is_care(line.text, cue.span):
            continue
        left = max(previous_stop(stops, cue.span.start), cues[n - 1].span.end if n else 0, cue.span.start - _MOST_CHARS)
        right = cues[n + 1].span.start if n + 1 < len(cues) else len(line.text)
        right = min(next_stop(stops, cue.span.end, len(line.text)), right, cue.span.end + _MOST_CHARS)
        if n and (
            commas := [
                c.end()
                for c in _COMMA.finditer(line.text, left, cue.span.start)
                if line.text[c.end() : cue.span.start].strip()
            ]
        ):
            left = commas[-1]
        order = _order(line.text, cue, left, right)
        if order is not None:
            found.append(order)
    return tuple(sorted(found, key=lambda one: (one.cue, one.relation)))


_LOOKS = re.compile(r"\b(?:look(?:s|ed|ing)?|care[sd]?|caring|named)\s+$", re.IGNORECASE)
_CARE = re.compile(r"\b(?:been|being|is|be|was)\s+(?:\w+ly\s+)?$", re.IGNORECASE)


def _is_care(text: str, cue: Span) -> bool:
    """`She is followed by Dr. Kumar` and `looks after her baby` order no events."""
    before = text[max(0, cue.start - 24) : cue.start]
    if _LOOKS.search(before) and text[slice(*cue)].casefold() == "after":
        return True
    return text[slice(*cue)].casefold() == "followed by" and _CARE.search(before) is not None


@lru_cache(maxsize=1)
def _phrases() -> Phrases[Relation]:
    rows = read_rows(FACTS, "order_cues.tsv")
    return Phrases((spelling, row[0]) for spelling, row in listed(rows, 1))  # type: ignore[misc]


_COMMA = re.compile(r",(?=\s)")


def _order(text: str, cue: Match[Relation], left: int, right: int) -> Order | None:
    relation = cue.values[0]
    first, second = _trimmed(text, left, cue.span.start), _trimmed(text, cue.span.end, right)
    if relation == "then":
        return Order(cue.span, first, relation, second) if second and first else None
    comma = _COMMA.search(text, cue.span.end, right)
    if first is None and comma is not None:
        # "After surgery, he had fever": the clause behind the comma comes first.
        first, second = _trimmed(text, comma.end(), right), _trimmed(text, cue.span.end, comma.start())
    elif second is not None and comma is not None and relation != "led to":
        second = _trimmed(text, cue.span.end, comma.start())
    first = _last_clause(text, first)
    return Order(cue.span, first, relation, second) if second is not None else None


_EDGE = " \t\r\n\f\v,;:.()[]-–—\"'•*|"


def _trimmed(text: str, start: int, end: int) -> Span | None:
    piece = text[start:end]
    lead = len(piece) - len(piece.lstrip(_EDGE))
    end = start + len(piece.rstrip(_EDGE))
    start += lead
    piece = text[start:end]
    empty = re.match(
        r"(?:(?:and|but|was|is|were|are|which|that|e|foi|o|a|the|shortly|immediately|soon|just|likely|probably|possibly)\s+)+",
        piece,
        re.IGNORECASE,
    )
    start += empty.end() if empty else 0
    tail = re.search(
        r"(?:\s+(?:and|but|was|is|were|are|which|that|e|foi|shortly|immediately|soon|just|right|likely|probably|possibly|\d+))+$",
        text[start:end],
        re.IGNORECASE,
    )
    if tail and not tail[0].strip().isdigit():
        end = start + tail.start()
    return Span(start, end) if re.search(r"\w", text[start:end]) else None


def _last_clause(text: str, span: Span | None) -> Span | None:
    """Of the words before a cue, those behind the last `, and` or `but`."""
    if span is None:
        return None
    cuts = [
        found.end()
        for found in re.finditer(r",\s+(?:and|but|e|mas)\s+|\s+but\s+|\s+mas\s+", text[span.start : span.end])
    ]
    return Span(span.start + cuts[-1], span.end) if cuts else span


def _ranges(line: Line) -> Iterator[Order]:
    """`from 3/1/2020 to 3/5/2020`, `desde 2018 até 2020`: both ends are dates."""
    dates = [q.span for q in line.quantities if q.kind == "date"]
    for one, other in pairwise(dates):
        between = line.text[one.end : other.start]
        before = re.search(
            r"\b(?:from|between|de|desde|entre)\s+$", line.text[max(0, one.start - 10) : one.start], re.IGNORECASE
        )
        link = re.fullmatch(r"\s*(?:to|until|through|till|and|a|até|e|-|–)\s*", between, re.IGNORECASE)
        if link and (before or between.strip() in ("-", "–")):
            start = one.start - (len(before[0]) if before else 0)
            yield Order(Span(start, other.end), one, "from-to", other)
