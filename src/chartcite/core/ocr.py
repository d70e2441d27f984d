"""The port of OCR engines: a page's image to words, each with its box and how sure the engine is of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    GreyImage = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class OcrWord:
    """A word as it was read. Edges in pixels of the upright image, origin top left; `confidence` 0-1.

    `confidence` is that of its least sure character: a word is as doubtful as its worst digit.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float
    confidence: float


@dataclass(frozen=True, slots=True)
class OcrLine:
    """Words that stand side by side, from left to right; never empty."""

    words: tuple[OcrWord, ...]

    @property
    def left(self) -> float:
        """Left edge of the first word."""
        return self.words[0].left

    @property
    def right(self) -> float:
        """Right edge of the last word."""
        return self.words[-1].right

    @property
    def top(self) -> float:
        """The highest edge."""
        return min(word.top for word in self.words)

    @property
    def bottom(self) -> float:
        """The lowest edge."""
        return max(word.bottom for word in self.words)


@dataclass(frozen=True, slots=True)
class OcrPage:
    """Lines of one image, from top to bottom, columns not yet told apart.

    Attributes:
        width, height: of the upright image, in pixels; the words' edges are in it.
        turned: how far the image was turned clockwise to stand upright: 0, 90, 180 or 270.
        skew: degrees by which its lines fell to the right before they were straightened.
    """

    lines: tuple[OcrLine, ...]
    width: int
    height: int
    turned: int = 0
    skew: float = 0.0


class OcrEngine(Protocol):
    """Images to words. The same image gives the same words; one thread, nothing kept between two pages."""

    name: str
    fingerprint: str  # changes whenever what is read would

    def read(self, image: GreyImage, check_time: Callable[[], None]) -> OcrPage:
        """One page. `image`: uint8 [height, width], 0 is black. `check_time` is called between steps, and may raise."""
        ...
