"""The running text of JATS and PubMed elements: marks of references kept off numbers, formulas written in a line."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable

from chartcite.readers.raised import lowered, raised
from chartcite.readers.xml_tree import text_of

_SPACES = re.compile(r"\s+")
_SILENT = frozenset((
    "object-id", "graphic", "inline-graphic", "media", "inline-media", "fn", "index-term", "alt-text", "long-desc",
    "tex-math", "sub-article", "processing-meta",
))  # fmt: skip
_MARKS = frozenset(("bibr", "fn", "table-fn", "aff", "corresp", "author-notes"))
"""Kinds of `xref` that point away from the text, where others (`fig`, `table`, `sec`) are words of the sentence."""
_NUMBERED = re.compile(r"[\s\d,;–—‐-]+[a-z]?|[*†‡§¶#]+|[a-z]{1,2}")
_OPENED = re.compile(r"[(\[][^()\[\]]{0,200}\Z")
_TEX_BODY = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)


def running_text(node: ET.Element, leave: Iterable[str] = (), at_break: str = " ") -> str:
    """All text of an element on one line, less the elements named in `leave`; `at_break` stands for a line break."""
    written = _Written(frozenset(leave), at_break)
    written.inside(node)
    return _SPACES.sub(" ", written.text).strip()


class _Written:
    """Text as it grows; what comes is written by what stands before it."""

    def __init__(self, leave: frozenset[str], at_break: str) -> None:
        self._leave = leave | _SILENT
        self._at_break = at_break
        self._pieces: list[str] = []
        self._tail = ""

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def put(self, text: str) -> None:
        if text:
            self._pieces.append(text)
            self._tail = (self._tail + text)[-240:]

    def inside(self, node: ET.Element) -> None:
        """An element's own text, its children, and what stands behind each of them."""
        self.put(node.text or "")
        for child in node:
            if child.tag not in self._leave:
                self._element(child)
            self.put(child.tail or "")

    def _element(self, node: ET.Element) -> None:
        tag = node.tag
        around = "".join(node.itertext()) if tag in ("sup", "sub", "xref") else ""
        self.put(" " if around[:1].isspace() else "")
        self._written(node, tag)
        self.put(" " if around[-1:].isspace() else "")

    def _written(self, node: ET.Element, tag: str) -> None:
        if tag == "break":
            self.put(self._at_break)
        elif tag == "sup":
            self._raised(node)
        elif tag == "sub":
            self.put(lowered(self._tail, running_text(node)))
        elif tag == "xref" and node.get("ref-type") in _MARKS:
            self._mark(text_of(node))
        elif tag == "math":
            self.put(math_text(node))
        elif tag == "alternatives":
            self._best(node)
        elif tag in ("inline-formula", "disp-formula") and not _has_text(node):
            self.put(tex_text(node))
        else:
            self.inside(node)

    def _raised(self, node: ET.Element) -> None:
        if any(child.tag == "xref" and child.get("ref-type") in _MARKS for child in node.iter()):
            self._mark(text_of(node))
        else:
            self.put(raised(self._tail, running_text(node)))

    def _mark(self, inner: str) -> None:
        """A mark of a reference: apart from the word before it, in brackets unless it stands in some already."""
        if not inner:
            return
        if _OPENED.search(self._tail) or not _NUMBERED.fullmatch(inner):
            self.put(inner)
        elif any(c.isalnum() for c in inner):
            self.put(f" [{inner.strip('[]() ')}]" if self._tail and not self._tail[-1].isspace() else f"[{inner}]")
        else:
            self.put(inner)

    def _best(self, node: ET.Element) -> None:
        """One of several renderings of the same: what is characters before what is a program."""
        if (math := node.find(".//math")) is not None:
            self.put(math_text(math))
        elif node.find("table") is None:
            others = [child for child in node if child.tag not in self._leave]
            self.put(tex_text(node)) if not others else self._element(others[0])


def _has_text(node: ET.Element) -> bool:
    return node.find(".//math") is not None or bool(running_text(node, leave=("label",)))


def tex_text(node: ET.Element) -> str:
    """A formula that is there as TeX only, without what surrounds it to make a document of it."""
    found = "".join(part.text or "" for part in node.iter("tex-math"))
    body = _TEX_BODY.search(found)
    return (body[1] if body else found).replace("$", "").strip()


_MATH = {
    ("mfrac", 2): "{1}/{2}", ("msup", 2): "{0}^{2}", ("msub", 2): "{0}_{2}", ("msubsup", 3): "{0}_{2}^{3}",
    ("mroot", 2): "root {2} of {1}", ("munder", 2): "{0}_{2}", ("mover", 2): "{0}^{2}",
    ("munderover", 3): "{0}_{2}^{3}",
}  # fmt: skip
"""How elements of so many parts are written: 0 is the first part, 1 onwards are all parts, in brackets where needed."""


def math_text(node: ET.Element) -> str:
    """MathML in a line: `a/b`, `x^2`, `x_i`, `√(x)`; everything else as its parts in order."""
    parts = [math_text(child) for child in node if child.tag not in ("annotation", "annotation-xml", "none")]
    if shape := _MATH.get((node.tag, len(parts))):
        return shape.format(parts[0], *map(_grouped, parts))
    inside = _SPACES.sub(" ", (node.text or "").strip()) + "".join(parts)
    if node.tag == "mfenced":
        inside = ", ".join(parts)
    around = {
        "msqrt": ("√(", ")"), "mspace": (" ", ""), "mtd": ("", " "), "mtr": ("", "; "),
        "mfenced": (node.get("open", "("), node.get("close", ")")),
    }.get(node.tag, ("", ""))  # fmt: skip
    return around[0] + inside + around[1]


def _grouped(text: str) -> str:
    return text if re.fullmatch(r"[\w.,−-]*|\([^()]*\)", text) else f"({text})"
