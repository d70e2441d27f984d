"""The body of a JATS article: sections under their titles, paragraphs, lists, captions, tables row by row."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator

from chartcite.readers.jats_inline import running_text, tex_text
from chartcite.readers.page_text import PageText
from chartcite.readers.table_rows import Grid, Row, span_of

_BLOCKS = frozenset((
    "sec", "p", "list", "def-list", "table-wrap", "table-wrap-group", "fig", "fig-group", "boxed-text", "disp-quote",
    "disp-formula", "disp-formula-group", "statement", "verse-group", "preformat", "speech", "supplementary-material",
    "glossary", "app", "app-group", "ack", "notes", "bio", "fn-group", "ref-list", "array", "table", "title", "label",
    "caption", "media", "chem-struct-wrap", "floats-group", "answer-set", "question", "code", "abstract",
    "table-wrap-foot", "fn", "attrib", "subtitle", "kwd-group", "body",
))  # fmt: skip
_SILENT = frozenset((
    "object-id", "graphic", "sec-meta", "alternatives", "permissions", "alt-text", "long-desc", "email", "ext-link",
    "sub-article", "response", "front-stub", "front", "back", "label", "title", "subtitle",
))  # fmt: skip


def write_body(node: ET.Element, page: PageText, depth: int = 1) -> None:
    """Write all blocks of an element in its order; sections inside it are headers of `depth`."""
    for child in node:
        if child.tag not in _SILENT:
            _block(child, page, depth)


def write_section(node: ET.Element, page: PageText, depth: int = 1, without_title: str = "") -> None:
    """A section, or what is like one, under its title."""
    title = titled(node) or without_title
    if title:
        page.header(title, depth)
    write_body(node, page, depth + 1)


def titled(node: ET.Element) -> str:
    """The title with its number, and the subtitle; empty without."""
    title = node.find("title") if node.find("title") is not None else node.find("caption/title")
    return " ".join(filter(None, (_of(node, "label"), running_text(title)))) if title is not None else ""


def _block(node: ET.Element, page: PageText, depth: int) -> None:
    write = _WRITERS.get(node.tag)
    if write is not None:
        write(node, page, depth)
    elif node.tag in _BLOCKS or any(child.tag in _BLOCKS for child in node):
        write_body(node, page, depth)
    else:
        page.paragraph(running_text(node))


def _references(node: ET.Element, page: PageText, depth: int) -> None:  # noqa: ARG001 - as all writers
    page.left_out["references"] += sum(1 for _ in node.iter("ref"))


def _definitions(node: ET.Element, page: PageText, depth: int) -> None:  # noqa: ARG001
    for item in node.iter("def-item"):
        page.line(": ".join(filter(None, (_of(item, "term"), _of(item, "def")))))


def _table(node: ET.Element, page: PageText, depth: int) -> None:  # noqa: ARG001
    page.table(_rows(node))


def _keywords(node: ET.Element, page: PageText, depth: int) -> None:  # noqa: ARG001
    words = [running_text(word) for word in node.iter("kwd")]
    page.paragraph(f"{titled(node) or 'Keywords'}: {'; '.join(filter(None, words))}" if words else "")


def _of(node: ET.Element, tag: str) -> str:
    found = node.find(tag)
    return running_text(found) if found is not None else ""


def _paragraph(node: ET.Element, page: PageText, depth: int) -> None:
    """A paragraph; figures, tables and lists inside it follow the words before them."""
    inner = [child for child in node if child.tag in _BLOCKS - {"fn"}]
    if not inner:
        page.paragraph(running_text(node))
    else:
        for words, block in _cut(node):
            page.paragraph(words)
            if block is not None:
                _block(block, page, depth)
    for note in _notes_in(node):
        _notes(note, page, depth)


def _notes_in(node: ET.Element) -> Iterator[ET.Element]:
    """The notes of running text; those of a figure or table in it come with that."""
    for child in node:
        if child.tag == "fn":
            yield child
        elif child.tag not in _BLOCKS:
            yield from _notes_in(child)


def _cut(node: ET.Element) -> Iterator[tuple[str, ET.Element | None]]:
    """The paragraph's words up to each block in it, and that block."""
    piece = ET.Element("p")
    piece.text = node.text
    for child in node:
        if child.tag in _BLOCKS - {"fn"}:
            yield running_text(piece), child
            piece = ET.Element("p")
            piece.text = child.tail
        else:
            piece.append(child)
    yield running_text(piece), None


