"""What cited sentences state that can be computed with: results and what was done with a drug, each with its day.

They are read as the timeline reads them (`records`). A day that neither the sentence nor its note names is unknown and
equals no other. Nothing here is kept: what was read lives as long as one check.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from chartcite.core.documents import Sentence, Span
from chartcite.core.stored import DocumentInfo
from chartcite.core.time import When
from chartcite.facts.dates import covers
from chartcite.records.days import DateOrder, days
from chartcite.records.doses import Action
from chartcite.records.doses_stated import doses_stated
from chartcite.records.entries import Amount
from chartcite.records.entries import Source as Place
from chartcite.records.lines import Line
from chartcite.records.reading import FactsReader
from chartcite.records.values_stated import stated
from chartcite.records.when.events import Events, EventStated, stated_in
from chartcite.records.when.resolved import Event
from chartcite.verification.analysis import Analysed
from chartcite.verification.sentences import Piece, is_family, pieces
from chartcite.verification.verdicts import Source

_UNKNOWN = "9999-12-31"
"""Stands for the day of a note that has none; later than every day that a sentence names."""


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A result in a cited sentence. `day` is ISO, maybe only a month or a year; empty where nobody says it.

    Not `is_sure` is a day that may as well be read otherwise (`05/06/2015`); then there is an entry for each reading.
    """

    analyte: str
    amount: Amount
    day: str
    source_id: str
    span: Span
    is_sure: bool = True


@dataclass(frozen=True, slots=True)
class StatedAction:
    """What a cited sentence says was done with a drug on a day; `dose` is that it was taken. `per_day` in times."""

    drug: str
    action: Action
    day: str
    amount: Amount | None
    per_day: Fraction | None
    source_id: str
    span: Span


class Cited:
    """The cited texts, read when they are first asked for, each once.

    Args:
        sources: in any order; what stands under a header of the family's history is never read.
        sentences: of all of them, with the id of the source of each.
        named: the days of the claim, as forms: of a date that can be read two ways the reading that it names holds.
        order: how the cited texts write dates in numbers, where that is known.
        facts_of: reads a sentence; it may outlive one check where sources come again.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        sentences: Sequence[tuple[str, Analysed]] = (),
        named: Collection[str] = (),
        order: DateOrder = "",
        facts_of: FactsReader | None = None,
    ) -> None:
        self._sources, self.sentences, self._reading = sources, sentences, (named, order)
        self._facts_of = facts_of or FactsReader()
        self._lines: list[tuple[Source, Piece, Line]] | None = None
        self._values: tuple[StatedValue, ...] | None = None
        self._actions: tuple[StatedAction, ...] | None = None

    @property
    def sources(self) -> Sequence[Source]:
        """What is cited."""
        return self._sources

    @property
    def values(self) -> tuple[StatedValue, ...]:
        """All results."""
        if self._values is None:
            self._values = tuple(dict.fromkeys(self._read_values()))
        return self._values

    @property
    def actions(self) -> tuple[StatedAction, ...]:
        """All that was done with drugs."""
        if self._actions is None:
            self._actions = tuple(dict.fromkeys(self._read_actions()))
        return self._actions

    def texts(self) -> Iterator[tuple[Source, str, DateOrder]]:
        """Each sentence, and how its dates may be read."""
        return ((source, line.text, line.order) for source, _, line in self._all_lines())

    def of(self, analyte: str) -> list[StatedValue]:
        """The results of one analyte."""
        return [value for value in self.values if value.analyte == analyte]

    def _read_values(self) -> Iterator[StatedValue]:
        lines = self._all_lines()
        readings = Counter((source.id, piece) for source, piece, _ in lines)
        for source, piece, line in lines:
            span, is_sure = Span(piece.start, piece.end), readings[source.id, piece] == 1
            for one in stated(line, self._facts_of):
                if not one.day:
                    continue
                is_elsewhen = one.is_own and _is_elsewhen(line.text, one.text)
                day = "" if is_elsewhen else _known(one.day)
                yield StatedValue(one.analyte, one.amount, day, source.id, span, is_sure)

    def _read_actions(self) -> Iterator[StatedAction]:
        for source, piece, line in self._all_lines():
            if _PROPOSED.search(line.text) or _KIN.search(line.text):
                continue
            span = Span(piece.start, piece.end)
            is_again = _AGAIN.search(line.text) is not None
            for one in doses_stated(line, self._facts_of):
                action = "resume" if is_again and one.action in ("start", "dose") else one.action
                yield StatedAction(one.drug, action, _known(one.day), one.amount, one.per_day, source.id, span)

    def _all_lines(self) -> list[tuple[Source, Piece, Line]]:
        if self._lines is None:
            events = _events(self._sources, self._reading[1])
            self._lines = [found for source in self._sources for found in _lines(source, *self._reading, events)]
        return self._lines


def _known(day: str) -> str:
    return "" if day >= "9999" else day


_ELSEWHEN = re.compile(
    r"\b(?:last\s+(?:week|month|year|visit|time|night|admission|value)|yesterday|ago|previous\w*|prior|earlier|"
    r"(?:on|at)\s+(?:admission|arrival|presentation|discharge|outside)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"baseline|usual\w*|in\s+the\s+past|tomorrow|expected|predicted|would|could|semana\s+passada|m[êe]s\s+passado|ontem|"
    r"atr[áa]s|anterior\w*|pr[ée]vi[ao]\w*|basal|na\s+(?:admiss[ãa]o|alta|chegada)|esperad[ao])\b",
    re.IGNORECASE,
)
"""What puts a number without a date on another day than its note's."""
_PROPOSED = re.compile(
    r"\b(?:if|consider\w*|may|might|could|would|unless|should|discuss\w*|talk\w*|option\w*|propos\w*|tomorrow|"
    r"next\s+(?:week|month|visit)|se|considerar|poder\w*|poderia|discut\w*|caso|propost\w*|avaliar|amanh[ãa])\b",
    re.IGNORECASE,
)
"""What was only thought of was not done."""
_AGAIN = re.compile(
    r"\b(?:reintroduc\w*|re-?start\w*|resum\w*|(?:go|going|went|goes|put|is|was)\s+back\s+on|re-?initiat\w*|reinici\w*|"
    r"retom\w*|reintrodu\w*|volt(?:ar|ou)\s+a)\b",
    re.IGNORECASE,
)
_KIN = re.compile(
    r"\b(?:mother|father|parents?|sister|brother|siblings?|son|daughter|husband|wife|spouse|partner|aunt|uncle|cousin|"
    r"grand(?:mother|father|son|daughter)|neighbou?r|roommate|friend|dad|mom|donor|m[ãa]e|pai|irm[ãa]o?|filh[oa]|marido|"
    r"esposa|ti[ao]|av[óô]|vizinh[oa]|prim[oa]|cunhad[oa]|doador[a]?)\b",
    re.IGNORECASE,
)
"""A sentence that names another person may tell what that one takes."""


