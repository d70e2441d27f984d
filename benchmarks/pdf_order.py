"""Reading order of pages made for it: which words that follow each other in the source do so in what is read.

    python benchmarks/pdf_order.py JATS_FOLDER OUT_FOLDER [--articles 12] [--seed 7]

Articles are set in columns of several kinds, in several orders of painting (column by column, line by line across the
columns, shuffled), with a title over them, a box beside them, tables, forms. The measure: the share of pairs of
neighbouring words of the truth that are neighbours in the text too, repeats counted. Beside ours: pdfium's own text
and pypdf's. The arrangements were looked at while the rules were written; the articles of `--articles` were not.

One JSON object: by layout the three shares, with the number of pairs.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pypdf
import pypdfium2
from fpdf import FPDF

from chartcite.readers.pdf_assembly import assemble
from chartcite.readers.pdf_engine import PdfFile
from chartcite.readers.pdf_order import reading_order
from jats_pdf import FONTS, blocks

SIZE = 9
STEP = 11.5
Placed = tuple[float, float, str]  # points from the left, from the top, a line


class Sheet:
    """A page on which lines are painted in any order; the truth is told apart."""

    def __init__(self) -> None:
        self.pdf = FPDF(unit="pt", format="A4")
        self.pdf.add_font("serif", "", FONTS / "DejaVuSerif.ttf")
        self.pdf.set_auto_page_break(False)
        self.pdf.add_page()
        self.pdf.set_font("serif", "", SIZE)
        self.truth: list[str] = []

    def wrap(self, words: Sequence[str], width: float) -> list[str]:
        """Lines of a column."""
        lines, line = [], ""
        for word in words:
            longer = f"{line} {word}" if line else word
            if line and self.pdf.get_string_width(longer) > width:
                lines.append(line)
                longer = word
            line = longer
        return [*lines, line] if line else lines

    def column(self, words: Sequence[str], x: float, y: float, width: float, step: float = STEP) -> list[Placed]:
        """A column's lines where they stand; their words are the next of the truth."""
        lines = self.wrap(words, width)
        self.truth += " ".join(lines).split()
        return [(x, y + n * step, line) for n, line in enumerate(lines)]

    def paint(self, lines: Sequence[Placed]) -> None:
        for x, y, line in lines:
            self.pdf.text(x, y, line)


def by_column(lines: list[Placed], _: random.Random) -> list[Placed]:
    return lines


def across(lines: list[Placed], _: random.Random) -> list[Placed]:
    return sorted(lines, key=lambda p: (p[1], p[0]))


def down(lines: list[Placed], _: random.Random) -> list[Placed]:
    return sorted(lines, key=lambda p: (p[0], p[1]))


def shuffled(lines: list[Placed], chance: random.Random) -> list[Placed]:
    return chance.sample(lines, len(lines))


def columns(sheet: Sheet, words: list[str], count: int, title: bool) -> list[Placed]:
    gutter = 16.0
    width = (500 - gutter * (count - 1)) / count
    y, lines = 60.0, []
    if title:
        lines += sheet.column(words[:24], 48, 60, 500)
        words, y = words[24:], 60 + STEP * (len(lines) + 1.5)
    each = len(words) // count
    for n in range(count):
        part = words[n * each : (n + 1) * each]
        lines += sheet.column(part, 48 + n * (width + gutter), y, width)
    return lines


def two(sheet: Sheet, words: list[str]) -> list[Placed]:
    return columns(sheet, words[:640], 2, title=False)


def two_titled(sheet: Sheet, words: list[str]) -> list[Placed]:
    return columns(sheet, words[:640], 2, title=True)


def three_titled(sheet: Sheet, words: list[str]) -> list[Placed]:
    return columns(sheet, words[:560], 3, title=True)


def sidebar(sheet: Sheet, words: list[str]) -> list[Placed]:
    side = sheet.column(words[:70], 48, 60, 110, step=10.2)
    return side + sheet.column(words[70:420], 180, 60, 360)


def between(sheet: Sheet, words: list[str]) -> list[Placed]:
    """Two columns, a paragraph of full width, two columns."""
    lines: list[Placed] = []
    y = 60.0
    for n in range(3):
        part = words[n * 240 : n * 240 + 240]
        if n == 1:
            made = sheet.column(part[:90], 48, y, 500)
        else:
            made = sheet.column(part[:120], 48, y, 240) + sheet.column(part[120:], 306, y, 240)
        lines += made
        y = max(p[1] for p in made) + 2 * STEP
    return lines


