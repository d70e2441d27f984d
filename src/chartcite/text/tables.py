"""Finds the head of each table row: the line above that names its columns. Knows rows, not what they hold.

A head has no plain number in it, and the row below it has one under a column of it. It holds until text, a section
or a blank line ends the table; a row behind a blank line belongs to it only if all its cells stand below cells of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from chartcite.core.documents import Sentence, Span
from chartcite.core.unseen import look
from chartcite.text.columns import Row, cells_of, under

_LONGEST_CHARS = 400
_LONGEST_CAPTION_CHARS = 40
_NUMBER = re.compile(r"[<>≤≥~=]{0,2}\s?[-−]?\d+(?:[.,]\d+)*(?:\s*/\s*\d+)?(?![\w:/])(?!-\d)")
_DATE = re.compile(
    r"(?:\[\*\*)?\d{1,4}[-/]\d{1,2}(?:[-/]\d{1,4})?\b|\d{1,2}\.\d{1,2}\.\d{2,4}\b|\d{1,2}[:h]\d\d\b|\d{1,2}\s?[ap]m\b|\d{1,2}(?:\s|-)[a-z]{3,9}\b|"
    r"[a-z]{3,9}\.?\s\d{1,2}\b",
    re.IGNORECASE,
)
_MILITARY = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d")
"""`0600   1200   1800`: hours, if nothing else stands in the line."""
_PRESSURE = re.compile(r"(?P<high>\d{2,3})/(?P<low>\d{2,3})\b")
_RULE = re.compile(r"[\s|:=+_-]+")


def head_spans(text: str, sentences: Sequence[Sentence]) -> Mapping[int, Span]:
    """The head of each row that has one, by the row's number.

    A span begins at the column at which its row begins, so that its first character and the row's stand in one column
    of the page, and may begin with blanks. The cost is linear in the length of the text.
    """
    view = look(text)
    if view.is_all:
        return _heads(text, sentences)
    shown = [replace(s, start=at.start, end=at.end) for s in sentences for at in [view.shown(Span(s.start, s.end))]]
    return {n: view.span(head) for n, head in _heads(view.text, shown).items()}


def _heads(text: str, sentences: Sequence[Sentence]) -> dict[int, Span]:
    found: dict[int, Span] = {}
    head: Span | None = None
    has_rows, last_end, broken = False, 0, False
    for unit in sentences:
        gap = text.count("\n", last_end, unit.start) > 1
        last_end = unit.end
        line = text[unit.start : unit.end]
        if unit.kind != "row" or len(line) > _LONGEST_CHARS:
            broken = broken or gap
            if not _is_between(unit, line) or broken:
                head, has_rows, broken = None, False, False
            continue
        if _RULE.fullmatch(line):
            continue
        start = text.rfind("\n", 0, unit.start) + 1
        is_open = head is None or gap or not (has_rows or _has_dates(text[slice(*head)]))
        if _may_be_head(line) and (is_open or _has_dates(line)):
            head, has_rows, broken = Span(start, unit.end), False, False
            continue
        broken, gap = False, gap or broken
        if head is None:
            continue
        own = _own(text, head, unit.start - start)
        row = under(text[slice(*own)], line) if own else None
        if own is not None and row is not None and _holds_numbers(row, line):
            found[unit.n], has_rows = own, True
        elif gap:
            head = None
    return found


def _own(text: str, head: Span, indent: int) -> Span | None:
    """The head from the column at which a row begins; None if that would cut into it."""
    start = head.start + indent
    return Span(start, head.end) if start < head.end and not text[head.start : start].strip(" \t") else None


def _is_between(unit: Sentence, line: str) -> bool:
    """Whether a line may stand inside a table: the caption of a group of rows, or a cell's second line."""
    is_short = len(line) <= _LONGEST_CAPTION_CHARS and not any(map(str.isdigit, line))
    return is_short and (unit.kind == "header" or not line.rstrip().endswith((".", "?", "!")))


def _may_be_head(line: str) -> bool:
    """Two cells or more, and no plain number among them."""
    cells = [line[slice(*cell)] for cell in cells_of(line)]
    full = [cell for cell in cells if cell]
    if all(_MILITARY.fullmatch(cell) for cell in full):
        return len(full) > 1 and full[0].startswith("0")
    return len(full) > 1 and not any(_is_number(cell) for cell in full)


def _is_number(cell: str) -> bool:
    """`138`, `12.3 (H)`, `<0.01`, `120/80`; no date and no time of day."""
    pressure = _PRESSURE.match(cell)
    if pressure and int(pressure["high"]) > 31 and int(pressure["low"]) > 12:
        return True
    return _NUMBER.match(cell) is not None and _DATE.match(cell) is None


def _has_dates(line: str) -> bool:
    cells = [line[slice(*cell)] for cell in cells_of(line)]
    return sum(_DATE.match(cell) is not None for cell in cells) > 1


def _holds_numbers(row: Row, line: str) -> bool:
    return any(any(map(str.isdigit, line[slice(*pair.cell)])) for pair in row.cells)
