"""What an RTF's words build: paragraphs, and tables in tables, at the level each paragraph says that it stands on."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

from chartcite.readers.page_tables import Cell, Piece, TableRow, table_pieces
from chartcite.readers.raised import lowered, raised

_DEEPEST = 20
_SAME_EDGE_TWIPS = 60
_MOST_EDGES = 200


@dataclass(slots=True)
class CellProperties:
    """Of a cell to come: its right edge in twips, and whether it goes on what is above or to the left."""

    edge: int = 0
    goes_down: bool = False
    goes_right: bool = False


@dataclass(slots=True)
class _Table:
    rows: list[tuple[list[Cell], tuple[CellProperties, ...], bool]] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)  # of the cell that is open


class RtfPage:
    """A stream of paragraphs: the body, a header, a note, a text box. `number` is a note's."""

    def __init__(self, kind: str = "body", number: int = 0) -> None:
        self.kind = kind
        self.number = number
        self.boxes: list[Piece] = []
        self.list_mark = ""
        self._pieces: list[Piece] = []
        self._tables: list[_Table] = []
        self._inline: list[str] = []
        self._script = ""
        self._raised: list[str] = []
        self._is_bold = True

    def put(self, text: str, script: str = "", *, bold: bool = False) -> None:
        """Words of the paragraph that is open; `script` is `super`, `sub` or empty."""
        if script != self._script:
            self._end_script()
            self._script = script
        (self._raised if script else self._inline).append(text)
        self._is_bold = self._is_bold and (bold or not text.strip())

    def _end_script(self) -> None:
        if self._raised:
            before = "".join(self._inline[-20:])[-60:]
            inside = "".join(self._raised)
            self._inline.append((raised if self._script == "super" else lowered)(before, inside))
            self._raised = []
        self._script = ""

    def end_paragraph(self, level: int, depth: int = 0) -> None:
        """The paragraph that is open ends, in so many tables; `depth` is a header's."""
        self._to_level(level)
        self._end_script()
        text = "".join(self._inline).strip(" \t")
        self._inline = []
        mark, self.list_mark = self.list_mark, ""
        into = self._open
        if text.strip():
            into.append(Piece(mark + text, depth))
        into += self.boxes
        self.boxes = []

    def end_cell(self, level: int) -> None:
        """The cell that is open ends."""
        level = max(1, level)
        self.end_paragraph(level)
        table = self._tables[-1]
        table.cells.append(Cell(table.pieces, is_head=self._is_bold))
        table.pieces, self._is_bold = [], True

    def end_row(self, level: int, properties: tuple[CellProperties, ...], *, in_head: bool) -> None:
        """The row that is open ends."""
        level = max(1, level)
        self._to_level(level)
        table = self._tables[-1]
        if table.pieces:
            table.cells.append(Cell(table.pieces))
            table.pieces = []
        if table.cells:
            table.rows.append((table.cells, properties, in_head))
            table.cells = []
        self._is_bold = True

    def finish(self) -> list[Piece]:
        """All of it."""
        self.end_paragraph(0)
        return self._pieces

    @property
    def _open(self) -> list[Piece]:
        return self._tables[-1].pieces if self._tables else self._pieces

    def _to_level(self, level: int) -> None:
        """Close tables that are deeper, open what is missing."""
        while len(self._tables) > level:
            table = self._tables.pop()
            if table.pieces or table.cells:
                table.rows.append(([*table.cells, *([Cell(table.pieces)] if table.pieces else [])], (), False))
            self._open.extend(table_pieces(_in_grid(table)))
        while len(self._tables) < min(level, _DEEPEST):
            self._tables.append(_Table())


def _in_grid(table: _Table) -> list[TableRow]:
    """The rows with what each cell spans, told from where the right edges of all rows are.

    Where all rows have as many cells, nothing spans, however the edges were drawn.
    """
    is_plain = len({len(cells) for cells, _, _ in table.rows}) == 1
    edges: list[int] = []
    for edge in sorted({one.edge for _, properties, _ in table.rows for one in properties}):
        if not edges or edge - edges[-1] > _SAME_EDGE_TWIPS:
            edges.append(edge)
    rows: list[TableRow] = []
    for cells, properties, in_head in table.rows:
        if len(properties) == len(cells) and len(edges) <= _MOST_EDGES:
            _span(cells, properties, [] if is_plain else edges)
        rows.append(TableRow(cells, in_head))
    return rows


def _span(cells: list[Cell], properties: tuple[CellProperties, ...], edges: list[int]) -> None:
    last = -1
    for number, (cell, one) in enumerate(zip(cells, properties, strict=True)):
        at = bisect_left(edges, one.edge - _SAME_EDGE_TWIPS)
        cell.across, last = max(1, at - last) if edges else 1, max(at, last + 1)
        cell.goes_on = one.goes_down
        if one.goes_right and number and not cell.pieces:
            cell.pieces = cells[number - 1].pieces
