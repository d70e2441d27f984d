"""Where the words of a text stand on the pages of their source.

Knows no format. Places are kept packed, one block of bytes a page, since a book has a hundred thousand words; a block
is unpacked when somebody asks for a place on its page.
"""

from __future__ import annotations

import hashlib
import struct
import sys
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Any, NamedTuple

_STEPS = 20_000
"""Places are rounded to this share of the page: 15 micrometres of A4's height."""
_MAX_UNPACKED = 1 << 24
_HEAD = struct.Struct("<III")  # page, offset of its first word, offset after its last
_LENGTH = struct.Struct("<I")
_NO_CONFIDENCE = 255
_COLUMNS = 7  # gap to the word before, length, left, top, width, height, confidence
_SAME_LINE = 0.5
_NEAR = 3.0
"""Words further apart than this many line heights are not covered by one box: a gap between columns is no text."""


class PageBox(NamedTuple):
    """A rectangle on a page, as shares of the page's shown width and height, origin top left; pages count from 1."""

    page: int
    left: float
    top: float
    right: float
    bottom: float

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {**self._asdict()}


@dataclass(frozen=True, slots=True)
class WordBox:
    """One word, or a part of one, where it stands: `document.text[start:end]` is what the box shows.

    Attributes:
        page: counted from 1.
        left, top, right, bottom: shares of the page's width and height as it is shown (cut and turned), from the top
            left corner, 0 to 1.
        confidence: of recognition, 0 to 1; None for text that was not recognised from an image.
    """

    start: int
    end: int
    page: int
    left: float
    top: float
    right: float
    bottom: float
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class WordBoxes:
    """The boxes of a document's words, in the order of the text; empty where the source has no places.

    `blocks` are sorted by their first word; made by `pack`, and only by it.
    """

    blocks: tuple[bytes, ...] = ()

    @staticmethod
    def pack(words: Iterable[WordBox]) -> WordBoxes:
        """Of words in the order of the text, apart from each other.

        Raises:
            ValueError: a word is empty, before the one before it, longer than 65,535 characters, or on no page.
        """
        blocks, at = [], 0
        for page, group in groupby(words, key=lambda word: word.page):
            some = list(group)
            for word in some:
                if not (at <= word.start < word.end <= word.start + 0xFFFF and page >= 1):
                    raise ValueError("words must be in the order of the text, on pages that count from 1")
                at = word.end
            blocks.append(_packed(page, some))
        return WordBoxes(tuple(blocks))

    def __bool__(self) -> bool:
        return bool(self.blocks)

    def __iter__(self) -> Iterator[WordBox]:
        """Every word in its order."""
        for block in self.blocks:
            yield from _unpacked(block)

    def between(self, start: int, end: int) -> list[WordBox]:
        """The words that have a character in `[start, end)`."""
        found: list[WordBox] = []
        first = max(bisect_right([_HEAD.unpack_from(block)[1] for block in self.blocks], start) - 1, 0)
        for block in self.blocks[first:]:
            _, block_start, block_end = _HEAD.unpack_from(block)
            if block_start >= end:
                break
            if block_end > start:
                found += [word for word in _unpacked(block) if word.start < end and start < word.end]
        return found

    def boxes_of(self, start: int, end: int) -> tuple[PageBox, ...]:
        """What to mark on the pages for `text[start:end]`: a box a line, in the order of the text.

        A word that the span cuts is marked whole.
        """
        boxes: list[PageBox] = []
        words = self.between(start, end)
        downwards = sum(w.bottom - w.top for w in words) > sum(w.right - w.left for w in words)  # on a turned page
        for word in words:
            box = PageBox(word.page, word.left, word.top, word.right, word.bottom)
            if boxes and _continues(boxes[-1], box, downwards=downwards):
                boxes[-1] = _around(boxes[-1], box)
            else:
                boxes.append(box)
        return tuple(boxes)

    def confidence_of(self, start: int, end: int) -> float | None:
        """The lowest confidence of the words in a span; None where none was recognised from an image."""
        stated = [word.confidence for word in self.between(start, end) if word.confidence is not None]
        return min(stated, default=None)

    def to_bytes(self) -> bytes:
        """One block after the other, each with its length before it."""
        return b"".join(_LENGTH.pack(len(block)) + block for block in self.blocks)

    def digest(self) -> str:
        """SHA-256 of the places, whatever library packed them."""
        digest = hashlib.sha256()
        for block in self.blocks:
            digest.update(block[: _HEAD.size] + _raw(block))
        return digest.hexdigest()

    @staticmethod
    def from_bytes(data: bytes) -> WordBoxes:
        """The inverse of `to_bytes`.

        Raises:
            ValueError: these are no such bytes.
        """
        blocks, at = [], 0
        while at < len(data):
            try:
                (length,) = _LENGTH.unpack_from(data, at)
            except struct.error as error:
                raise ValueError("a block without a length") from error
            at += _LENGTH.size + length
            if at > len(data) or length < _HEAD.size:
                raise ValueError("a block that is cut")
            blocks.append(data[at - length : at])
        return WordBoxes(tuple(blocks))


