"""Which way a finding or a value went: `creatinine rose`, `worsening dyspnea`, `dor melhorou`, `7.1 -> 9.4`.

What is done with a drug (`metoprolol increased`) is not a direction; see `changes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from chartcite.core.documents import Span
from chartcite.facts.lexicon import FACTS, read_rows, word_set
from chartcite.facts.line import Line, overlap
from chartcite.facts.measurements import Measurement, find_names
from chartcite.facts.phrases import Match, Phrases, listed
from chartcite.facts.quantities import Quantity

DirectionName = Literal["up", "down", "better", "worse", "stable", "resolved", "new"]


class Direction(NamedTuple):
    """A direction: the words that say it, and the words it is said of. Two values say it by themselves."""

    span: Span
    name: DirectionName
    of: Span | None


_BREAKS = word_set(
    "although though even today now overnight yesterday hoje ontem embora , ; : . ( ) ? and but or with without which "
    "who that when while after before since until then because due despite for to from by as if on at during over per "
    "e mas ou com sem apos antes desde quando"
)
_VERBS = word_set(
    "having experiencing rather almost pretty very quite to seem seems seemed got get gets "
    "getting little bit endorses endorsed admits complains has have had is was are were been be being he she they it "
    "patient pt patient's reports reported denies states notes noted shows showed feels felt remains remained appears "
    "appeared markedly significantly slightly mildly gradually much somewhat also now still foi esta estava ser tem "
    "teve paciente there his her their the a an o os as um uma continues continued overall clinically further may "
    "will would"
)
_LINKS = word_set("of in the his her their a an da do de na no nos nas em o a")
_MOST_WORDS = 6


def find_directions(line: Line, measured: Sequence[Measurement], taken: Sequence[Span]) -> tuple[Direction, ...]:
    """The directions of a sentence, in order.

    Args:
        line: the sentence.
        measured: its measurements; two values of one, the second a result, show a direction.
        taken: words that say what is done with a drug, and names of drugs.
    """
    names = [match.span for match in find_names(line)]
    found = [
        Direction(match.span, match.values[0], _subject(line, match))
        for match in _phrases().find(line.text, line.tokens)
        if not any(overlap(match.span, span) for span in taken)
    ]
    found = [one for one in found if one.of is not None and not any(overlap(one.of, span) for span in taken)]
    found = [one for one in found if not _is_of_bodies(line, one) or any(overlap(one.of or one.span, n) for n in names)]
    return tuple(sorted([*found, *_of_values(measured)], key=lambda one: (one.span, one.name)))


# People fall, climb and lose their footing too: these count of what is measured only.
_OF_BODIES = word_set(
    "fell fall falling fallen climb climbed climbing lost dropped dropping grew growing gain gained drop peaked steady "
    "constant raised caiu caindo queda perda perdeu ganho ganhou cresceu"
)


def _is_of_bodies(line: Line, one: Direction) -> bool:
    words = line.text[slice(*one.span)].casefold().split()
    return words[0] in _OF_BODIES or (words[-1] in ("up", "down") and words[0] in ("going", "went"))


@lru_cache(maxsize=1)
def _phrases() -> Phrases[DirectionName]:
    rows = read_rows(FACTS, "directions.tsv")
    return Phrases((spelling, row[0]) for spelling, row in listed(rows, 1))  # type: ignore[misc]


def _subject(line: Line, match: Match[DirectionName]) -> Span | None:
    """What went that way: the words before a verb, those behind an adjective or noun."""
    after = _behind(line, match)
    follows = match.last < len(line.tokens) and line.tokens[match.last].text in (
        "in",
        "of",
        "na",
        "no",
        "da",
        "do",
        "de",
    )
    is_adjective = match.values[0] == "new" or line.text[slice(*match.span)].casefold().endswith(("ing", "sive"))
    before = _before(line, match)
    if before is None and _is_verbal(line, match):
        return None
    if after is not None and (follows or (is_adjective and not _is_verbal(line, match))):
        return after
    return before or after


def _is_verbal(line: Line, match: Match[DirectionName]) -> bool:
    return match.first > 0 and line.tokens[match.first - 1].text in ("is", "are", "was", "were", "been", "be")


def _before(line: Line, match: Match[DirectionName]) -> Span | None:
    last = match.first
    while last and (line.tokens[last - 1].text in _VERBS or line.tokens[last - 1].text.endswith(("ly", "mente"))):
        last -= 1
    first = last
    while first and last - first < _MOST_WORDS and line.tokens[first - 1].text not in _BREAKS | _VERBS:
        first -= 1
    while first < last and line.tokens[first].text in ("no", "not", "any"):
        first += 1
    return Span(line.tokens[first].start, line.tokens[last - 1].end) if first < last else None


def _behind(line: Line, match: Match[DirectionName]) -> Span | None:
    first = match.last
    while first < len(line.tokens) and line.tokens[first].text in _LINKS:
        first += 1
    last = first
    quantities = [q.span for q in line.quantities if q.span.start >= match.span.end]
    while last < len(line.tokens) and last - first < _MOST_WORDS:
        token = line.tokens[last]
        if token.text in _BREAKS | _VERBS or any(q.start <= token.start < q.end for q in quantities[:3]):
            break
        last += 1
    return Span(line.tokens[first].start, line.tokens[last - 1].end) if first < last else None


def _of_values(measured: Sequence[Measurement]) -> list[Direction]:
    out = []
    for one in measured:
        course = [v.quantity for v in one.values if v.role in ("previous", "result")]
        # "2.4 from 1.1": the result stands first.
        roles = [v.role for v in one.values if v.role in ("previous", "result")]
        pairs = [
            (b, a) if later == "previous" and first == "result" else (a, b)
            for (a, b), (first, later) in zip(pairwise(course), pairwise(roles), strict=True)
            if "previous" in (first, later)
        ]
        out += [_of_pair(one.span, old, new) for old, new in pairs if old.unit == new.unit and old.kind == new.kind]
    return out


def _of_pair(name: Span, old: Quantity, new: Quantity) -> Direction:
    span = Span(min(old.span.start, new.span.start), max(old.span.end, new.span.end))
    if old.low == new.low:
        return Direction(span, "stable", name)
    return Direction(span, "up" if old.low < new.low else "down", name)
