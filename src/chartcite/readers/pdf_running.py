"""Which lines of pages run through a document: headers, footers, page numbers.

A line runs if each of its cells stands at the same height of three pages or more, in the margin zone, word for word,
or is the number of its page. Numbers that differ in any other way, a value or a date, make a line that is no header.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from chartcite.readers.pdf_words import Line

_ZONE = 0.2
"""Share of the page's height at its top and at its foot where running lines stand."""
_SAME_HEIGHT = 0.012
_LEAST_PAGES = 3
_PAGE_NUMBER = re.compile(
    r"[-–—\[( ]*(?P<word>page|pages|pag\.?|página|pág\.?|p\.|pg\.?|folha|fl\.?|seite)? ?(?P<number>\d{1,5})"
    r"(?: ?(?:of|de|/|von) ?(?P<total>\d{1,5}))?[-–—\]) ]*",
    re.IGNORECASE,
)
_ROMAN = re.compile(r"[ivxlc]{1,7}")


@dataclass(frozen=True, slots=True)
class _Cell:
    page: int
    line: int
    key: tuple[str, ...]
    height: float


def running_lines(pages: Sequence[Sequence[Line]]) -> list[frozenset[int]]:
    """By page, the indices of the lines that run; the first page's own at its top, the last page's at its foot too."""
    found: list[set[int]] = [set() for _ in pages]
    if len(pages) < 2:
        return [frozenset() for _ in pages]
    cells = [cell for n, lines in enumerate(pages) for cell in _cells(n, lines)]
    together: defaultdict[tuple[str, ...], list[_Cell]] = defaultdict(list)
    for cell in cells:
        together[cell.key].append(cell)
    runs = {
        id(cell) for some in together.values() for cell in some
        if _pages_at(some, cell.height) >= (2 if cell.key[0] == "page of" and len(pages) == 2 else _LEAST_PAGES)
    }  # fmt: skip
    by_line: defaultdict[tuple[int, int], list[bool]] = defaultdict(list)
    for cell in cells:
        by_line[cell.page, cell.line].append(id(cell) in runs)
    for (page, line), each in by_line.items():
        if all(each):
            found[page].add(line)
    return [frozenset(lines) for lines in found]


def is_at_top(line: Line) -> bool:
    """Whether a line of the margin zone stands in the upper one."""
    return _height(line) < 0.5


def _cells(page: int, lines: Sequence[Line]) -> list[_Cell]:
    cells = []
    for index, line in enumerate(lines):
        height = _height(line)
        if _ZONE < height < 1 - _ZONE:
            continue
        cells += [_Cell(page, index, _key(text, page), height) for text in line.cells()]
    return cells


def _height(line: Line) -> float:
    return (min(w.shown[1] for w in line.words) + max(w.shown[3] for w in line.words)) / 2


def _key(text: str, page: int) -> tuple[str, ...]:
    """What is the same on the pages that a cell runs through."""
    said = " ".join(text.casefold().split())
    number = _PAGE_NUMBER.fullmatch(said)
    if number:
        kind = "page of" if number["word"] or number["total"] else "number"
        return kind, number["word"] or "", str(int(number["number"]) - page), number["total"] or ""
    return ("roman", "") if _ROMAN.fullmatch(said) else ("text", said)


def _pages_at(cells: Sequence[_Cell], height: float) -> int:
    return len({cell.page for cell in cells if abs(cell.height - height) <= _SAME_HEIGHT})
