"""The networks of RapidOCR's package (PP-OCRv4, Apache-2.0) on ONNX Runtime, without the package's own code.

Its code needs OpenCV (190 MB, and a graphics library that servers lack), logs, runs on all cores, and loses the spaces
between English words; only its two model files are used, pinned by hash. It was made for Chinese and English: letters
with accents are read without them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from chartcite.core.ocr import OcrLine, OcrPage
from chartcite.models.files import package_folder, verify_hashes
from chartcite.models.ocr._detection import find_lines
from chartcite.models.ocr._ink import ink_runs, line_heights, spacing_of
from chartcite.models.ocr._picture import dusted, straightened, turned
from chartcite.models.ocr._recognition import Recogniser
from chartcite.models.ocr._regions import Box
from chartcite.models.ocr._words import words_of
from chartcite.models.onnx_session import OnnxSession

if TYPE_CHECKING:
    from chartcite.core.ocr import GreyImage
    from chartcite.models.ocr._recognition import Glyph

SHA256 = {
    "ch_PP-OCRv4_det_infer.onnx": "d2a7720d45a54257208b1e13e36a8479894cb74155a5efe29462512d42f49da9",
    "ch_PP-OCRv4_rec_infer.onnx": "48fc40f24f6d2a207a2b1091d3437eb3cc3eb6b676dc3ef9c37384005483683b",
}
_PACKAGE, _VERSION = "rapidocr_onnxruntime", "1.4.4"
_REVISION = "2"  # of the code around the networks: count up whenever what is read changes

_MOST_LINES = 600
_LEAST_SLOPE = 0.003  # rows a column: 5 pixels over the width of a page
_PROBES, _UPSIDE_DOWN_IF_BELOW = 6, 0.85
_LINE_CONFIDENCE = 0.5
"""Lines whose characters have less on average are pictures, stains and rules."""


def load(folder: Path | None = None) -> RapidOcr:
    """Load the networks from the installed package, or from a folder with the same files.

    Raises:
        ModelMissing: a file is not there.
        ModelRefused: a file has other bytes than the pinned ones.
        ModuleNotFoundError: the package is not installed.
    """
    place = folder or package_folder(_PACKAGE) / "models"
    verify_hashes(place, SHA256, f"{_PACKAGE}=={_VERSION}")
    return RapidOcr(place)


class RapidOcr:
    """Finds lines, turns and straightens the page, reads line by line."""

    name = "rapidocr"
    fingerprint = f"{_VERSION}-{_REVISION}"

    def __init__(self, folder: Path) -> None:
        find, read = (OnnxSession(folder / name) for name in SHA256)
        self._finder = find
        self._recogniser = Recogniser(read)

    def read(self, image: GreyImage, check_time: Callable[[], None]) -> OcrPage:
        """As the port says. Cost: one run of the finder, two for a page that was turned or skewed, then one a line."""
        image = dusted(image)
        boxes = find_lines(self._finder, image)
        check_time()
        angle = 0
        if _stands_on_end(boxes):
            angle, image = 90, turned(image, 90)
            boxes = find_lines(self._finder, image)
            check_time()
        if self._is_upside_down(image, boxes):
            angle, image = (angle + 180) % 360, turned(image, 180)
            boxes = [_half_turned(box, image) for box in boxes]
        slope = _slope(boxes)
        if abs(slope) >= _LEAST_SLOPE:
            image = straightened(image, slope)
            boxes = find_lines(self._finder, image)
            check_time()
        lines = self._lines(image, sorted(boxes, key=lambda box: (box.top, box.left))[:_MOST_LINES], check_time)
        return OcrPage(tuple(lines), image.shape[1], image.shape[0], angle, round(slope * 57.29578, 2))

    def _lines(self, image: GreyImage, boxes: list[Box], check_time: Callable[[], None]) -> list[OcrLine]:
        parts = [image[box.top : box.bottom, box.left : box.right] for box in boxes]
        ink = [ink_runs(part) for part in parts]
        heights = line_heights([box.height for box in boxes])
        spacing = spacing_of(list(zip(ink, heights, strict=True)))
        lines = []
        for box, part, runs, height in zip(boxes, parts, ink, heights, strict=True):
            check_time()
            glyphs = self._recogniser.read(part)
            if _confidence(glyphs) >= _LINE_CONFIDENCE and (words := words_of(glyphs, runs, height, spacing, box)):
                lines.append(OcrLine(tuple(words)))
        return lines

    def _is_upside_down(self, image: GreyImage, boxes: list[Box]) -> bool:
        """Whether the widest lines are read more surely with the page turned by half."""
        slope = _slope(boxes)
        probes = sorted(boxes, key=lambda box: (-box.width, box.top, box.left))[:_PROBES]
        level = [_level(image[box.top : box.bottom, box.left : box.right], slope) for box in probes]
        as_it_is = [_confidence(self._recogniser.read(part)) for part in level]
        if not probes or sum(as_it_is) / len(probes) >= _UPSIDE_DOWN_IF_BELOW:
            return False
        other = [_confidence(self._recogniser.read(turned(part, 180))) for part in level]
        return sum(other) > sum(as_it_is)


def _level(part: GreyImage, slope: float) -> GreyImage:
    return straightened(part, slope) if abs(slope) >= _LEAST_SLOPE else part


def _confidence(glyphs: list[Glyph]) -> float:
    """Mean probability of the characters; 0 without any."""
    return sum(glyph.probability for glyph in glyphs) / len(glyphs) if glyphs else 0.0


def _stands_on_end(boxes: list[Box]) -> bool:
    """Whether most of the text's area is in boxes that are far higher than wide."""
    areas = [(box.height > 1.5 * box.width, box.width * box.height) for box in boxes]
    return 2 * sum(area for on_end, area in areas if on_end) > sum(area for _, area in areas)


def _half_turned(box: Box, image: GreyImage) -> Box:
    height, width = image.shape
    return Box(width - box.right, height - box.bottom, width - box.left, height - box.top, box.slope)


def _slope(boxes: list[Box]) -> float:
    """The median slope of long lines, each counted by its width; 0 where there are none."""
    long = sorted((box.slope, box.width) for box in boxes if box.width > 6 * box.height or box.width > 600)
    half, so_far = sum(width for _, width in long) / 2, 0
    for slope, width in long:
        so_far += width
        if so_far >= half:
            return slope if abs(slope) < 0.35 else 0.0
    return 0.0