def _packed(page: int, words: Sequence[WordBox]) -> bytes:
    """Columns of 16 bits, each value less the one before it, low bytes apart from high ones: they compress best so."""
    start = words[0].start
    before = [start, *(word.end for word in words[:-1])]
    left, top = ([_step(at) for at in ats] for ats in ((w.left for w in words), (w.top for w in words)))
    columns = (
        [min(word.start - at, 0xFFFF) for word, at in zip(words, before, strict=True)],
        [word.end - word.start for word in words],
        _differences(left),
        _differences(top),
        [max(_step(word.right) - at, 0) for word, at in zip(words, left, strict=True)],
        [max(_step(word.bottom) - at, 0) for word, at in zip(words, top, strict=True)],
        [_NO_CONFIDENCE if w.confidence is None else round(100 * min(max(w.confidence, 0.0), 1.0)) for w in words],
    )
    if any(word.start - at > 0xFFFF for word, at in zip(words, before, strict=True)):
        raise ValueError("more than 65,535 characters without a place")
    raw = b"".join(_bytes(column) for column in columns)
    return _HEAD.pack(page, start, words[-1].end) + zlib.compress(b"".join((raw[::2], raw[1::2])), 9)


def _unpacked(block: bytes) -> list[WordBox]:
    page, start, _ = _HEAD.unpack_from(block)
    raw = _raw(block)
    half, many = len(raw) // 2, len(raw) // (2 * _COLUMNS)
    both = bytearray(2 * half)
    both[::2], both[1::2] = raw[:half], raw[half : 2 * half]
    numbers = array("H", bytes(both))
    if sys.byteorder == "big":
        numbers.byteswap()
    gaps, lengths, lefts, tops, widths, heights, confidences = (
        numbers[n * many : (n + 1) * many] for n in range(_COLUMNS)
    )
    words, at = [], start
    across, down = accumulate(lefts), accumulate(tops)
    for gap, length, left, top, width, height, confidence in zip(
        gaps, lengths, across, down, widths, heights, confidences, strict=True
    ):
        x, y = left & 0xFFFF, top & 0xFFFF
        words.append(
            WordBox(
                at + gap, at + gap + length, page, x / _STEPS, y / _STEPS, (x + width) / _STEPS, (y + height) / _STEPS,
                None if confidence == _NO_CONFIDENCE else confidence / 100,
            )
        )  # fmt: skip
        at += gap + length
    return words


def _raw(block: bytes) -> bytes:
    """Of a block from another process too: one that is none gives nothing, one that is too long is cut."""
    try:
        return zlib.decompressobj().decompress(block[_HEAD.size :], _MAX_UNPACKED)
    except zlib.error:
        return b""


def _step(share: float) -> int:
    return round(min(max(share, 0.0), 1.0) * _STEPS)


def _differences(values: Sequence[int]) -> list[int]:
    return [(b - a) & 0xFFFF for a, b in zip((0, *values[:-1]), values, strict=True)]


def _bytes(column: Iterable[int]) -> bytes:
    numbers = array("H", column)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _continues(line: PageBox, word: PageBox, *, downwards: bool) -> bool:
    """Whether a word goes on in the line: at its height, and not beyond a gap."""
    if word.page != line.page:
        return False
    across = (line.left, line.right, word.left, word.right)
    down = (line.top, line.bottom, word.top, word.bottom)
    return _beside(*down, *across) if downwards else _beside(*across, *down)


def _beside(a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float) -> bool:
    """Whether `[c, d]` follows `[a, b]` closely where `[e, f]` and `[g, h]` are mostly the same.

    Shares of width and height differ by the page's shape; sizes of pages are of the same order either way.
    """
    lower = min(f - e, h - g)
    return max(c - b, a - d) <= _NEAR * max(lower, 0.01) and min(f, h) - max(e, g) >= _SAME_LINE * lower


def _around(one: PageBox, other: PageBox) -> PageBox:
    return PageBox(
        one.page, min(one.left, other.left), min(one.top, other.top), max(one.right, other.right),
        max(one.bottom, other.bottom),
    )  # fmt: skip