def _is_elsewhen(text: str, number: str) -> bool:
    """Whether the clause of a number speaks of another time or person."""
    at = text.find(number)
    start = max(text.rfind(mark, 0, at) for mark in (",", ";", ":", "(", "\n"))
    ends = [end for mark in (",", ";", "(", ". ") if (end := text.find(mark, at + len(number))) >= 0]
    clause = text[start + 1 : min(ends, default=len(text))]
    return at >= 0 and bool(_ELSEWHEN.search(clause) or _KIN.search(clause))


def _events(sources: Sequence[Source], order: DateOrder) -> dict[str, Events]:
    """By document the days of events that what is cited of it states, else what is cited of the others does."""
    own: dict[str, dict[Event, tuple[EventStated, ...]]] = {source.document: {} for source in sources}
    for source in sources:
        info = DocumentInfo(0, source.document, "", "", _when(source.day), "", "", "")
        unit = Sentence(0, 0, len(source.text))
        for event, stating in stated_in(info, source.text, [unit], order).items():
            own[source.document][event] = (*own[source.document].get(event, ()), *stating)
    every: dict[Event, tuple[EventStated, ...]] = {}
    for events in own.values():
        for event, stating in events.items():
            every[event] = (*every.get(event, ()), *stating)
    return {document: {**every, **events} for document, events in own.items()}


def _when(day: str) -> When | None:
    try:
        return When.parse(day)
    except ValueError:
        return None


def _lines(
    source: Source, claimed: Collection[str], order: DateOrder, events: Mapping[str, Events]
) -> Iterator[tuple[Source, Piece, Line]]:
    """Each sentence of a source; one with a date that can be read two ways comes with both readings."""
    if is_family(source.section):
        return
    own = [piece for piece in _unwrapped(source) if not piece.is_family]
    written = source.day if len(source.day) == 10 else _UNKNOWN
    named = [any(days(source.text[p.start : p.end], written)) for p in own]
    for piece, is_dated in zip(own, named, strict=True):
        # A sentence without a date beside one that has another may be of either day.
        day = written if is_dated or not any(named) else _UNKNOWN
        text = source.text[piece.start : piece.end]
        for reading in [order] if order else _orders(text, written, claimed):
            place = Place(0, source.document, 0, piece.start, piece.end, written)
            head = source.head if piece.start == 0 else ""
            line = Line(text, place, day, reading, section=source.section, head=head, events=events[source.document])
            yield source, piece, line


def _unwrapped(source: Source) -> Iterator[Piece]:
    """The sentences of a source; one that only the end of a line has cut is whole again."""
    last: Piece | None = None
    for piece in pieces(source.text, source.section):
        if (
            last is not None
            and _WRAPPED.search(source.text, last.start, last.end)
            and last.is_family == piece.is_family
        ):
            last = last._replace(end=piece.end)
            continue
        if last is not None:
            yield last
        last = piece
    if last is not None:
        yield last


_WRAPPED = re.compile(r"(?:\b[a-zà-ÿ]+|,)[ \t]*\Z")


def _orders(text: str, written: str, claimed: Collection[str]) -> list[DateOrder]:
    """How the dates of a sentence may be read: as the claim reads them, and never of a day after the note."""
    readings: dict[tuple[str, ...], DateOrder] = {}
    for order in ("month", "day"):
        found = tuple(day.iso for day in days(text, written, order))
        if all(day <= written for day in found):
            readings.setdefault(found, order)
    own = [order for found, order in readings.items() if any(covers(form, day) for form in claimed for day in found)]
    return own or list(readings.values()) or [""]
