"""Values of one analyte over time, from what sentences state.

The same number of the same day is one entry with several sources. A result that was put right stays visible and counts
no more.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import lru_cache

from chartcite.facts.analytes import convert
from chartcite.facts.line import read_line
from chartcite.facts.measurements import find_names
from chartcite.facts.tokens import fold
from chartcite.facts.units import parse_unit
from chartcite.records.entries import Amount, Flag, Series, Standing, Value
from chartcite.records.values_stated import Stated


def series(found: Iterable[Stated]) -> list[Series]:
    """By analyte, the values of each day, oldest first."""
    by_analyte: dict[str, list[Stated]] = defaultdict(list)
    for one in found:
        by_analyte[one.analyte].append(one)
    return [_series(analyte, _placed(_of_first_writing(by_analyte[analyte]))) for analyte in sorted(by_analyte)]


_NEAR_DAYS = 400
_LONG_WORDS = 8


def _of_first_writing(found: Sequence[Stated]) -> list[Stated]:
    """What a later note has word for word, as it was first written: a copy is no result of the later day.

    A short line and a row of a table may be measured again to the same number, and so may a vital sign, of which there
    are few numbers; a sentence about a laboratory value is not worded again to the letter, nor are several results of
    one line the same again.
    """
    first: dict[tuple[str, Fraction, Fraction], Stated] = {}
    for one in sorted((o for o in found if not o.is_report), key=lambda o: (o.source.written, o.source.doc_id)):
        first.setdefault(_said(one), one)
    out = []
    for one in found:
        origin = first.get(_said(one)) if not one.is_report else None
        is_counted = one.rests is not None and one.rests.basis == "document"
        is_copy = origin is not None and origin.source.written < one.source.written
        if origin and is_copy and (is_counted or (one.is_own and (_is_worded(one) or _is_panel(one)))):
            one = replace(one, day=origin.day, is_own=False, rests=origin.rests)  # noqa: PLW2901 - the same one, placed
        out.append(one)
    return out


_OF_TODAY = re.compile(r"\b(?:today|this morning|hoje|esta manh[ãa])\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2,}")


def _is_worded(one: Stated) -> bool:
    quote = one.source.quote
    return "|" not in quote and len(_WORD.findall(quote)) >= _LONG_WORDS and not _is_vital(one.analyte)


_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")
_MANY_NUMBERS = 3


def _is_panel(one: Stated) -> bool:
    """Whether a line has several results, which are not all measured again to the same: `ABG today: pH 7.31, pCO2 52`.

    Three numbers, or two with words that make them the note's own day's; never of vital signs, nor a table's row.
    """
    quote = one.source.quote
    if "|" in quote or _is_vital(one.analyte):
        return False
    return len(set(_DIGITS.findall(quote))) >= _MANY_NUMBERS - bool(_OF_TODAY.search(quote))


@lru_cache(maxsize=512)
def _is_vital(analyte: str) -> bool:
    names = find_names(read_line(analyte))
    return bool(names) and names[0].values[0].kind == "vital"


def _said(one: Stated) -> tuple[str, Fraction, Fraction]:
    return " ".join(one.source.quote.split()).casefold(), one.amount.low, one.amount.high


def _placed(found: Sequence[Stated]) -> list[Stated]:
    """What a note says without a date, otherwise than that day's report, belongs to the last day that has that number.

    `Admitted with a BUN of 40` in a letter of the day whose report says 33.
    """
    reports: dict[str, list[Amount]] = defaultdict(list)
    for one in found:
        if one.is_report and one.is_own:
            reports[one.day].append(one.amount)
    known = sorted(
        ((one.day, one.amount) for one in found if one.is_report or not one.is_own), key=lambda item: item[0]
    )
    out = []
    for one in found:
        own = reports.get(one.day)
        if one.is_own and not one.is_report and own and not any(_same(one.amount, amount) for amount in own):
            earlier = [day for day, amount in known if day < one.day and _same(amount, one.amount)]
            if earlier and _days_between(earlier[-1], one.day) <= _NEAR_DAYS:
                one = replace(one, day=earlier[-1], is_own=False)  # noqa: PLW2901 - the same one, placed
        out.append(one)
    return out


def _days_between(first: str, second: str) -> int:
    return (date.fromisoformat(second) - date.fromisoformat(first)).days if len(first) == len(second) == 10 else 0


def _series(analyte: str, found: Sequence[Stated]) -> Series:
    counts = Counter(s.amount.unit for s in found)
    unit = _main_unit(analyte, counts)
    values = _with_corrections(_merged(analyte, found), found)
    values = [replace(value, converted=_converted(analyte, value.amount, unit)) for value in values]
    kept = [value for value in values if value.counts]
    conflict = any(v.amount.unit not in (unit, "") and v.converted is None for v in kept)
    units = tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    return Series(analyte, unit, units, conflict, tuple(values))


def _main_unit(analyte: str, counts: Mapping[str, int]) -> str:
    """The unit that most are written in; of two, the one into which more of the others can be converted."""

    def reached(unit: str) -> int:
        others = (other for other in counts if other not in ("", unit))
        one = Fraction(1)
        return sum(counts[other] for other in others if _converted(analyte, Amount(one, one, other), unit))

    written = [unit for unit in counts if unit]
    return min(written, key=lambda unit: (-counts[unit], -reached(unit), unit), default="")


def _merged(analyte: str, found: Sequence[Stated]) -> list[Value]:
    """One entry for each number of a day; a number without a unit joins the one that has it."""
    groups: dict[tuple[str, Fraction, Fraction, str], list[Stated]] = defaultdict(list)
    for one in found:
        groups[one.day, one.amount.low, one.amount.high, one.amount.comparator].append(one)
    values = []
    for (day, *_), members in groups.items():
        for same in _by_unit(members):
            members_in_order = sorted(same, key=_order)
            first = members_in_order[0]
            sources = tuple(dict.fromkeys(m.source for m in members_in_order))
            standing: Standing = "stated" if any(m.is_own for m in same) else "retold"
            flag: Flag = next((m.flag for m in members_in_order if m.flag), "")
            reference = next((m.reference for m in members_in_order if m.reference), "")
            amount = next((m.amount for m in members_in_order if m.amount.unit), first.amount)
            rests = first.rests if all(m.rests for m in members_in_order) else None
            values.append(Value(analyte, day, amount, first.text, sources, standing, None, flag, reference, rests))
    return sorted(values, key=lambda v: (v.day, v.sources[0].written, v.sources[0].start, v.amount.low))


def _by_unit(members: Sequence[Stated]) -> list[list[Stated]]:
    units = list(dict.fromkeys(m.amount.unit for m in members if m.amount.unit))
    if len(units) < 2:
        return [list(members)]
    return [[m for m in members if m.amount.unit in (unit, *([""] if unit == units[0] else []))] for unit in units]


def _order(one: Stated) -> tuple[bool, bool, bool, str, str, int]:
    """The report of the day itself first, then what names its day, then what was written first."""
    return (
        not one.is_own,
        not one.is_report,
        one.rests is not None,
        one.source.written,
        one.source.doc_id,
        one.source.start,
    )


def _with_corrections(values: Sequence[Value], found: Sequence[Stated]) -> list[Value]:
    """Marks what was put right: by the number that the correction names, else all older ones of its day."""
    out = list(values)
    for one in (o for o in found if o.corrects):
        for n, value in enumerate(out):
            if value.day == one.day and _same(value.amount, one.amount):
                out[n] = replace(value, standing="correction")
            elif value.day == one.day and _is_put_right(value, one):
                out[n] = replace(value, standing="corrected")
    return out


def _is_put_right(value: Value, by: Stated) -> bool:
    if by.was is not None:
        return _same(value.amount, by.was)
    return all(source.written <= by.source.written for source in value.sources[:1]) and value.standing != "correction"


def _same(one: Amount, other: Amount) -> bool:
    return (one.low, one.high, one.comparator) == (other.low, other.high, other.comparator) and (
        one.unit == other.unit or not one.unit or not other.unit
    )


def _converted(analyte: str, amount: Amount, unit: str) -> Amount | None:
    """The amount in the series' unit, where it was written in another that leads there."""
    if not amount.unit or amount.unit == unit or not unit:
        return None
    have, want = parse_unit(amount.unit), parse_unit(unit)
    ends = [convert(x, have, want, [fold(word) for word in analyte.split()]) for x in (amount.low, amount.high)]
    if ends[0] is None or ends[1] is None:
        return None
    return Amount(ends[0], ends[1], unit, amount.comparator, amount.is_pair)
