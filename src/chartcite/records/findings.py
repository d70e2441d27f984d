"""What one document says of the patient over time: values, doses, diagnoses, procedures, each with its sentence.

Depends on the document alone, and on the order in which it writes a date in numbers, so that it can be kept beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from chartcite.core.documents import Sentence
from chartcite.core.stored import DocumentInfo
from chartcite.records.days import DateOrder
from chartcite.records.doses import DoseStated
from chartcite.records.doses_stated import doses_stated, is_listed
from chartcite.records.history import ConditionStated, ProcedureStated
from chartcite.records.history_stated import conditions_stated, may_tell_history, procedures_stated
from chartcite.records.lines import Line, lines_of
from chartcite.records.reading import FactsReader
from chartcite.records.topic import Sieve, Wish, drugs_sieve, is_wanted, values_sieve
from chartcite.records.values_stated import Stated, stated
from chartcite.records.when.events import EventStated, stated_in


@dataclass(frozen=True, slots=True)
class Findings:
    """Of one document, in the order of its text.

    Attributes:
        listed: how many entries of a list of all medicines it has.
        undosed: the drugs that such a list names without an amount; `named` how many it names at all.
        events: the days of admission, operation and discharge that it states, for days of its stay counted from them.
    """

    values: tuple[Stated, ...] = ()
    doses: tuple[DoseStated, ...] = ()
    listed: int = 0
    named: int = 0
    undosed: frozenset[str] = frozenset()
    conditions: tuple[ConditionStated, ...] = ()
    procedures: tuple[ProcedureStated, ...] = ()
    events: tuple[EventStated, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """What a document shows of how it writes dates.

    `needs`: it has a date for which it matters; only then are there findings by another order.
    """

    lang: str
    order: DateOrder
    needs: bool


@dataclass(frozen=True, slots=True)
class DocumentFindings:
    """Findings by the order in which dates are read; where a document shows its order, or needs none, only by that."""

    shown: Shown
    by_order: Mapping[DateOrder, Findings]

    def read_by(self, order: DateOrder) -> Findings:
        """The findings, read by an order where the document itself shows none."""
        own = self.shown.order
        return self.by_order[own if own or not self.shown.needs else order]


@dataclass(slots=True)
class _Open:
    values: list[Stated] = field(default_factory=list)
    doses: list[DoseStated] = field(default_factory=list)
    listed: int = 0
    named: set[str] = field(default_factory=set)
    dosed: set[str] = field(default_factory=set)
    conditions: list[ConditionStated] = field(default_factory=list)
    procedures: list[ProcedureStated] = field(default_factory=list)


def find(
    info: DocumentInfo, text: str, sentences: Iterable[Sentence], order: DateOrder, wish: Wish, facts_of: FactsReader
) -> Findings:
    """Read a document.

    Args:
        info: the document.
        text: its text.
        sentences: its sentences.
        order: how it writes dates in numbers.
        wish: what is looked for.
        facts_of: reads a sentence.
    """
    ways = _ways(wish)
    made = _Open()
    sentences = list(sentences)
    events = stated_in(info, text, sentences, order) if wish.values is not None else {}
    for line in lines_of(info, text, sentences, order, events, lambda *said: any(way.passes(*said) for way in ways)):
        for way in ways:
            if way.passes(line.named, line.section):
                way.read(line, made, facts_of)
    return Findings(
        tuple(made.values), tuple(made.doses), made.listed, len(made.named), frozenset(made.named - made.dosed),
        tuple(made.conditions), tuple(made.procedures), tuple(one for stated in events.values() for one in stated),
    )  # fmt: skip


class _Way(NamedTuple):
    """One kind of entry: where it may be, and how it is read."""

    passes: Callable[[str, tuple[str, ...]], bool]
    read: Callable[[Line, _Open, FactsReader], None]


def may_say(text: str, wish: Wish) -> bool:
    """Whether a text may say something of what is wished for; cheap."""
    return wish.history or any(way.passes(text, ()) for way in _ways(wish))


def _ways(wish: Wish) -> list[_Way]:
    return [way for way in (_values_way(wish), _doses_way(wish), _history_way(wish)) if way]


def _through(sieve: Sieve) -> Callable[[str, tuple[str, ...]], bool]:
    return lambda text, _: sieve.lets_through(text)


def _values_way(wish: Wish) -> _Way | None:
    if wish.values is None:
        return None

    def read(line: Line, made: _Open, facts_of: FactsReader) -> None:
        made.values += (one for one in stated(line, facts_of) if is_wanted(one.analyte, wish.values))

    return _Way(_through(values_sieve(wish.values)), read)


def _doses_way(wish: Wish) -> _Way | None:
    if wish.doses is None and not wish.lists:
        return None
    own = drugs_sieve(wish.doses or frozenset())

    def read(line: Line, made: _Open, facts_of: FactsReader) -> None:
        made.listed += is_listed(line)
        if wish.lists and is_listed(line, needs_number=False):
            facts = facts_of(line.text)
            made.named.update(drug.name for drug in facts.drugs)
            made.dosed.update(dose.drug.name for dose in facts.doses if dose.strength is not None)
        if wish.doses is not None and own.lets_through(line.named):
            made.doses += (one for one in doses_stated(line, facts_of) if is_wanted(one.drug, wish.doses))

    return _Way(_through(drugs_sieve()), read)


def _history_way(wish: Wish) -> _Way | None:
    if not wish.history:
        return None

    def read(line: Line, made: _Open, facts_of: FactsReader) -> None:
        made.conditions += conditions_stated(line, facts_of)
        made.procedures += procedures_stated(line, facts_of)

    return _Way(may_tell_history, read)
