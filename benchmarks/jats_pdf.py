"""Renders JATS articles to PDF files, as a reader would have them: title, abstract, body, tables, references left out.

Usage: python benchmarks/jats_pdf.py JATS_FOLDER OUT_FOLDER

Needs fpdf2 and the DejaVu fonts. Same articles, same bytes: the date of a file is a fixed one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as ET

from fpdf import FPDF

FONTS = Path("/usr/share/fonts/truetype/dejavu")
_NO_TEXT = frozenset({"xref", "fn", "inline-formula", "disp-formula", "graphic", "media", "supplementary-material"})


def said(element: ET.Element) -> str:
    """The text of an element without reference marks, formulas and pictures."""
    parts: list[str] = []

    def walk(node: ET.Element) -> None:
        is_pointer = node.tag == "xref" and node.get("ref-type") in ("fig", "table", "sec")
        if node.tag not in _NO_TEXT or is_pointer:
            parts.append(node.text or "")
            for child in node:
                walk(child)
                parts.append(child.tail or "")

    walk(element)
    text = " ".join("".join(parts).split())
    # What is left of a list of reference marks: brackets with nothing but marks in between.
    return re.sub(r"\s*[\[(][\s,;–-]*[\])]", "", text)


def blocks(element: ET.Element, depth: int = 1) -> Iterator[tuple[str, str]]:
    """(kind, text) in reading order: `h1`, `h2`, `p`, `row`."""
    for child in element:
        if child.tag == "sec":
            yield from blocks(child, depth + 1)
        elif child.tag == "title":
            yield f"h{min(depth, 3)}", said(child)
        elif child.tag == "p":
            yield "p", said(child)
        elif child.tag == "list":
            yield from (("p", said(item)) for item in child.iter("list-item"))
        elif child.tag in ("table-wrap", "fig"):
            yield "p", " ".join(said(part) for part in (*child.iter("label"), *child.findall("caption")) if said(part))
            for row in child.iter("tr"):
                cells = [said(cell) for cell in row if cell.tag in ("td", "th")]
                if any(cells):
                    yield "row", "   ".join(cells)


def render(article: Path, out: Path) -> str:
    """Write one article; returns its title."""
    root = ET.parse(article).getroot()
    title = said(next(root.iter("article-title")))
    pdf = FPDF(format="A4")
    pdf.set_creation_date(datetime(2020, 1, 1, tzinfo=UTC))
    pdf.set_title(title)
    pdf.set_margins(22, 20, 22)
    pdf.set_auto_page_break(auto=True, margin=20)
    for style, file in (("", "DejaVuSerif.ttf"), ("B", "DejaVuSerif-Bold.ttf")):
        pdf.add_font("serif", style, FONTS / file)
    pdf.add_page()
    _line(pdf, title, 15, "B")
    for abstract in root.iter("abstract"):
        if not abstract.get("abstract-type"):
            _line(pdf, "Abstract", 12, "B")
            _all(pdf, blocks(abstract, 2))
    body = root.find(".//body")
    if body is not None:
        _all(pdf, blocks(body))
    pdf.output(str(out))
    return title


def _all(pdf: FPDF, parts: Iterator[tuple[str, str]]) -> None:
    sizes = {"h1": 13, "h2": 12, "h3": 11, "p": 10, "row": 8}
    for kind, text in parts:
        if text:
            _line(pdf, text, sizes[kind], "B" if kind.startswith("h") else "")


def _line(pdf: FPDF, text: str, size: int, style: str) -> None:
    pdf.set_font("serif", style, size)
    pdf.multi_cell(0, size * 0.5, text, new_x="LMARGIN", new_y="NEXT")
    pdf.ln(2)


def render_all(folder: Path, out: Path) -> list[tuple[str, str]]:
    """(file, title) of every article of a folder; a file without an article's title is left out."""
    out.mkdir(parents=True, exist_ok=True)
    made = []
    for path in sorted(p for p in folder.iterdir() if p.suffix in (".nxml", ".xml")):
        if "<article-title" in path.read_text("utf-8"):
            name = f"{path.stem}.pdf"
            made.append((name, render(path, out / name)))
    return made


if __name__ == "__main__":
    for name, title in render_all(Path(sys.argv[1]), Path(sys.argv[2])):
        print(name, title, sep="\t")
