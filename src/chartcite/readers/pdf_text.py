"""Words of a pdfium text page with their boxes; what is raised, and glyphs that stand for a bullet.

Runs in the sandbox's child.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pypdfium2.raw as pdfium

from chartcite.readers.hyphens import LINE_END
from chartcite.readers.pdf_visibility import Box, Painted
from chartcite.readers.pdf_words import CAN_BE_RAISED, Frame, Word, raised, stands_raised

_HYPHEN_MARK = 2
_TOKEN = re.compile(rf"[^\s{LINE_END}]+{LINE_END}?|{LINE_END}")
_FAR = 1.5
_SMALLER = 0.9
_BULLETS = str.maketrans(dict.fromkeys("\uf0b7\uf0a7\uf0d8\uf076\uf0a8\uf06e\uf071\uf0fc\uf0e0\uf02d", "•"))
"""What Symbol and Wingdings, as word processors use them, put before an item."""


def page_words(
    page: Any, objects: Mapping[int, Painted], unseen: set[int], bounds: Box, upright: int, turned: int
) -> Iterator[Word]:
    """The words of a page in the order in which it paints them.

    `upright` is the rotation under which its text stands upright, `turned` the one under which it is shown, in degrees
    clockwise.
    """
    text = _text(page)
    before: tuple[Frame, float, float] | None = None  # of the last word that is not raised: box, size, base line
    for order, found in enumerate(_TOKEN.finditer(text)):
        for start, end in _parts(page, objects, found.start(), found.end()):
            box = _box(page, start, end)
            if box is None:
                continue
            owner = objects.get(address(pdfium.FPDFText_GetTextObject(page, start)))
            at = _turn(box, bounds, upright)
            size = (owner.font_points if owner else 0.0) or at.height
            put = text[start:end].translate(_BULLETS)
            if put[0] in CAN_BE_RAISED and before and size < _SMALLER * before[1]:
                base = _base_line(page, start, bounds, upright)
                if stands_raised(before, at, base):
                    put = raised(put)
            if put == text[start:end]:
                before = at, size, _base_line(page, start, bounds, upright)
            put, hidden = _whole(put, _hidden(page, start, end, unseen))
            shown = _shown(box, bounds, turned)
            yield Word(put, hidden, at, shown, size, order, owner is None or owner.angle == upright)


def _text(page: Any) -> str:
    """A character an index: halves of surrogate pairs count one each, what has no character is a space."""
    characters = []
    for index in range(page.count_chars()):
        code = pdfium.FPDFText_GetUnicode(page, index)
        if code == _HYPHEN_MARK and pdfium.FPDFText_IsHyphen(page, index) == 1:
            code = ord(LINE_END)
        characters.append(chr(code) if 0 < code <= 0x10FFFF else " ")
    return "".join(characters)


def _parts(page: Any, objects: Mapping[int, Painted], start: int, end: int) -> Iterator[tuple[int, int]]:
    """What pdfium takes for one word may be several: another font size, another line, a gap."""
    if pdfium.FPDFText_CountRects(page, start, end - start) <= 1:
        yield start, end
        return
    before: tuple[Box, int] | None = None
    for index in range(start, end):
        box = _box(page, index, index + 1)
        if box is None:
            continue
        owner = address(pdfium.FPDFText_GetTextObject(page, index))
        if before is not None and owner != before[1] and _are_apart(before, (box, owner), objects):
            yield start, index
            start = index
        before = box, owner
    yield start, end


def _are_apart(one: tuple[Box, int], other: tuple[Box, int], objects: Mapping[int, Painted]) -> bool:
    sizes = [objects[owner].font_points if owner in objects else 0.0 for _, owner in (one, other)]
    a, b = one[0], other[0]
    far = _FAR * max(*sizes, 1.0)
    gap_across = max(a.left, b.left) - min(a.right, b.right)
    gap_down = max(a.bottom, b.bottom) - min(a.top, b.top)
    return min(sizes) < _SMALLER * max(sizes) or gap_across > far or gap_down > far


def _box(page: Any, start: int, end: int) -> Box | None:
    """Around some characters, in the page's own points; None where none has a place, as a space has none."""
    found: Box | None = None
    sides = [ctypes.c_double() for _ in range(4)]
    for number in range(pdfium.FPDFText_CountRects(page, start, end - start)):
        if not pdfium.FPDFText_GetRect(page, number, *sides):
            continue
        left, top, right, bottom = (side.value for side in sides)
        if not all(map(math.isfinite, (left, top, right, bottom))):
            continue
        new = Box(min(left, right), min(bottom, top), max(left, right), max(bottom, top))
        found = new if found is None else found.around(new)
    return found


def _base_line(page: Any, index: int, bounds: Box, angle: int) -> float:
    """How far down the line stands on which a character is set, in the frame of upright text."""
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(page, index, x, y)
    return _turn(Box(x.value, y.value, x.value, y.value), bounds, angle).top


def _hidden(page: Any, start: int, end: int, unseen: set[int]) -> bytes:
    if not unseen:
        return bytes(end - start)
    return bytes(address(pdfium.FPDFText_GetTextObject(page, index)) in unseen for index in range(start, end))


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
