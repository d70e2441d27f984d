"""The body of a DOCX: paragraphs, lists, tables in tables, notes, text boxes, page headers and footers."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator

from chartcite.core.errors import CorruptSource, LimitExceeded, UnsupportedFormat
from chartcite.readers.docx_numbering import Numbering
from chartcite.readers.docx_package import Package, attr
from chartcite.readers.docx_styles import Styles
from chartcite.readers.docx_text import Words
from chartcite.readers.left_out import Kind
from chartcite.readers.page_tables import Cell, Piece, TableRow, table_pieces
from chartcite.readers.table_rows import span_of

_HOLDERS = frozenset(("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"))
_DEEPEST_BOX = 5
_GROUND = re.compile(rb"<[\w.]*:?highlight |fill=\"(?!FFFFFF|ffffff|auto)[0-9A-Fa-f]{6}\"|<[\w.]*:?background ")


class Body:
    """All that is read of a document, as pieces of a page."""

    def __init__(self, package: Package) -> None:
        self.left_out = Counter[Kind]()
        self._package = package
        name = package.main()
        data = package.data(name)
        root = package.part(name)
        if root is None or data is None:
            raise CorruptSource("the document has no text part", "save it again")
        body = root.find("body")
        if root.tag != "document" or body is None:
            raise UnsupportedFormat("an office file, but not a document of text")
        self._body = body
        self._parts = package.relations(name)
        self._styles = Styles(self._by_kind("/styles"))
        self._numbering = Numbering(self._by_kind("/numbering"))
        self._notes: dict[tuple[str, str], str] = {}
        self._words = Words(self._styles, self.left_out, self._note_mark)
        self._white_is_seen = _GROUND.search(data) is not None
        self._words.white_is_seen = self._white_is_seen
        self._carried = ""
        self._box_depth = 0

    def _by_kind(self, kind: str) -> ET.Element | None:
        for found, target in self._parts.values():
            if found.endswith(kind):
                return self._package.part(target)
        return None

    def pieces(self) -> Iterator[Piece]:
        """In the order of the page: header, body, notes, footer."""
        body = list(self._blocks(self._body))
        yield from self._margin("headerReference")
        yield from body
        yield from self._all_notes()
        yield from self._margin("footerReference")

    def _margin(self, tag: str) -> list[Piece]:
        """Page headers or footers, each wording once."""
        names = {attr(node, "id"): None for node in self._body.iter(tag)}
        found: dict[Piece, None] = {}
        for name in names:
            root = self._package.part(self._parts[name][1]) if name in self._parts else None
            if root is not None:
                found |= dict.fromkeys(Piece(piece.text) for piece in self._blocks(root))
        return list(found)

    def _note_mark(self, tag: str, identity: str) -> str:
        kind = tag.removesuffix("Reference")
        count = sum(1 for known, _ in self._notes if known == kind) + 1
        mark = f"{count}" if kind == "footnote" else f"note {count}"
        return f" [{self._notes.setdefault((kind, identity), mark)}]"

    def _all_notes(self) -> Iterator[Piece]:
        for kind in ("footnote", "endnote"):
            root = self._by_kind(f"/{kind}s") if any(known == kind for known, _ in self._notes) else None
            for node in root if root is not None else ():
                mark = self._notes.get((kind, attr(node, "id")))
                if mark:
                    text = "\n".join(piece.text for piece in self._blocks(node))
                    yield Piece(f"[{mark}] {text.strip()}")

    def _blocks(self, node: ET.Element) -> Iterator[Piece]:
        for child in node:
            if child.tag == "p":
                yield from self._paragraph(child)
            elif child.tag == "tbl":
                yield from table_pieces(list(self._rows(child)))
            elif child.tag == "AlternateContent":
                chosen = child.find("Choice")
                yield from self._blocks(chosen if chosen is not None else child)
            elif child.tag in _HOLDERS or child.tag == "Fallback":
                yield from self._blocks(child)
            elif child.tag == "altChunk":
                self.left_out["pieces"] += 1

    def _paragraph(self, node: ET.Element) -> Iterator[Piece]:
        piece, _ = self._words_of(node)
        yield from piece
        yield from self._in_boxes()

    def _words_of(self, node: ET.Element) -> tuple[list[Piece], bool]:
        """A paragraph, or nothing while its end was deleted and it goes on in the next; whether it is bold."""
        words, bold = self._words.of(node)
        properties = node.find("pPr")
        words = self._carried + words
        self._carried = ""
        if properties is not None and properties.find("rPr/del") is not None:
            self._carried = words
            return [], bold
        if not words.strip():
            return [], bold
        depth = self._styles.depth(properties)
        mark = self._numbering.mark(*self._styles.numbering(properties))
        said = words.strip(" \t\n")
        return [Piece((mark.lstrip() if depth else mark) + said, depth)], bold

    def _in_boxes(self) -> Iterator[Piece]:
        boxes, self._words.boxes = self._words.boxes, []
        if not boxes:
            return
        if self._box_depth >= _DEEPEST_BOX:
            raise LimitExceeded("text boxes are nested too deeply")
        before = self._words.white_is_seen
        self._words.white_is_seen, self._box_depth = True, self._box_depth + 1
        for box in boxes:
            yield from self._blocks(box)
        self._words.white_is_seen, self._box_depth = before, self._box_depth - 1

    def _rows(self, table: ET.Element) -> Iterator[TableRow]:
        before = self._words.white_is_seen
        styled = table.find("tblPr/tblStyle") is not None or table.find("tblPr/shd") is not None
        self._words.white_is_seen = before or styled
        first_is_head = self._styles.sets_off_first_row(table.find("tblPr"))
        for row in _inside(table, "tr"):
            properties = row.find("trPr")
            if properties is not None and properties.find("del") is not None:
                self.left_out["deleted"] += sum(len("".join((part.text or "").split())) for part in row.iter("t"))
                continue
            cells = [self._cell(cell) for cell in _inside(row, "tc") if cell.find("tcPr/cellDel") is None]
            shift = attr(properties.find("gridBefore"), "val") if properties is not None else ""
            if shift.isdigit() and int(shift):
                cells.insert(0, Cell(across=span_of(shift), is_head=True))
            head = properties.find("tblHeader") if properties is not None else None
            is_head = head is not None and attr(head, "val").lower() not in ("0", "false", "off")
            yield TableRow(cells, is_head or first_is_head)
            first_is_head = False
        self._words.white_is_seen = before

    def _cell(self, node: ET.Element) -> Cell:
        properties = node.find("tcPr")
        cell = Cell(is_head=True)
        for child in _inside(node, "p", "tbl"):
            if child.tag == "tbl":
                cell.pieces += table_pieces(list(self._rows(child)))
                continue
            pieces, bold = self._words_of(child)
            cell.is_head = cell.is_head and (bold or not pieces)
            cell.pieces += pieces
            cell.pieces += self._in_boxes()
        if properties is not None:
            cell.across = span_of(attr(properties.find("gridSpan"), "val"))
            merge = properties.find("vMerge")
            cell.goes_on = merge is not None and attr(merge, "val") in ("", "continue")
        return cell


def _inside(node: ET.Element, *tags: str) -> Iterator[ET.Element]:
    """Children of some kinds, also those in what only holds them."""
    for child in node:
        if child.tag in tags:
            yield child
        elif child.tag in _HOLDERS:
            yield from _inside(child, *tags)
