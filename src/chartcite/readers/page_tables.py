"""Tables of pages as people make them: values in a grid, or the layout of a letter.

The first become rows, by the rule of `table_rows`; the second are read cell after cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from chartcite.readers.table_rows import Grid, Row, row_lines

LONGEST_CELL = 1000


class Piece(NamedTuple):
    """A paragraph, item, header or row of a page.

    `depth` is a header's, else 0; `gap`: a blank line stands before it; `is_row`: it is a row of a table.
    """

    text: str
    depth: int = 0
    gap: bool = False
    is_row: bool = False


@dataclass(slots=True)
class Cell:
    """A cell: what is in it, how far it spans, and whether it looks like one of a head.

    `goes_on`: it is the lower part of the cell above it.
    """

    pieces: list[Piece] = field(default_factory=list)
    across: int = 1
    down: int = 1
    is_head: bool = False
    goes_on: bool = False

    @property
    def words(self) -> str:
        """All of it on one line."""
        lines = (line.strip() for piece in self.pieces for line in piece.text.split("\n"))
        return "; ".join(filter(None, lines))

    @property
    def flows(self) -> bool:
        """Whether it holds a piece of a page rather than a value."""
        is_page = any(piece.is_row or piece.depth for piece in self.pieces)
        return is_page or sum(len(piece.text) for piece in self.pieces) > LONGEST_CELL


class TableRow(NamedTuple):
    """A row: its cells, whether the source says it is of the head, whether a group of rows begins with it."""

    cells: Sequence[Cell]
    in_head: bool = False
    begins_group: bool = False


def table_pieces(rows: Sequence[TableRow]) -> Iterator[Piece]:
    """The lines of a table.

    Raises:
        LimitExceeded: half a million cells and more.
    """
    is_layout = max((len(row.cells) for row in rows), default=0) < 2
    waiting: list[Row] = []
    for row, full in zip(rows, _in_full(rows), strict=True):
        if not is_layout and not any(cell.flows for cell in row.cells):
            waiting.append(full)
            continue
        yield from _as_rows(waiting)
        waiting = []
        for cell in row.cells:
            yield from cell.pieces
    yield from _as_rows(waiting)


def _as_rows(rows: Sequence[Row]) -> Iterator[Piece]:
    for number, (text, _) in enumerate(row_lines(rows)):
        yield Piece(text, gap=number == 0, is_row=True)


def _in_full(rows: Sequence[TableRow]) -> Iterator[Row]:
    """Each row in full width. Without a stated head the first row is one if it alone looks like one."""
    grid = Grid()
    looks = [all(cell.is_head for cell in row.cells) and any(cell.words for cell in row.cells) for row in rows]
    by_looks = not any(row.in_head for row in rows) and not all(looks)
    above: tuple[str, ...] = ()
    for number, row in enumerate(rows):
        if row.begins_group:
            grid.end_group()
        for cell in row.cells:
            at = grid.width
            words = above[at] if cell.goes_on and at < len(above) else cell.words
            grid.add(words, cell.across, cell.down)
        full = grid.end_row(is_head=row.in_head or (by_looks and number == 0 and looks[0]))
        above = full.cells
        yield full
