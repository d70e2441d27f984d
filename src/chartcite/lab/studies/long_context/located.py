"""Which parts of an answer a context holds, or citations touch, where the data set locates them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from chartcite.lab.cases import Case, GoldSpan


@dataclass(frozen=True, slots=True)
class Slice:
    """A stretch of a document, half-open, in code points."""

    doc_id: str
    start: int
    end: int


NOTHING_LOCATED = "the data set does not say where the answer is"


def parts_of(case: Case) -> list[list[GoldSpan]]:
    """Spans by part. Where there are none, each relevant note is a part of its own: any stretch of it is enough.

    A whole note is a span of length 0 at its begin, which `holds` and `touches` read so.
    """
    if case.spans:
        found: dict[int, list[GoldSpan]] = {}
        for span in case.spans:
            found.setdefault(span.part, []).append(span)
        return list(found.values())
    return [[GoldSpan(r.item_id, 0, 0)] for r in case.relevant if r.grade > 0]


def held(case: Case, slices: Iterable[Slice]) -> int:
    """How many parts some span of which lies whole in the slices, put together."""
    by_document = _merged(slices)
    return sum(any(_holds(by_document.get(s.item_id, ()), s) for s in part) for part in parts_of(case))


def touched(case: Case, slices: Iterable[Slice]) -> int:
    """How many parts some span of which the slices overlap."""
    by_document = _merged(slices)
    return sum(any(_touches(by_document.get(s.item_id, ()), s) for s in part) for part in parts_of(case))


def touched_slices(slices: Iterable[Slice], shown: Iterable[Slice]) -> int:
    """How many of the slices overlap any of those shown."""
    by_document = _merged(shown)
    return sum(any(a < s.end and s.start < b for a, b in by_document.get(s.doc_id, ())) for s in slices)


def _merged(slices: Iterable[Slice]) -> Mapping[str, Sequence[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for s in sorted(slices, key=lambda s: (s.doc_id, s.start, s.end)):
        own = found.setdefault(s.doc_id, [])
        # White space between two passages belongs to neither: a gap of one or two does not part a sentence.
        if own and s.start <= own[-1][1] + 2:
            own[-1] = (own[-1][0], max(own[-1][1], s.end))
        else:
            own.append((s.start, s.end))
    return found


def _holds(stretches: Sequence[tuple[int, int]], span: GoldSpan) -> bool:
    if span.start == span.end:
        return bool(stretches)
    return any(start <= span.start and span.end <= end for start, end in stretches)


def _touches(stretches: Sequence[tuple[int, int]], span: GoldSpan) -> bool:
    if span.start == span.end:
        return bool(stretches)
    return any(start < span.end and span.start < end for start, end in stretches)
