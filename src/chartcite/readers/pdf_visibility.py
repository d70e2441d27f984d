"""Which text of a page its reader cannot see: invisible by mode, white on white, transparent, tiny, off the page.

Geometry only; knows no engine. An OCR layer, invisible text over the image of a scan, is not hidden: the reader sees
the image. What is covered, clipped or switched off is only suspected here; `pdf_sight.py` looks at it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

_INVISIBLE_MODES = (3, 7)  # painted not at all, or used as a clipping path only
_STROKED_MODES = (1, 2, 5, 6)
_WHITE = 245
_TINY_POINTS = 1.0
_PALE = 200
_OPAQUE = 128
_CLIPPING_MODES = (4, 5, 6, 7)
_MOST_PAIRS = 500_000
_SCAN_SHARE = 0.5
"""Images that cover this share of the page make it a scan."""


class Shape(Enum):
    """What an object paints; shadings count as images."""

    TEXT = "text"
    PATH = "path"
    IMAGE = "image"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in PDF points, y upwards."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        """Never negative."""
        return max(0.0, self.right - self.left)

    @property
    def height(self) -> float:
        """Never negative."""
        return max(0.0, self.top - self.bottom)

    def holds_centre_of(self, other: Box) -> bool:
        """Whether the middle of the other one is inside."""
        x, y = (other.left + other.right) / 2, (other.bottom + other.top) / 2
        return self.left <= x <= self.right and self.bottom <= y <= self.top

    def around(self, other: Box) -> Box:
        """The smallest box that holds both."""
        return Box(
            min(self.left, other.left), min(self.bottom, other.bottom), max(self.right, other.right),
            max(self.top, other.top),
        )  # fmt: skip

    def misses(self, other: Box) -> bool:
        """Whether the two have nothing in common."""
        return other.right < self.left or other.left > self.right or other.top < self.bottom or other.bottom > self.top


@dataclass(frozen=True, slots=True)
class Painted:
    """One object in painting order.

    Attributes:
        whiteness, alpha: its darkest colour channel and its opacity, 0 to 255.
        layered: it is in a group that can be switched off.
        clip: what is outside this box is not painted.
    """

    shape: Shape
    address: int
    box: Box
    whiteness: int = 0
    alpha: int = 255
    mode: int = 0
    font_points: float = 12.0
    angle: int = 0
    layered: bool = False
    clip: Box | None = None


def ocr_layer(objects: list[Painted], page: Box) -> set[int]:
    """Addresses of invisible text over, or under, the image of a scan, which its reader sees in its place."""
    images = [painted.box for painted in objects if painted.shape is Shape.IMAGE]
    if sum(box.width * box.height for box in images) < _SCAN_SHARE * page.width * page.height:
        return set()
    covers = _covers(objects)
    return {
        painted.address
        for number, painted in enumerate(objects)
        if painted.shape is Shape.TEXT
        and any(image.holds_centre_of(painted.box) for image in images)
        and (_unreadable(painted, page) or not painted.alpha or _is_covered(painted, number, covers))
    }


def suspect_texts(objects: list[Painted]) -> set[int]:
    """Addresses of text that something may keep from being seen: it must be looked at."""
    texts = [(n, p) for n, p in enumerate(objects) if p.shape is Shape.TEXT]
    covers = _covers(objects)
    if len(texts) * len(covers) > _MOST_PAIRS:
        return {p.address for _, p in texts}
    return {
        p.address
        for n, p in texts
        if p.layered or p.alpha < _OPAQUE or p.whiteness >= _PALE or (p.clip and not p.clip.holds_centre_of(p.box))
        or p.mode in _CLIPPING_MODES or _is_covered(p, n, covers)
    }  # fmt: skip


def _covers(objects: list[Painted]) -> list[tuple[int, Box]]:
    """What may be painted over text, with its place in the order, the last first."""
    return [(n, p.box) for n, p in enumerate(objects) if p.shape is not Shape.TEXT and p.alpha > 0][::-1]


def _is_covered(text: Painted, number: int, covers: list[tuple[int, Box]]) -> bool:
    """Whether something is painted over it later."""
    for at, box in covers:
        if at < number:
            return False
        if not box.misses(text.box):
            return True
    return False


def hidden_texts(objects: list[Painted], page: Box) -> set[int]:
    """Addresses of the text objects that cannot be seen."""
    images = [painted.box for painted in objects if painted.shape is Shape.IMAGE]
    scanned = sum(box.width * box.height for box in images) >= _SCAN_SHARE * page.width * page.height
    hidden: set[int] = set()
    grounds: list[Box] = []  # painted so far, and not white
    for painted in objects:
        if painted.shape is not Shape.TEXT:
            if painted.shape is Shape.IMAGE or (painted.whiteness < _WHITE and painted.alpha):
                grounds.append(painted.box)
        elif (_unreadable(painted, page) or _blends_in(painted, grounds)) and not (
            scanned and any(image.holds_centre_of(painted.box) for image in images)
        ):
            hidden.add(painted.address)
    return hidden


def _unreadable(text: Painted, page: Box) -> bool:
    return text.mode in _INVISIBLE_MODES or 0 < text.font_points < _TINY_POINTS or page.misses(text.box)


def _blends_in(text: Painted, grounds: list[Box]) -> bool:
    if text.mode in _STROKED_MODES:
        return False
    if not text.alpha:
        return True
    return text.whiteness >= _WHITE and not any(ground.holds_centre_of(text.box) for ground in grounds)
