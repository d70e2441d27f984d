"""The lines of an HTML page while its tags go by: paragraphs, items, and tables in tables, without recursion."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from chartcite.core.documents import Span
from chartcite.readers.page_tables import LONGEST_CELL, Cell, Piece, TableRow, table_pieces
from chartcite.readers.raised import lowered, raised

_SPACES = re.compile(r"[ \t\r\n\f]+")
_DEEPEST_TABLE = 20
_DEEPEST_LIST = 20
_FINAL = str.maketrans({"\x05": "\n", "\x06": " "})
IN_PRE = str.maketrans({"\n": "\x05", " ": "\x06", "\t": "\x06"})
"""White space that is kept: it stands as marks, which are no white space, until the end."""


@dataclass(slots=True)
class _Table:
    """A table that is open; `cells` of the row that is open, `outer` the lines of the page around it."""

    outer: list[Piece]
    rows: list[TableRow] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    in_cell: bool = False
    in_head: bool = False
    new_group: bool = False


class PageLines:
    """What has been written so far."""

    def __init__(self) -> None:
        self._lines: list[Piece] = []
        self._inline: list[str] = []
        self._mark = ""
        self._gap = False
        self._depth = 0  # of the header that is open
        self._script: tuple[str, int] | None = None
        self._tables: list[_Table] = []
        self._lists: list[int] = []  # the next number; -1 in a list without numbers

    def text(self, words: str) -> None:
        """Words of the line that is open."""
        self._inline.append(words)

    def end_line(self) -> None:
        """What comes next stands on a line of its own."""
        if self._script:
            self.end_script()
        words = _SPACES.sub(" ", "".join(self._inline)).strip(" ")
        self._inline.clear()
        if not words.strip("\x05\x06"):
            return
        words = words.translate(_FINAL)
        front = f"{'#' * self._depth} " if self._depth else self._mark
        self._lines.append(Piece(front + words, self._depth, self._gap))
        self._mark, self._gap = " " * len(self._mark) if not self._mark.strip() else "", False

    def paragraph(self) -> None:
        """What comes next is a paragraph of its own."""
        self.end_line()
        self._gap = self._gap or not self._mark

    def header(self, depth: int) -> None:
        """A header begins (1 to 6), or ends (0)."""
        self.paragraph()
        self._depth = depth

    def begin_list(self, start: int) -> None:
        """A list begins; `start` is its first number, -1 without numbers."""
        self.paragraph()
        self._lists.append(start)

    def end_list(self) -> None:
        """It ends."""
        self.paragraph()
        if self._lists:
            self._lists.pop()

    def item(self) -> None:
        """An item of the innermost list."""
        self.end_line()
        number = self._lists[-1] if self._lists else -1
        if number >= 0:
            self._lists[-1] += 1
        indent = "  " * (min(len(self._lists), _DEEPEST_LIST) - 1)
        self._mark = indent + (f"{number}. " if number >= 0 else "- ")

    def begin_script(self, kind: str) -> None:
        """A superscript (`sup`) or subscript (`sub`) begins."""
        if not self._script:
            self._script = kind, len(self._inline)

    def end_script(self) -> None:
        """It ends: what it adds is told by what stands before it."""
        if not self._script:
            return
        kind, at = self._script
        self._script = None
        inside = _SPACES.sub(" ", "".join(self._inline[at:]))
        before = "".join(self._inline[max(0, at - 20) : at])[-60:]
        self._inline[at:] = [(raised if kind == "sup" else lowered)(before, inside)]

    def begin_table(self) -> None:
        """A table begins; one that lies too deep is no more than a block."""
        self.paragraph()
        if len(self._tables) < _DEEPEST_TABLE:
            self._tables.append(_Table(self._lines))

    def end_table(self) -> None:
        """The innermost table ends: its rows become lines of the page around it."""
        if not self._tables:
            return
        self.end_row()
        table = self._tables.pop()
        self._lines, self._gap = table.outer, True
        self._lines += table_pieces(table.rows)
        self._gap = True

    def begin_group(self, *, is_head: bool) -> None:
        """A group of rows begins."""
        self.end_row()
        if self._tables:
            self._tables[-1].in_head, self._tables[-1].new_group = is_head, True

    def begin_row(self) -> None:
        """A row begins."""
        self.end_row()

    def end_row(self) -> None:
        """The row that is open ends."""
        self.end_cell()
        if self._tables and self._tables[-1].cells:
            table = self._tables[-1]
            table.rows.append(TableRow(table.cells, table.in_head, table.new_group))
            table.cells, table.new_group = [], False

    def begin_cell(self, across: int, down: int, *, is_head: bool) -> None:
        """A cell begins; outside a table it is a line."""
        self.end_cell()
        if self._tables:
            table = self._tables[-1]
            table.cells.append(Cell([], across, down, is_head))
            table.in_cell = True
            self._lines, self._gap, self._mark = table.cells[-1].pieces, False, ""

    def end_cell(self) -> None:
        """The cell that is open ends."""
        self.end_line()
        if self._tables and self._tables[-1].in_cell:
            self._tables[-1].in_cell = False
            self._lines, self._gap, self._mark = self._tables[-1].outer, False, ""

    def finish(self) -> tuple[str, tuple[Span, ...]]:
        """The text, and where rows of tables stand in it."""
        while self._tables:
            self.end_table()
        self.end_line()
        pieces: list[str] = []
        units: list[Span] = []
        length = 0
        for line in self._lines:
            text = line.text
            text = text.strip("\n") if not pieces else text.rstrip("\n")
            front = "" if not pieces else "\n\n" if line.gap else "\n"
            start = length + len(front)
            length = start + len(text)
            if line.is_row and len(text) <= LONGEST_CELL:
                units.append(Span(start, length))
            pieces += (front, text)
        return "".join(pieces), tuple(units)
