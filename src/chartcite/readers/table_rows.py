"""The one rule by which a table becomes lines, whatever format it stands in: a row, a line.

Of two columns the cells stand side by side under the head; of more, each cell has the name of its column in front, so
that a row says what its day and its number are. Heads of several rows are joined column by column: `n` under
`Placebo` is `Placebo, n`. A cell that spans the whole row is said once; equal cells (`negative`
three times) are not one, for each is under its own head.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from chartcite.core.errors import LimitExceeded

MOST_CELLS = 500_000
WIDEST = 200
"""Columns, and rows, that one cell may span."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row whose spanning cells stand in every column and row that they span.

    `ids`: of elements inside it; `repeated`: columns that only go on the cell to their left.
    """

    cells: tuple[str, ...]
    is_head: bool = False
    ids: tuple[str, ...] = ()
    repeated: frozenset[int] = frozenset()


def row_lines(rows: Sequence[Row]) -> Iterator[tuple[str, Row]]:
    """The line of each row that has one, with the row.

    >>> rows = [Row(("Test", "Day 1", "Day 2"), is_head=True), Row(("K", "5.8", "4.1"))]
    >>> rows.append(Row(("Liver",) * 3, repeated=frozenset((1, 2))))
    >>> [line for line, _ in row_lines(rows)]
    ['Test: K | Day 1: 5.8 | Day 2: 4.1', 'Liver']
    """
    head: list[str] = []
    for number, row in enumerate(rows):
        if not row.is_head:
            if text := _line(row.cells, head, row.repeated):
                yield text, row
            continue
        goes_on = number > 0 and rows[number - 1].is_head
        is_title = len(row.cells) == 1 or _said_once(row.cells, row.repeated)
        if not is_title:
            names = [cell.rstrip(" :") for cell in row.cells]
            head = [_under(upper, name) for upper, name in zip_longest(head if goes_on else [], names, fillvalue="")]
        is_last = number + 1 == len(rows)
        above_body = not is_last and not rows[number + 1].is_head
        if is_title or is_last or (above_body and len(head) <= 2):
            said = row.cells if is_title or is_last else head
            if text := _line(said, [], row.repeated if said is row.cells else frozenset()):
                yield text, row


def _line(cells: Sequence[str], head: Sequence[str], repeated: frozenset[int] = frozenset()) -> str:
    if not any(cells):
        return ""
    if _said_once(cells, repeated):
        return next(cell for cell in cells if cell)
    said = [at for at in range(len(cells)) if at not in repeated]
    if len(cells) <= 2 or not any(head):
        return " | ".join(cells[at] for at in said)
    named = ((head[at] if at < len(head) else "", cells[at]) for at in said)
    return " | ".join(f"{name}: {cell}" if name and name != cell else cell for name, cell in named if cell)


def _said_once(cells: Sequence[str], repeated: frozenset[int]) -> bool:
    """Whether one cell spans every column."""
    return len(cells) > 1 and bool(cells[0]) and repeated.issuperset(range(1, len(cells)))


def _under(upper: str, lower: str) -> str:
    if not upper or not lower or upper == lower or upper.endswith(f", {lower}"):
        return lower or upper
    return f"{upper}, {lower}"


class Grid:
    """Puts the cells of one table into rows of full width: `add` for each cell, `end_row` for each row.

    Raises:
        LimitExceeded: half a million cells and more.
    """

    def __init__(self) -> None:
        self._held: dict[int, tuple[int, str]] = {}
        self._cells: list[str] = []
        self._repeated: set[int] = set()
        self._count = 0

    @property
    def width(self) -> int:
        """How many columns of the open row are taken."""
        self._fill()
        return len(self._cells)

    def add(self, words: str, across: int = 1, down: int = 1) -> None:
        """A cell and how many columns and rows it spans."""
        self._fill()
        for number in range(min(across, WIDEST)):
            if number:
                self._repeated.add(len(self._cells))
            if down > 1:
                self._held[len(self._cells)] = (min(down, WIDEST) - 1, words)
            self._cells.append(words)

    def end_row(self, *, is_head: bool = False, ids: tuple[str, ...] = ()) -> Row:
        """The row, with what spans down from rows above."""
        self._fill()
        row = Row(tuple(self._cells), is_head, ids, frozenset(self._repeated))
        self._cells, self._repeated = [], set()
        self._count += len(row.cells)
        if self._count > MOST_CELLS:
            raise LimitExceeded(f"a table has more than {MOST_CELLS:,} cells")
        return row

    def end_group(self) -> None:
        """A cell spans no further than its group of rows."""
        self._held.clear()

    def _fill(self) -> None:
        while len(self._cells) in self._held:
            left, words = self._held.pop(len(self._cells))
            if left > 1:
                self._held[len(self._cells)] = (left - 1, words)
            self._cells.append(words)


def span_of(text: str | None) -> int:
    """The number of a `colspan` or `rowspan`; 1 for what is none."""
    return min(int(text), WIDEST) if text and text.isascii() and text.isdigit() and len(text) < 6 and int(text) else 1
