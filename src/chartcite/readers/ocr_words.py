"""Words that an OCR engine read from a page's image, as words of a page: upright, and where they are on it as shown."""

from __future__ import annotations

from itertools import count
from math import cos, radians, sin

from chartcite.core.ocr import OcrPage, OcrWord
from chartcite.readers.pdf_words import Frame, Word

_HEIGHT_PT = 800.0
"""Points of a page's long side where its image does not say how large it is: about those of A4."""
_SIZE_OF_LINE = 0.85
"""A line's box is higher than its letters' font size."""


def words_on_page(page: OcrPage) -> tuple[Word, ...]:
    """The words in the order in which the engine found them, line by line."""
    scale = _HEIGHT_PT / max(page.width, page.height, 1)
    order = count()
    return tuple(_word(word, page, scale, next(order)) for line in page.lines for word in line.words)


def _word(word: OcrWord, page: OcrPage, scale: float, order: int) -> Word:
    at = Frame(word.left * scale, word.top * scale, word.right * scale, word.bottom * scale)
    size = at.height * _SIZE_OF_LINE
    return Word(word.text, bytes(len(word.text)), at, _shown(word, page), size, order, confidence=word.confidence)


def _shown(word: OcrWord, page: OcrPage) -> tuple[float, float, float, float]:
    """Straightening and turning undone; of a skewed word the box between its corners, which covers no neighbour."""
    corners = [_at(x, y, page) for x in (word.left, word.right) for y in (word.top, word.bottom)]
    xs, ys = sorted(x for x, _ in corners), sorted(y for _, y in corners)
    box = ((xs[0] + xs[1]) / 2, (ys[0] + ys[1]) / 2, (xs[2] + xs[3]) / 2, (ys[2] + ys[3]) / 2)
    left, top, right, bottom = (min(max(share, 0.0), 1.0) for share in box)
    return left, top, right, bottom


def _at(x: float, y: float, page: OcrPage) -> tuple[float, float]:
    """A point of the upright, straightened image as shares of the page as it was given."""
    middle_x, middle_y = page.width / 2, page.height / 2
    angle = radians(page.skew)
    dx, dy = x - middle_x, y - middle_y
    across = (middle_x + dx * cos(angle) - dy * sin(angle)) / page.width
    down = (middle_y + dx * sin(angle) + dy * cos(angle)) / page.height
    return {0: (across, down), 90: (down, 1 - across), 180: (1 - across, 1 - down), 270: (1 - down, across)}[
        page.turned
    ]