def _list(node: ET.Element, page: PageText, depth: int, indent: str = "") -> None:
    ordered = node.get("list-type") in ("order", "alpha-lower", "alpha-upper", "roman-lower", "roman-upper")
    if title := titled(node):
        page.paragraph(title)
    for number, item in enumerate(node.findall("list-item"), start=1):
        mark = _of(item, "label") or (f"{number}." if ordered else "-")
        for child in item:
            if child.tag == "list":
                _list(child, page, depth, indent + "  ")
            elif child.tag != "label" and child.tag not in _SILENT:
                if words := running_text(child):
                    page.line(f"{indent}{mark} {words}" if mark else f"{indent}  {words}")
                mark = ""


def _captioned(node: ET.Element, page: PageText, depth: int) -> None:
    """Label, title and caption in a paragraph, then what is there to read of it."""
    caption = node.find("caption")
    said = [_of(node, "label"), _of(caption, "title") if caption is not None else ""]
    words = " ".join(part if part.endswith((".", "?", "!", ":")) else f"{part}." for part in said if part)
    parts = [child for child in caption if child.tag != "title"] if caption is not None else []
    page.paragraph(" ".join(filter(None, [words, *(running_text(part) for part in parts)])))
    tables = list(node.iter("table"))
    for table in tables:
        page.table(_rows(table))
    if node.tag == "table-wrap" and not tables and node.find(".//graphic") is not None:
        page.left_out["pictured"] += 1
    for child in node:
        if child.tag in ("table-wrap-foot", "p", "list", "attrib", "def-list", "disp-formula"):
            _block(child, page, depth)


def _formula(node: ET.Element, page: PageText, depth: int) -> None:  # noqa: ARG001
    words = running_text(node, leave=("label",)) or tex_text(node)
    if words:
        page.paragraph(" ".join(filter(None, (words, _of(node, "label")))))
    elif node.find(".//graphic") is not None:
        page.left_out["pictured"] += 1


def _notes(node: ET.Element, page: PageText, depth: int) -> None:
    """Notes, a paragraph each, with their mark in front."""
    if node.tag != "fn":
        if title := titled(node):
            page.paragraph(title)
        for child in node:
            if child.tag not in ("title", "label"):
                _block(child, page, depth)
        return
    words = [running_text(part) for part in node if part.tag != "label"]
    page.paragraph(" ".join(filter(None, (_of(node, "label"), *words))))


def _rows(table: ET.Element) -> Iterator[Row]:
    grid = Grid()
    parts = [part for part in table if part.tag in ("tr", "thead", "tbody", "tfoot")]
    for part in parts:
        if part.tag != "tr":
            grid.end_group()
        for row in [part] if part.tag == "tr" else part.findall("tr"):
            for cell in row:
                if cell.tag in ("td", "th"):
                    grid.add(
                        running_text(cell, at_break="; "), span_of(cell.get("colspan")), span_of(cell.get("rowspan"))
                    )
            yield grid.end_row(is_head=part.tag == "thead")


_WRITERS: dict[str, Callable[[ET.Element, PageText, int], None]] = {
    **dict.fromkeys(("sec", "app", "ack", "notes", "glossary", "boxed-text", "abstract", "bio"), write_section),
    **dict.fromkeys(("p", "attrib", "verse-line", "preformat", "code"), _paragraph),
    **dict.fromkeys(("fig", "table-wrap", "supplementary-material", "media", "chem-struct-wrap"), _captioned),
    **dict.fromkeys(("table-wrap-foot", "fn-group", "fn"), _notes),
    "ref-list": _references,
    "list": _list,
    "def-list": _definitions,
    "table": _table,
    "disp-formula": _formula,
    "array": _formula,
    "kwd-group": _keywords,
}
