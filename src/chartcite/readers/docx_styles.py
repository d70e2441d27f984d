"""A DOCX's styles: which paragraphs are headers, and what their letters inherit."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

from chartcite.readers.docx_package import attr

_HEADING = re.compile(r"heading\s*([1-9])", re.IGNORECASE)
_HEX = re.compile(r"[0-9A-Fa-f]{4}")
_OFF = frozenset(("0", "false", "off", "none"))
_MOST_PARENTS = 20


class Styles:
    """The styles by their id, each with those it is based on."""

    def __init__(self, root: ET.Element | None) -> None:
        nodes = root.findall("style") if root is not None else []
        self._styles = {attr(node, "styleId"): node for node in nodes}
        self._default = root.find("docDefaults/rPrDefault/rPr") if root is not None else None
        defaults = (
            node for node in nodes if attr(node, "type") == "paragraph" and attr(node, "default") in ("1", "true")
        )
        self._normal = next((attr(node, "styleId") for node in defaults), "")

    def depth(self, paragraph: ET.Element | None) -> int:
        """A header's depth, from 1, by the paragraph's own outline level or its style; 0 for body text."""
        level = attr(_at(paragraph, "outlineLvl"), "val")
        for style in self._chain(attr(_at(paragraph, "pStyle"), "val")):
            name = attr(style.find("name"), "val")
            if found := _HEADING.match(name):
                level = level or str(int(found[1]) - 1)
            elif name.lower() == "title":
                level = level or "0"
            level = level or attr(style.find("pPr/outlineLvl"), "val")
        return int(level) + 1 if level.isascii() and level.isdigit() and int(level) < 9 else 0

    def numbering(self, paragraph: ET.Element | None) -> tuple[str, str]:
        """(number's id, level) of a list's paragraph; empty for another."""
        places = [
            _at(paragraph, "numPr"),
            *(s.find("pPr/numPr") for s in self._chain(attr(_at(paragraph, "pStyle"), "val"))),
        ]
        number = level = ""
        for place in places:
            if place is not None:
                number = number or attr(place.find("numId"), "val")
                level = level or attr(place.find("ilvl"), "val")
        return (number, level or "0") if number not in ("", "0") else ("", "")

    def sets_off_first_row(self, table: ET.Element | None) -> bool:
        """Whether a table's style shows its first row in bold, and the table asks for that."""
        look = _at(table, "tblLook")
        bits = attr(look, "val")
        asked = attr(look, "firstRow") in ("1", "true") or bool(_HEX.fullmatch(bits) and int(bits, 16) & 0x20)
        styles = self._chain(attr(_at(table, "tblStyle"), "val")) if asked else ()
        parts = (part for style in styles for part in style.findall("tblStylePr"))
        return any(attr(part, "type") == "firstRow" and part.find("rPr/b") is not None for part in parts)

    def is_on(self, name: str, run: ET.Element | None, paragraph: ET.Element | None) -> bool:
        """Whether a switch (`vanish`, `strike`, `b`) is on for a run."""
        node = self.first(name, run, paragraph)
        return node is not None and attr(node, "val").lower() not in _OFF

    def first(self, name: str, run: ET.Element | None, paragraph: ET.Element | None) -> ET.Element | None:
        """A property of a run: its own, else its style's, else the paragraph style's, else the document's."""
        for place in self._places(run, paragraph):
            node = place.find(name)
            if node is not None:
                return node
        return None

    def _places(self, run: ET.Element | None, paragraph: ET.Element | None) -> Iterator[ET.Element]:
        if run is not None:
            yield run
            yield from self._letters(attr(run.find("rStyle"), "val"))
        yield from self._letters(attr(_at(paragraph, "pStyle"), "val") or self._normal)
        if self._default is not None:
            yield self._default

    def _letters(self, name: str) -> Iterator[ET.Element]:
        for style in self._chain(name):
            letters = style.find("rPr")
            if letters is not None:
                yield letters

    def _chain(self, name: str) -> Iterator[ET.Element]:
        for _ in range(_MOST_PARENTS):
            style = self._styles.get(name)
            if style is None:
                return
            yield style
            name = attr(style.find("basedOn"), "val")


def _at(node: ET.Element | None, tag: str) -> ET.Element | None:
    return node.find(tag) if node is not None else None
