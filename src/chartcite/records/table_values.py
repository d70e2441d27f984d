"""The results in one row of a table, each under the head of its column: a day, a measured thing, `Result`, `Units`.

Three kinds of table: days across and analytes down, analytes across and days down, one result a row beside its unit and
limits. A cell is a result only if its column says so, and nothing else stands in it: what cannot be told is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal, NamedTuple

from chartcite.facts.line import read_line
from chartcite.facts.measurements import Measurement, find_names
from chartcite.facts.readings import Reading
from chartcite.facts.units import unit_pattern
from chartcite.records.days import DateOrder, days
from chartcite.records.reading import FactsReader
from chartcite.text.columns import Cell, Row, under

ColumnKind = Literal["day", "analyte", "result", "unit", "reference", "flag", "when", "name", ""]

_KINDS: tuple[tuple[ColumnKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"(?:{words})\W*", re.IGNORECASE))  # type: ignore[misc]
    for kind, words in (
        ("result", r"(?:(?:your|test|current|today(?:['’]s)?|patient|lab)\s+)?(?:results?|values?)|current|today"
                   r"|resultados?|valor(?:es)?|atual|hoje|valor encontrado"),
        ("unit", r"units?|unidades?|un\.?"),
        ("reference", r"(?:normal|reference|ref\.?|biological)?\s*(?:range|interval|values?|limits?)|reference|ref\.?|"
                      r"normals?|(?:valor(?:es)? de\s+)?refer[êe]ncia|vr"),
        ("flag", r"flags?|abn(?:ormal)?\.?|h/l|alertas?|indicador"),
        ("name", r"tests?|test name|analytes?|components?|lab(?:oratory)? test|exames?|teste"),
        ("when", r"(?:collect(?:ed|ion)|drawn|date|date/time|collection date|date collected|data|data da coleta|"
                 r"coleta)"),
    )
)  # fmt: skip
_CLOCK = re.compile(
    r"\d{1,2}(?::|h)\d\d(?::\d\d)?\s?(?:[ap]m|h(?:rs?)?)?|\d{1,2}\s?[ap]m|[0-2]\d[0-5]\d\s?h?", re.IGNORECASE
)
_FLAG = r"(?:\s*[(\[]?\s*(?:HH?|LL?|[*↑↓]+|high|low|abn(?:ormal)?|crit(?:ical)?|alto|baixo|normal|N)\s*[)\]]?\*?)"
_NUMBER = r"[<>≤≥]?=?\s?[-−]?\d+(?:[.,]\d+)*(?:\s?/\s?\d+(?:[.,]\d+)?)?"
_DATE_LIKE = re.compile(r"\d+[-/]\d+|[a-z]{3,}\W{0,2}\d|\d+(?:\s|-)(?:de\s)?[a-z]{3,}", re.IGNORECASE)


class Column(NamedTuple):
    """What the head of a column says of the cells below it: for a day its date, for an analyte its name and unit."""

    kind: ColumnKind
    day: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class TableValue:
    """A result of a row.

    Attributes:
        analyte: what was measured.
        value: as read; its spans are of no text.
        text: the number as written, a slice of the row.
        day: ISO date of its column or row; empty where the table names none.
        reference: the limits beside it as written, a slice of the row; or empty.
    """

    analyte: Measurement
    value: Reading
    text: str
    day: str
    reference: str = ""


def table_values(
    head: str, row: str, written: str, order: DateOrder, facts_of: FactsReader
) -> tuple[TableValue, ...] | None:
    """The results of a row; None where the row holds at most one number and its head says nothing of it.

    Args:
        head: the head of the table, from the column at which the row begins.
        row: the row.
        written: ISO date of the note.
        order: how the document writes dates in numbers; empty if it does not show.
        facts_of: reads a sentence.
    """
    found = under(head, row)
    if found is None:
        return () if _numbers(row) > 1 else None
    columns = _columns(head, found, written, order)
    if not any(column.kind in ("day", "analyte", "result") for column in columns):
        return () if _numbers(row) > 1 else None
    label = row[slice(*found.label)] if found.label else ""
    names = [row[slice(*p.cell)] for p, c in zip(found.cells, columns, strict=True) if c.kind == "name"]
    head_label = head[slice(*found.head_label)] if found.head_label else ""
    if names and label and _column(head_label).kind == "when":
        own_day = _days([label], written, order)[0] or None
    else:
        own_day = _row_day(label, row, found, columns, written, order)
    if own_day is None:
        return ()
    label = names[0] if len(names) == 1 else label
    return tuple(_read(row, found, columns, own_day, label, facts_of))


def _numbers(row: str) -> int:
    return len(re.findall(r"(?<![\w.,/:-])\d+(?:[.,]\d+)*(?![\w/:-])", row))


def _columns(head: str, found: Row, written: str, order: DateOrder) -> list[Column]:
    """What each column is."""
    texts = [head[slice(*pair.head)] for pair in found.cells]
    of_day = _days(texts, written, order)
    return [Column("day", day) if day else _column(text) for text, day in zip(texts, of_day, strict=True)]


@lru_cache(maxsize=1024)
def _column(text: str) -> Column:
    for kind, pattern in _KINDS:
        if pattern.fullmatch(text):
            return Column(kind)
    if _CLOCK.fullmatch(text):
        return Column("result")
    names = find_names(read_line(text))
    if len(names) == 1 and not text[: names[0].span.start].strip():
        return Column("analyte", "", text)
    return Column("")


def _days(cells: Sequence[str], written: str, order: DateOrder) -> list[str]:
    """The day of each cell that is one; empty for others.

    Where nothing shows which number is the month, the reading nearest before the note is taken: what is in a table was
    measured lately, and its columns follow each other.
    """
    dated = [bool(_DATE_LIKE.search(cell)) for cell in cells]
    readings = [
        [_day(cell, written, one) if is_dated else "" for cell, is_dated in zip(cells, dated, strict=True)]
        for one in ([order] if order else ("month", "day"))
    ]
    told = [r for r in readings if sum(map(bool, r)) == max(sum(map(bool, other)) for other in readings)]
    return min(told, key=lambda r: min((_days_before(day, written) for day in r if day), default=0))


def _day(cell: str, written: str, order: DateOrder) -> str:
    found = [day.iso for day in days(f"on {cell}", written, order)]
    return found[0] if len(found) == 1 else ""


def _days_before(day: str, written: str) -> int:
    if len(written) < 10:
        return 0
    gap = (date.fromisoformat(written[:10]) - date.fromisoformat(day)).days
    return gap if gap >= 0 else 100_000


def _row_day(label: str, row: str, found: Row, columns: Sequence[Column], written: str, order: DateOrder) -> str | None:
    """The day that the row itself names, empty without one; None where its label is one that says no day."""
    whens = [row[slice(*p.cell)] for p, c in zip(found.cells, columns, strict=True) if c.kind == "when"]
    for said in whens:
        return _days([said], written, order)[0] or None
    if any(column.kind == "analyte" for column in columns):
        if not label or _CLOCK.fullmatch(label):
            return ""
        return _days([label], written, order)[0] or None
    return ""


def _read(
    row: str, found: Row, columns: Sequence[Column], own_day: str, label: str, facts_of: FactsReader
) -> Iterator[TableValue]:
    beside = {c.kind: row[slice(*p.cell)] for p, c in zip(found.cells, columns, strict=True) if c.kind != "analyte"}
    unit, mark = beside.get("unit", ""), beside.get("flag", "")
    for pair, column in zip(found.cells, columns, strict=True):
        if column.kind not in ("day", "analyte", "result"):
            continue
        name = column.name if column.kind == "analyte" else label
        read = _result(name, row, pair.cell, (unit, mark), facts_of)
        if read is not None:
            measured, value, text = read
            yield TableValue(measured, value, text, column.day or own_day, beside.get("reference", ""))


def _result(
    name: str, row: str, cell: Cell, beside: tuple[str, str], facts_of: FactsReader
) -> tuple[Measurement, Reading, str] | None:
    """A cell that holds one number and nothing else but its unit and flag, as a value of what is named.

    `beside`: the unit and the flag of the row's own columns for them.
    """
    text = row[slice(*cell)]
    number = _cell_pattern().fullmatch(text)
    if number is None or not name:
        return None
    plain, of_name = _split_unit(name)
    said = f"{plain} {text[: number.end('value')]}"
    own = number["unit"] or of_name or beside[0]
    flag = text[number.end("value") :].removeprefix(number["unit"] or "").strip() or beside[1]
    # The number with its unit and mark in the order in which a sentence has them.
    facts = facts_of(" ".join(part for part in (said, own, f"({flag})" if flag.isalpha() else flag) if part))
    if len(facts.measurements) != 1:
        return None
    measured = facts.measurements[0]
    results = [value for value in measured.values if value.role == "result"]
    if len(results) != 1 or len(measured.values) != 1 or measured.span.start >= len(plain):
        return None
    return measured, results[0], number["value"].strip()


@lru_cache(maxsize=1)
def _cell_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?P<value>{_NUMBER})\*?(?:\s*(?P<unit>{unit_pattern()}))?{_FLAG}?\*?", re.IGNORECASE)


@lru_cache(maxsize=1)
def _named_unit() -> re.Pattern[str]:
    return re.compile(rf"(?:\s*[\[(]\s*|\s*,\s*|\s+)(?P<unit>{unit_pattern()})\s*[\])]?\s*:?", re.IGNORECASE)


@lru_cache(maxsize=1024)
def _split_unit(name: str) -> tuple[str, str]:
    """A name and the unit behind it: `Hemoglobin (g/dL)`, `BUN, mg/dL`, `Weight kg`; `vitamin D` has none."""
    for found in _named_unit().finditer(name):
        is_letter = found[0].strip().isalpha() and len(found["unit"]) == 1
        if found.end() == len(name) and found.start() and not is_letter:
            return name[: found.start()], found["unit"]
    return name.rstrip(": "), ""
