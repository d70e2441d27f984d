"""Words of a pdfium text page with their boxes; what is raised, and glyphs that stand for a bullet.

Runs in the sandbox's child.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import pypdfium2.raw as pdfium

from chartcite.readers.hyphens import LINE_END
from chartcite.readers.pdf_visibility import Box, Painted
from chartcite.readers.pdf_words import CAN_BE_RAISED, Frame, Word, raised, stands_raised

_HYPHEN_MARK = 2
_TOKEN = re.compile(rf"[^\s{LINE_END}]+{LINE_END}?|{LINE_END}")
_FAR = 1.5
_SMALLER = 0.9
_HALF = 0.5
_TOUCH = 0.12
_BULLETS = str.maketrans(dict.fromkeys("\uf0b7\uf0a7\uf0d8\uf076\uf0a8\uf06e\uf071\uf0fc\uf0e0\uf02d", "•"))
"""What Symbol and Wingdings, as word processors use them, put before an item."""


def page_words(
    page: Any, objects: Mapping[int, Painted], unseen: set[int], bounds: Box, upright: int, turned: int
) -> Iterator[Word]:
    """The words of a page in the order in which it paints them.

    `upright` is the rotation under which its text stands upright, `turned` the one under which it is shown, in degrees
    clockwise.
    """
    source = _Source(page, objects, bounds, upright)
    text = _text(page)
    base: tuple[Frame, float, int] | None = None  # of the last word that is not raised: box, size, its last index
    before: tuple[int, Frame, float] | None = None
    before_order = 0
    for number, found in enumerate(_TOKEN.finditer(text)):
        for start, end, box, same_word in source.parts(found.start(), found.end()):
            owner = source.owner(start)
            at = _turn(box, bounds, upright)
            size = (owner.font_points if owner else 0.0) or at.height
            put = text[start:end].translate(_BULLETS)
            joined = same_word or (before is not None and source.touches(*before, start, at, size))
            order = before_order if joined else number
            before, before_order = (end - 1, at, size), order
            smaller = base is not None and size < _SMALLER * base[1]
            if (
                smaller
                and base
                and put[0] in CAN_BE_RAISED
                and stands_raised(base[0], base[1], at, source.rise(base[2], start))
            ):
                put = raised(put)
            elif not (joined and smaller):
                base = at, size, end - 1
            if joined and smaller and base:  # in the line of what it belongs to, wherever it is set
                at = Frame(at.left, base[0].top, at.right, base[0].bottom)
            put, hidden = _whole(put, source.hidden(start, end, unseen))
            upright_too = owner is None or owner.angle == upright
            yield Word(
                put,
                hidden,
                at,
                _shown(box, bounds, turned),
                size,
                order,
                upright_too,
                owner.address if owner else 0,
                joined,
            )


class _Source:
    """Asks pdfium about the characters of one page, in its own points."""

    def __init__(self, page: Any, objects: Mapping[int, Painted], bounds: Box, upright: int) -> None:
        self._page, self._objects, self._bounds, self._upright = page, objects, bounds, upright
        self._sides = [ctypes.c_double() for _ in range(4)]

    def owner(self, index: int) -> Painted | None:
        """The text object that a character belongs to, if it is one of those looked at."""
        return self._objects.get(address(pdfium.FPDFText_GetTextObject(self._page, index)))

    def hidden(self, start: int, end: int, unseen: set[int]) -> bytes:
        """A byte a character, 1 for those of unseen objects."""
        if not unseen:
            return bytes(end - start)
        find = pdfium.FPDFText_GetTextObject
        return bytes(address(find(self._page, index)) in unseen for index in range(start, end))

    def rise(self, index: int, other: int) -> float:
        """How much higher the line stands on which the second character is set."""
        return self._line(index) - self._line(other)

    def touches(self, last: int, at: Frame, size: float, first: int, other: Frame, other_size: float) -> bool:
        """Whether a word of another size follows at once, with no space but those that pdfium put there."""
        small, large = sorted((size, other_size))
        if small >= _SMALLER * large or not -_TOUCH * large < other.left - at.right < _TOUCH * large:
            return False
        generated = all(pdfium.FPDFText_IsGenerated(self._page, index) == 1 for index in range(last + 1, first))
        return generated and abs(self.rise(last, first)) < _HALF * large

    def _line(self, index: int) -> float:
        x, y = self._sides[:2]
        pdfium.FPDFText_GetCharOrigin(self._page, index, x, y)
        return _turn(Box(x.value, y.value, x.value, y.value), self._bounds, self._upright).top

    def parts(self, start: int, end: int) -> Iterator[tuple[int, int, Box, bool]]:
        """What pdfium takes for one word may be several: another font size, another line, a gap.

        The last value says that a part belongs to the one before it: only its size is another.
        """
        count = pdfium.FPDFText_CountRects(self._page, start, end - start)
        if count <= 1:
            box = self._box(count)
            if box is not None:
                yield start, end, box, False
            return
        last: tuple[int, Box] | None = None
        around: Box | None = None
        joined = False
        for index in range(start, end):
            box = self._box(pdfium.FPDFText_CountRects(self._page, index, 1))
            if box is None:
                continue
            cut = self._cut(*last, index, box) if last is not None else None
            if cut and around is not None:
                yield start, index, around, joined
                start, around, joined = index, None, cut == "size"
            last = index, box
            around = box if around is None else around.around(box)
        if around is not None:
            yield start, end, around, joined

    def _cut(self, index: int, box: Box, other: int, other_box: Box) -> Literal["place", "size"] | None:
        """Why two characters in a row are not of one word, if they are not."""
        one, two = self.owner(index), self.owner(other)
        if one is two or one is None or two is None:
            return None
        small, large = sorted((one.font_points, two.font_points))
        gap = max(box.left, other_box.left) - min(box.right, other_box.right)
        gap_down = max(box.bottom, other_box.bottom) - min(box.top, other_box.top)
        same_way = one.angle == two.angle == self._upright
        if max(gap, gap_down) > _FAR * large or (same_way and abs(self.rise(index, other)) > _HALF * large):
            return "place"
        return "size" if small < _SMALLER * large else None

    def _box(self, rects: int) -> Box | None:
        """Around the characters last counted; None where none has a place, as a space has none."""
        found: Box | None = None
        for number in range(rects):
            if not pdfium.FPDFText_GetRect(self._page, number, *self._sides):
                continue
            left, top, right, bottom = (side.value for side in self._sides)
            if all(map(math.isfinite, (left, top, right, bottom))):
                new = Box(min(left, right), min(bottom, top), max(left, right), max(bottom, top))
                found = new if found is None else found.around(new)
        return found


def _text(page: Any) -> str:
    """A character an index: halves of surrogate pairs count one each, what has no character is a space."""
    characters = []
    for index in range(page.count_chars()):
        code = pdfium.FPDFText_GetUnicode(page, index)
        if code == _HYPHEN_MARK and pdfium.FPDFText_IsHyphen(page, index) == 1:
            code = ord(LINE_END)
        characters.append(chr(code) if 0 < code <= 0x10FFFF else " ")
    return "".join(characters)


def _whole(text: str, hidden: bytes) -> tuple[str, bytes]:
    """Surrogate pairs become one character; half of one, which no store could hold, U+FFFD."""
    if text.isascii() or not any("\ud800" <= c <= "\udfff" for c in text):
        return text, hidden
    characters, flags, index = [], bytearray(), 0
    while index < len(text):
        pair = text[index : index + 2]
        whole = len(pair) == 2 and "\ud800" <= pair[0] <= "\udbff" and "\udc00" <= pair[1] <= "\udfff"
        one = pair.encode("utf-16", "surrogatepass").decode("utf-16") if whole else pair[0]
        characters.append("\ufffd" if "\ud800" <= one <= "\udfff" else one)
        flags.append(hidden[index])
        index += 2 if whole else 1
    return "".join(characters), bytes(flags)


def _turn(box: Box, bounds: Box, angle: int) -> Frame:
    """From points of the page, y upwards, to the page turned clockwise by an angle, from its top left corner."""
    if angle == 90:
        return Frame(
            box.bottom - bounds.bottom, box.left - bounds.left, box.top - bounds.bottom, box.right - bounds.left
        )
    if angle == 180:
        return Frame(
            bounds.right - box.right, box.bottom - bounds.bottom, bounds.right - box.left, box.top - bounds.bottom
        )
    if angle == 270:
        return Frame(bounds.top - box.top, bounds.right - box.right, bounds.top - box.bottom, bounds.right - box.left)
    return Frame(box.left - bounds.left, bounds.top - box.top, box.right - bounds.left, bounds.top - box.bottom)


def _shown(box: Box, bounds: Box, angle: int) -> tuple[float, float, float, float]:
    """As shares of the page as it is shown."""
    frame = _turn(box, bounds, angle)
    sides = (bounds.width, bounds.height) if angle in (0, 180) else (bounds.height, bounds.width)
    width, height = (max(side, 1e-6) for side in sides)
    return frame.left / width, frame.top / height, frame.right / width, frame.bottom / height


def address(raw: Any) -> int:
    """Tells one of pdfium's objects from another."""
    return ctypes.cast(raw, ctypes.c_void_p).value or 0
