"""All that the facts room sees in one sentence, with spans of the whole text: the entrance for who wants everything.

Each reader knows its own kind of fact; here is decided only what two of them would claim: a number belongs to a drug
or to a measurement, a word is a drug or a laboratory value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

from chartcite.core.documents import Span
from chartcite.core.unseen import look
from chartcite.facts.bodysites import SideWord, Site, find_side_words, find_sites
from chartcite.facts.changes import Change, find_changes
from chartcite.facts.directions import Direction, find_directions
from chartcite.facts.doses import Dose, find_doses
from chartcite.facts.drug_mentions import Drug, find_drugs
from chartcite.facts.line import Line, overlap, read_line, without
from chartcite.facts.measurements import Measurement, find_measurements, find_names
from chartcite.facts.order import Order, find_order
from chartcite.facts.quantities import Quantity
from chartcite.facts.standings import CueScope, Standing, read_standings
from chartcite.facts.tokens import expand


@dataclass(frozen=True, slots=True)
class SentenceFacts:
    """The facts of one sentence, each kind in the order of the text; all spans count in the text that was given."""

    quantities: tuple[Quantity, ...] = ()
    drugs: tuple[Drug, ...] = ()
    doses: tuple[Dose, ...] = ()
    changes: tuple[Change, ...] = ()
    measurements: tuple[Measurement, ...] = ()
    sites: tuple[Site, ...] = ()
    sides: tuple[SideWord, ...] = ()
    directions: tuple[Direction, ...] = ()
    order: tuple[Order, ...] = ()
    standings: tuple[Standing, ...] = ()
    assertions: tuple[CueScope, ...] = ()


_MOST_CHARS = 1_000
_WORD = re.compile(r"[^\W_]")
_BREAK = re.compile(r"\s")


def read_facts(text: str, start: int, end: int) -> SentenceFacts:
    """The facts of `text[start:end]`, one sentence.

    Never raises for any text. A "sentence" of more than 1,000 characters is read in pieces cut at white space, so
    that time grows with length and no faster.
    """
    found = [_at(_read_as_seen(text[a:b]), a) for a, b in _pieces(text, start, end)]
    if len(found) == 1:
        return found[0]
    return SentenceFacts(*(tuple(x for one in found for x in getattr(one, f.name)) for f in fields(SentenceFacts)))


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > _MOST_CHARS:
        breaks = [found.end() for found in _BREAK.finditer(text, start + _MOST_CHARS // 2, start + _MOST_CHARS)]
        cut = breaks[-1] if breaks else start + _MOST_CHARS
        yield start, cut
        start = cut
    yield start, end


def _read_as_seen(piece: str) -> SentenceFacts:
    view = look(piece)
    found = _read(view.text)
    return found if view.is_all else _moved(found, view.span)


def _read(piece: str) -> SentenceFacts:
    if not _WORD.search(piece):
        return SentenceFacts()
    line = _without_item_number(read_line(piece))
    drugs, names = find_drugs(line), [match.span for match in find_names(line)]
    line = without(line, [*(drug.span for drug in drugs), *names])
    measured = find_measurements(line, [d.span for d in drugs if not any(overlap(d.span, name) for name in names)])
    drugs = _drugs_only(drugs, names, measured)
    doses = find_doses(line, drugs, [one.span for one in measured])
    measured = _measured_only(measured, doses)
    changes = find_changes(line, drugs, doses)
    drugs = _without_labs(drugs, names, doses, changes)
    taken = [c.cue for c in changes] + [d.span for d in drugs]
    standings, cues = read_standings(line)
    directions = find_directions(line, measured, taken)
    named = [*(one.span for one in measured), *(drug.span for drug in drugs)]
    tokens = expand(line.tokens)
    sites = tuple(s for s in find_sites(piece, tokens) if not any(overlap(s.span, n) for n in named))
    return SentenceFacts(
        line.quantities,
        drugs,
        doses,
        changes,
        measured,
        sites,
        find_side_words(piece, tokens),
        directions,
        find_order(line, _spoken_for(doses)),
        _with_resolved(standings, directions),
        cues,
    )


_ITEM = re.compile(r"\s*[(#]?(\d{1,2})[.)](?=\s)")


def _without_item_number(line: Line) -> Line:
    """`1. Sore throat`: the number of an item is no value."""
    item = _ITEM.match(line.text)
    return without(line, [Span(*item.span(1))]) if item else line


def _drugs_only(drugs: Sequence[Drug], names: Sequence[Span], measured: Sequence[Measurement]) -> tuple[Drug, ...]:
    """Without `vancomycin` of `vancomycin trough`, and without what has a value as a laboratory's (`potassium 5.9`)."""
    values = [one.span for one in measured]

    def is_drug(drug: Drug) -> bool:
        is_part = any(n.start <= drug.span.start and drug.span.end <= n.end and n != drug.span for n in names)
        return not is_part and not any(overlap(drug.span, value) for value in values)

    return tuple(drug for drug in drugs if is_drug(drug))


# In blood and in the air as well.
_EVERYWHERE = frozenset(("oxygen",))


def _without_labs(
    drugs: Sequence[Drug], names: Sequence[Span], doses: Sequence[Dose], changes: Sequence[Change]
) -> tuple[Drug, ...]:
    """`Calcium was normal`: what is measured as well is a drug only with a dose, or where it is started or held."""
    treated = {dose.drug.span for dose in doses}
    treated |= {change.drug.span for change in changes if change.kind in ("start", "stop", "hold")}

    def is_name(drug: Drug) -> bool:
        return any(name.start <= drug.span.start and drug.span.end <= name.end for name in names)

    return tuple(d for d in drugs if d.span in treated or not (is_name(d) or d.name in _EVERYWHERE))


def _measured_only(measured: Sequence[Measurement], doses: Sequence[Dose]) -> tuple[Measurement, ...]:
    """Without what a dose has as its amount."""
    amounts = [q.span for d in doses for q in (d.strength, d.earlier, d.volume, d.count) if q is not None]
    return tuple(m for m in measured if not any(overlap(v.quantity.span, a) for v in m.values for a in amounts))


def _spoken_for(doses: Sequence[Dose]) -> list[Span]:
    """Times of taking (`before breakfast`) order no events."""
    return [dose.time.span for dose in doses if dose.time is not None]


def _with_resolved(standings: Sequence[Standing], directions: Sequence[Direction]) -> tuple[Standing, ...]:
    """`Rash resolved`: what is over is history, where no assertion rule has said more."""
    over = [d.of for d in directions if d.name == "resolved" and d.of is not None]
    extra = [Standing(span, ("historical",)) for span in over if not any(overlap(span, s.span) for s in standings)]
    return tuple(sorted([*standings, *extra]))


T = TypeVar("T")


def _at(value: T, by: int) -> T:
    """The same with every span moved by `by`."""
    return value if by == 0 else _moved(value, lambda span: Span(span.start + by, span.end + by))


def _moved(value: Any, where: Callable[[Span], Span]) -> Any:
    if isinstance(value, Span):
        return where(value)
    if isinstance(value, Quantity):
        return replace(value, span=where(value.span))
    if isinstance(value, tuple):
        items = [_moved(item, where) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if is_dataclass(value) and not isinstance(value, type):
        changed = {f.name: _moved(getattr(value, f.name), where) for f in fields(value)}
        return replace(value, **changed)
    return value
