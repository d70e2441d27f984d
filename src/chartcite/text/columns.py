"""Which cell of a table's row stands below which cell of its head. Knows columns, not what they hold.

Three layouts: bars (`| Na | 138 |`), tabs, and blanks (two or more). Linear in the length of the two lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_BLANKS = re.compile(r"[^\s|]+(?: [^\s|]+)*")
_MOST_CELLS = 40
_NEAR = 1
_LABELS = re.compile(
    r"(?:test|analyte|component|lab|exam|exame|date|data|time|hora|horário|dia|day|parameter|parâmetro|item|name|nome|"
    r"teste|measurement|variable)s?\s*:?",
    re.IGNORECASE,
)
"""What the head of the first column says of it."""
_TOUCHING = re.compile(
    r"(?:(?<=flag)|(?<=units)|(?<=unit)|(?<=result)|(?<=resultado)|(?<=unidade)) "
    r"(?=(?:flags?|units?|unidade|range)\b|ref)",
    re.IGNORECASE,
)


class Cell(NamedTuple):
    """A cell: `line[start:end]` without the white space around it; `start == end` for an empty one."""

    start: int
    end: int


class Pair(NamedTuple):
    """A cell of a row, and the cell of the head that it stands under."""

    head: Cell
    cell: Cell


class Row(NamedTuple):
    """A row under its head: what the row is called (`label`, None without one) and its other cells."""

    label: Cell | None
    head_label: Cell | None
    cells: tuple[Pair, ...]


def cells_of(line: str) -> list[Cell]:
    """The cells of a line, in order; with bars or tabs also the empty ones."""
    if "|" in line:
        return _separated(line, "|")
    return _separated(line, "\t") if "\t" in line else [Cell(*found.span()) for found in _BLANKS.finditer(line)]


def under(head: str, row: str) -> Row | None:
    """The cells of a row with those of its head; None where it cannot be told which belongs to which.

    Both begin at the same column of the page. The cells of as many columns as the head has go by their order, those
    of fewer by where they stand.

    >>> found = under("        3/1   3/2", "Na      138   141")
    >>> [("        3/1   3/2"[slice(*p.head)], "Na      138   141"[slice(*p.cell)]) for p in found.cells]
    [('3/1', '138'), ('3/2', '141')]
    """
    heads, cells = cells_of(head), cells_of(row)
    if not 1 < len(cells) <= _MOST_CELLS or not 0 < len(heads) <= _MOST_CELLS or ("|" in head) != ("|" in row):
        return None
    if "|" in row or ("\t" in row and "\t" in head):
        return _by_place(heads, cells)
    return _by_column(head, [own for cell in heads for own in _parted(head, cell)], cells)


def _parted(head: str, cell: Cell) -> list[Cell]:
    """`Flag Units`: two columns so narrow that one blank is left between their heads."""
    ends = [found.start() for found in _TOUCHING.finditer(head, cell.start, cell.end)]
    return [Cell(a, b) for a, b in zip([cell.start, *(end + 1 for end in ends)], [*ends, cell.end], strict=True)]


def _separated(line: str, mark: str) -> list[Cell]:
    """What stands between marks; a bar at either end of the line closes a cell and opens none."""
    cells, start = [], 0
    for part in line.split(mark):
        left = len(part) - len(part.lstrip())
        stop = len(part.rstrip())
        cells.append(Cell(start + left, start + stop) if stop > left else Cell(start, start))
        start += len(part) + 1
    if mark == "|":
        cells = cells[line.lstrip().startswith("|") :]
        cells = cells[:-1] if line.rstrip().endswith("|") else cells
    return cells


def _by_place(heads: Sequence[Cell], cells: Sequence[Cell]) -> Row | None:
    """Of bars and tabs: the first with the first; where there are more cells than heads, tabs only make room."""
    if len(cells) > len(heads):
        heads, cells = [h for h in heads if _is_full(h)], [c for c in cells if _is_full(c)]
        if len(heads) + 1 == len(cells):
            heads = [Cell(0, 0), *heads]
        if len(heads) != len(cells) or len(cells) < 2:
            return None
    pairs = tuple(Pair(h, c) for h, c in zip(heads[1:], cells[1:], strict=False) if _is_full(c) and _is_full(h))
    return Row(cells[0] if _is_full(cells[0]) else None, heads[0] if _is_full(heads[0]) else None, pairs)


def _by_column(head: str, heads: Sequence[Cell], cells: Sequence[Cell]) -> Row | None:
    label, values = cells[0], cells[1:]
    first = heads[0]
    is_labelled = first.start < label.end or _LABELS.fullmatch(head[slice(*first)]) is not None
    if is_labelled and first.end > values[0].start and len(heads) != len(cells):
        return None
    head_label, columns = (first, heads[1:]) if is_labelled else (None, heads)
    if len(values) == len(columns):
        if any(_stands_elsewhere(cell, n, columns) for n, cell in enumerate(values)):
            return None
        return Row(label, head_label, tuple(Pair(h, c) for h, c in zip(columns, values, strict=True)))
    pairs: list[Pair] = []
    for cell in values:
        near = [h for h in columns if h.start - _NEAR < cell.end and cell.start < h.end + _NEAR]
        if len(near) != 1 or (pairs and near[0].start <= pairs[-1].head.start):
            return None
        pairs.append(Pair(near[0], cell))
    return Row(label, head_label, tuple(pairs))


def _stands_elsewhere(cell: Cell, n: int, columns: Sequence[Cell]) -> bool:
    """Whether a cell begins or ends exactly with another column than the one that its place in the row gives it."""
    exact = [m for m, head in enumerate(columns) if cell.start == head.start or cell.end == head.end]
    return bool(exact) and n not in exact


def _is_full(cell: Cell) -> bool:
    return cell.end > cell.start
