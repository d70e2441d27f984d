"""C-CDA's narrative blocks to text: what a reader of the document sees, a line for each paragraph, item and row.

A row of a table is one line. Of two columns the cells stand side by side under the head; of more, each cell has the
name of its column in front, so that a row says what its day and its number are.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from chartcite.core.errors import LimitExceeded

_SPACES = re.compile(r"\s+")
_BLOCKS = frozenset(("paragraph", "list", "table", "item", "caption", "footnote", "div", "p"))
_IMAGE = "renderMultiMedia"
_MOST_CELLS = 500_000
_WIDEST = 200
_SHORT_CHARS = 200


class Line(NamedTuple):
    """A line; `is_row`: of a table, so that it is one unit of citation. `ids` are those of elements inside it."""

    text: str
    is_row: bool = False
    ids: tuple[str, ...] = ()

    @property
    def is_short(self) -> bool:
        """Whether it is a row or an item, and no prose."""
        return self.is_row or (len(self.text) <= _SHORT_CHARS and self.text.lstrip()[:1] in "-0123456789")


@dataclass(slots=True)
class _Inline:
    """Text of one line while it is put together."""

    parts: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)

    def line(self, mark: str = "") -> Line | None:
        text = _SPACES.sub(" ", "".join(self.parts)).strip()
        return Line(mark + text, ids=tuple(self.ids)) if text else None


def narrative_lines(text: ET.Element) -> Iterator[Line]:
    """The lines of a section's `text`.

    Raises:
        LimitExceeded: a table of more than half a million cells.
    """
    yield from _flow(text, "")


def _flow(node: ET.Element, mark: str) -> Iterator[Line]:
    """Lines of an element that mixes words and blocks; `mark` stands before the first."""
    current = _Inline()
    if node.get("ID"):
        current.ids.append(node.get("ID") or "")
    for piece in _pieces(node):
        if isinstance(piece, str):
            current.parts.append(piece)
        elif piece.tag == "br":
            if line := current.line(mark):
                yield line
                mark = " " * len(mark)
            current = _Inline()
        elif piece.tag in _BLOCKS:
            if line := current.line(mark):
                yield line
                mark = " " * len(mark)
            current = _Inline()
            yield from _block(piece, mark)
        else:
            current.ids += [piece.get("ID") or ""] if piece.get("ID") else []
    if line := current.line(mark):
        yield line


def _pieces(node: ET.Element) -> Iterator[str | ET.Element]:
    """Words and elements in order, inline elements opened; what was struck out by a revision is left away."""
    if node.text:
        yield node.text
    for child in node:
        if child.get("revised") != "delete" and child.tag != _IMAGE:
            yield child
            if child.tag not in _BLOCKS and child.tag != "br":
                yield from _pieces(child)
        if child.tail:
            yield child.tail


def _block(node: ET.Element, mark: str) -> Iterator[Line]:
    if node.tag == "list":
        yield from _list(node, mark)
    elif node.tag == "table":
        yield from _table(node)
    else:
        yield from _flow(node, mark)


def _list(node: ET.Element, mark: str) -> Iterator[Line]:
    indent = " " * len(mark)
    number = 0
    for child in node:
        if child.tag == "caption":
            yield from _flow(child, indent)
        elif child.tag == "item" and child.get("revised") != "delete":
            number += 1
            yield from _flow(child, indent + (f"{number}. " if node.get("listType") == "ordered" else "- "))


def _table(node: ET.Element) -> Iterator[Line]:
    for caption in node.iterfind("caption"):
        yield from _flow(caption, "")
    rows = list(_rows(node))
    head: list[str] = []
    for number, (cells, ids, is_head) in enumerate(rows):
        if is_head:
            head = [cell.rstrip(" :") for cell in cells] if not head or len(cells) > 1 else head
            below = rows[number + 1][2] if number + 1 < len(rows) else True
            if not below and (len(cells) <= 2):
                yield Line(" | ".join(cells), is_row=True, ids=ids)
            elif below and number + 1 == len(rows):
                yield Line(" | ".join(filter(None, cells)), is_row=True, ids=ids)
            continue
        text = _row(cells, head)
        if text:
            yield Line(text, is_row=True, ids=ids)


def _row(cells: list[str], head: list[str]) -> str:
    if len(cells) <= 2 or not any(head):
        return " | ".join(cells) if any(cells) else ""
    named = zip(cells, [*head, *[""] * len(cells)], strict=False)
    return " | ".join(f"{name}: {cell}" if name and name != cell else cell for cell, name in named if cell)


def _rows(table: ET.Element) -> Iterator[tuple[list[str], tuple[str, ...], bool]]:
    """(cells, ids, whether it is of the head) of each row; a cell that spans rows is in all of them."""
    held: dict[int, tuple[int, str]] = {}
    seen = 0
    parts = [part for part in table if part.tag in ("tr", "thead", "tbody", "tfoot")]
    grouped = [(row, part) for part in parts for row in ([part] if part.tag == "tr" else part.findall("tr"))]
    grouped = [(row, part) for row, part in grouped if row.get("revised") != "delete"]
    rows = [row for row, _ in grouped]
    heads = {id(row) for row in table.iterfind("thead/tr")}
    if not heads and rows and len(rows) > 1 and all(cell.tag == "th" for cell in rows[0]):
        heads = {id(rows[0])}
    within: ET.Element | None = None
    for row, part in grouped:
        if part.tag != "tr" and part is not within:
            held.clear()  # a cell spans no further than its group
        within = part
        cells: list[str] = []
        ids = [found.get("ID") or "" for found in row.iter() if found.get("ID")]
        for cell in row:
            if cell.tag not in ("td", "th"):
                continue
            _fill(cells, held)
            words = "; ".join(line.text.strip() for line in _flow(cell, ""))
            down = _number(cell.get("rowspan"))
            for _ in range(_number(cell.get("colspan"))):
                if down > 1:
                    held[len(cells)] = (down - 1, words)
                cells.append(words)
        _fill(cells, held)
        seen += len(cells)
        if seen > _MOST_CELLS:
            raise LimitExceeded(f"a table has more than {_MOST_CELLS:,} cells")
        yield cells, tuple(ids), id(row) in heads


def _fill(cells: list[str], held: dict[int, tuple[int, str]]) -> None:
    """Put in what spans down from rows above."""
    while len(cells) in held:
        left, words = held.pop(len(cells))
        if left > 1:
            held[len(cells)] = (left - 1, words)
        cells.append(words)


def _number(text: str | None) -> int:
    return min(int(text), _WIDEST) if text and text.isascii() and text.isdigit() and len(text) < 6 and int(text) else 1
