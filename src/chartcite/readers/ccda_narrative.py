"""C-CDA's narrative blocks to text: what a reader of the document sees, a line for each paragraph, item and row.

A row of a table is one line, by the rule of `table_rows`.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from chartcite.readers.raised import lowered, raised
from chartcite.readers.table_rows import Grid, Row, row_lines, span_of

_SPACES = re.compile(r"\s+")
_BLOCKS = frozenset(("paragraph", "list", "table", "item", "caption", "footnote", "div", "p"))
_SCRIPTS = frozenset(("sup", "sub"))
_IMAGE = "renderMultiMedia"
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

    def script(self, node: ET.Element) -> None:
        """What is raised or lowered: `10` with a raised `3` is not 103."""
        self.ids += [inner.get("ID") or "" for inner in node.iter() if inner.get("ID")]
        before = "".join(self.parts[-20:])[-60:]
        self.parts.append((raised if node.tag == "sup" else lowered)(before, "".join(_words(node))))

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
        elif piece.tag in _SCRIPTS:
            current.script(piece)
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
            if child.tag not in _BLOCKS and child.tag not in _SCRIPTS and child.tag != "br":
                yield from _pieces(child)
        if child.tail:
            yield child.tail


def _words(node: ET.Element) -> Iterator[str]:
    """All words in an element, but for what a revision struck out."""
    yield node.text or ""
    for child in node:
        if child.get("revised") != "delete":
            yield from _words(child)
        yield child.tail or ""


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
    for text, row in row_lines(list(_rows(node))):
        yield Line(text, is_row=True, ids=row.ids)


def _rows(table: ET.Element) -> Iterator[Row]:
    """The rows; a cell that spans rows is in all of them."""
    grid = Grid()
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
            grid.end_group()
        within = part
        for cell in row:
            if cell.tag in ("td", "th"):
                words = "; ".join(line.text.strip() for line in _flow(cell, ""))
                grid.add(words, span_of(cell.get("colspan")), span_of(cell.get("rowspan")))
        ids = tuple(found.get("ID") or "" for found in row.iter() if found.get("ID"))
        yield grid.end_row(is_head=id(row) in heads, ids=ids)