def table(sheet: Sheet, words: list[str], step: float = 14.0) -> list[Placed]:
    """A lab table of five columns: rows are what is read."""
    chance, lines = random.Random(len(words)), []
    for n in range(30):
        low = chance.randint(1, 90)
        name = " ".join(w.strip(".,;()") for w in words[n * 3 : n * 3 + chance.randint(1, 3)])
        row = [name, f"{chance.randint(1, 150)}.{n}", "mmol/L", f"{low}-{low + 9}", chance.choice(["H", "L", "normal"])]
        for x, cell in zip((48, 250, 320, 400, 480), row, strict=True):
            lines.append((float(x), 60 + n * step, cell))
        sheet.truth += " ".join(row).split()
    return lines


def dense_table(sheet: Sheet, words: list[str]) -> list[Placed]:
    """The same without white between the rows."""
    return table(sheet, words, STEP)


def medicines(sheet: Sheet, words: list[str]) -> list[Placed]:
    """A table of two columns whose cells have several lines, with white between the rows."""
    y, lines = 60.0, []
    for n in range(14):
        left = sheet.column(words[n * 40 : n * 40 + 7], 48, y, 150)
        right = sheet.column(words[n * 40 + 7 : n * 40 + 30], 220, y, 320)
        lines += left + right
        y = max(p[1] for p in left + right) + 2 * STEP
    return lines


def form(sheet: Sheet, words: list[str]) -> list[Placed]:
    """Names of fields with what was filled in, two fields a line."""
    lines = []
    for n in range(20):
        for x in (48.0, 300.0):
            name, value = words[n * 6].strip(".,;:()").title() + ":", words[n * 6 + 1 + (x > 100)]
            lines += [(x, 60 + n * 18.0, name), (x + 90, 60 + n * 18.0, value)]
            sheet.truth += [*name.split(), *value.split()]
    return lines


LAYOUTS: tuple[Callable[[Sheet, list[str]], list[Placed]], ...] = (
    two, two_titled, three_titled, sidebar, between, table, dense_table, medicines, form,
)  # fmt: skip
PAINTED = (by_column, across, down, shuffled)


def ours(path: Path) -> str:
    """As the reader has it, in this process."""
    return assemble([reading_order(page.words) if page else [] for page in PdfFile(path).pages()]).text


def pdfium(path: Path) -> str:
    document = pypdfium2.PdfDocument(path)
    return "\n".join(page.get_textpage().get_text_range() for page in document)


def pypdf_text(path: Path) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)


READERS = {"chartcite": ours, "pdfium": pdfium, "pypdf": pypdf_text}


def kept(truth: Sequence[str], text: str) -> int:
    """Pairs of neighbours of the truth that are neighbours in the text."""
    pairs = Counter(pairwise(truth))
    words = text.split()
    return (pairs & Counter(pairwise(words))).total()


def articles(folder: Path, count: int) -> Iterator[list[str]]:
    """The words of the longest paragraphs of some articles, in the order of their names."""
    for path in sorted(p for p in folder.iterdir() if p.suffix in (".nxml", ".xml"))[:count]:
        body = ET.parse(path).getroot().find(".//body")
        if body is None:
            continue
        text = " ".join(said for kind, said in blocks(body) if kind == "p")
        words = re.findall(r"\S+", text)
        while 0 < len(words) < 1000:
            words += words
        if words:
            yield words


def main() -> None:
    """Make, read, count."""
    parser = argparse.ArgumentParser()
    parser.add_argument("jats", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--articles", type=int, default=12)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    sums: dict[str, Counter[str]] = {}
    for number, words in enumerate(articles(options.jats, options.articles)):
        for layout in LAYOUTS:
            for painted in PAINTED:
                sheet = Sheet()
                lines = layout(sheet, words)
                sheet.paint(painted(lines, random.Random(f"{options.seed}{number}{layout.__name__}")))
                path = options.out / f"{layout.__name__}-{painted.__name__}-{number}.pdf"
                sheet.pdf.output(str(path))
                row = sums.setdefault(f"{layout.__name__}, {painted.__name__}", Counter())
                row["pairs"] += len(sheet.truth) - 1
                for name, read in READERS.items():
                    row[name] += kept(sheet.truth, read(path))
    shares = {
        key: {"pairs": s["pairs"], **{n: round(s[n] / s["pairs"], 3) for n in READERS}} for key, s in sums.items()
    }
    print(json.dumps(shares, indent=1))


if __name__ == "__main__":
    main()
