"""An engine that reads the same two words on every page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from chartcite.core.ocr import OcrLine, OcrPage, OcrWord

if TYPE_CHECKING:
    from chartcite.core.ocr import GreyImage

SEEN: Callable[[GreyImage], None] = lambda image: None  # noqa: E731


class FakeOcr:
    """Half the page's width is read."""

    name = "fake_ocr"
    fingerprint = "1"

    def read(self, image: GreyImage, check_time: Callable[[], None]) -> OcrPage:
        """Two words, the second hardly readable."""
        check_time()
        SEEN(image)
        words = (OcrWord("Potassium", 100, 100, 400, 130, 0.99), OcrWord("5.8", 500, 100, 600, 130, 0.42))
        return OcrPage((OcrLine(words),), 1000, 1000)


def load() -> FakeOcr:
    """As engines are loaded."""
    return FakeOcr()
