"""Findings as bytes, for the store: JSON of short lists; wording is kept as places in the document, never twice.

`unpacked(packed(x))` is `x`, for the same document.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol

from chartcite.core.documents import Document
from chartcite.core.errors import StoreDamaged
from chartcite.core.stored import DocumentInfo
from chartcite.records.doses import DoseStated
from chartcite.records.entries import Amount, Rests, Source
from chartcite.records.findings import DocumentFindings, Findings, Shown
from chartcite.records.history import ConditionStated, ProcedureStated
from chartcite.records.images import with_confidence
from chartcite.records.sources import source_at
from chartcite.records.topic import Wish, is_wanted
from chartcite.records.values_stated import Stated
from chartcite.records.when.events import EventStated

Row = list[Any]


class Texts(Protocol):
    """Where a document's text comes from; asked for only if something of it is wanted."""

    def document(self, key: int) -> Document:
        """One document, by the store's number."""


def packed(found: DocumentFindings) -> bytes:
    """As it is to be kept."""
    shown = found.shown
    by_order = {
        order: [
            [_value(one) for one in f.values], [_dose(one) for one in f.doses], f.listed, f.named, sorted(f.undosed),
            [_condition(one) for one in f.conditions], [_procedure(one) for one in f.procedures],
            [[one.event, one.day, _source(one.source)] for one in f.events],
        ]
        for order, f in found.by_order.items()
    }  # fmt: skip
    whole = [shown.lang, shown.order, shown.needs, by_order]
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()


def unpacked(data: bytes, info: DocumentInfo, texts: Texts, wish: Wish) -> DocumentFindings:
    """What was kept of a document, as far as it is wished for.

    Raises:
        StoreDamaged: it is not what `packed` makes, or does not fit the document.
    """
    try:
        lang, order, needs, by_order = json.loads(data)
        wanted = {
            o: (
                [row for row in rows[0] if is_wanted(row[0], wish.values)],
                [row for row in rows[1] if is_wanted(row[0], wish.doses)],
                rows[2], rows[3], frozenset(rows[4]), *(rows[5:7] if wish.history else ([], [])),
                rows[7] if wish.values is not None else [],
            )
            for o, rows in by_order.items()
        }  # fmt: skip
        has_any = any(values or doses or any(others) for values, doses, _, _, _, *others in wanted.values())
        document = texts.document(info.key) if has_any else None
        text = document.text if document else ""
        made = DocumentFindings(Shown(lang, order, needs), {o: _found(rows, info, text) for o, rows in wanted.items()})
        return with_confidence(made, document) if document else made
    except (ValueError, TypeError, KeyError, IndexError, ZeroDivisionError) as error:
        raise StoreDamaged(
            "What the store keeps of a document for the timeline is damaged.", "Run `chartcite index` to make it again."
        ) from error


def _found(rows: tuple[Any, ...], info: DocumentInfo, text: str) -> Findings:
    values, doses, listed, named, undosed, conditions, procedures, events = rows
    return Findings(
        tuple(_stated(row, info, text) for row in values), tuple(_dosed(row, info, text) for row in doses), listed,
        named, undosed, tuple(_condition_of(row, info, text) for row in conditions),
        tuple(_procedure_of(row, info, text) for row in procedures),
        tuple(EventStated(event, day, _source_of(source, info, text)) for event, day, source in events),
    )  # fmt: skip


def _condition(one: ConditionStated) -> Row:
    return [_place(one.source, one.name), one.status, one.day, one.since, _source(one.source)]


def _condition_of(row: Row, info: DocumentInfo, text: str) -> ConditionStated:
    name, status, day, since, source = row
    found = _source_of(source, info, text)
    return ConditionStated(_said(name, found), status, day, since, found)


def _procedure(one: ProcedureStated) -> Row:
    return [one.name, one.side, one.day, _source(one.source)]


def _procedure_of(row: Row, info: DocumentInfo, text: str) -> ProcedureStated:
    name, side, day, source = row
    return ProcedureStated(name, side, day, _source_of(source, info, text))


def _value(one: Stated) -> Row:
    bits = one.is_own | one.is_report << 1 | one.corrects << 2
    return [
        one.analyte, one.day, _amount(one.amount), _place(one.source, one.text), _source(one.source), bits,
        _amount(one.was), one.flag, _place(one.source, one.reference), _rests(one),
    ]  # fmt: skip


def _rests(one: Stated) -> Row | None:
    if one.rests is None:
        return None
    source = one.rests.source
    return [one.rests.basis, _place(one.source, one.rests.said), _source(source) if source else None, one.rests.offset]


def _rests_of(row: Row | None, source: Source, info: DocumentInfo, text: str) -> Rests | None:
    if row is None:
        return None
    basis, said, stating, offset = row
    return Rests(basis, _said(said, source), _source_of(stating, info, text) if stating else None, offset)


def _stated(row: Row, info: DocumentInfo, text: str) -> Stated:
    analyte, day, amount, said, source, bits, was, flag, reference, rests = row
    found = _source_of(source, info, text)
    value = _amount_of(amount)
    if value is None:
        raise ValueError("a value without an amount")
    return Stated(
        analyte, day, value, _said(said, found), found, bool(bits & 1), bool(bits & 2), bool(bits & 4),
        _amount_of(was), flag, _said(reference, found), _rests_of(rests, found, info, text),
    )  # fmt: skip


def _dose(one: DoseStated) -> Row:
    often = [one.per_day.numerator, one.per_day.denominator] if one.per_day is not None else None
    bits = one.as_needed | one.is_own << 1 | one.is_listed << 2 | one.varies << 3
    return [
        one.drug, one.day, one.action, _source(one.source), _amount(one.amount), often, one.route,
        _place(one.source, one.text), bits,
    ]  # fmt: skip


def _dosed(row: Row, info: DocumentInfo, text: str) -> DoseStated:
    drug, day, action, source, amount, often, route, said, bits = row
    found = _source_of(source, info, text)
    per_day = Fraction(*often) if often else None
    return DoseStated(
        drug, day, action, found, _amount_of(amount), per_day, route, _said(said, found), bool(bits & 1),
        bool(bits & 2), bool(bits & 4), bool(bits & 8),
    )  # fmt: skip


def _amount(one: Amount | None) -> Row | None:
    if one is None:
        return None
    low, high = one.low, one.high
    ends = [low.numerator, low.denominator] + ([] if low == high else [high.numerator, high.denominator])
    return [ends, one.unit, one.comparator, int(one.is_pair)]


def _amount_of(row: Row | None) -> Amount | None:
    if row is None:
        return None
    ends, unit, comparator, is_pair = row
    low = Fraction(ends[0], ends[1])
    return Amount(low, Fraction(ends[2], ends[3]) if len(ends) > 2 else low, unit, comparator, bool(is_pair))


def _source(one: Source) -> Row:
    return [one.sentence, one.start, one.end]


def _source_of(row: Row, info: DocumentInfo, text: str) -> Source:
    sentence, start, end = row
    if not 0 <= start < end <= len(text):
        raise ValueError("a span outside its document")
    return source_at(info, sentence, start, end, text)


def _place(source: Source, said: str) -> Row | None:
    """Where the wording stands in its sentence: its first place, since only the wording counts."""
    if not said:
        return None
    at = source.quote.index(said)
    return [at, at + len(said)]


def _said(place: Sequence[int] | None, source: Source) -> str:
    return source.quote[place[0] : place[1]] if place else ""
