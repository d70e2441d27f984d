"""Pages of a PDF through pdfium: their characters in reading order, and which of them no reader of the page can see.

The only file that knows pypdfium2. Runs in the sandbox's child.
"""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pypdfium2
import pypdfium2.raw as pdfium

from chartcite.core.errors import CorruptSource, EncryptedSource
from chartcite.readers.pdf_sight import look
from chartcite.readers.pdf_text import address, page_words
from chartcite.readers.pdf_visibility import Box, Painted, Shape, hidden_texts, ocr_layer, suspect_texts
from chartcite.readers.pdf_words import Word

if TYPE_CHECKING:
    from chartcite.core.ocr import GreyImage

_PASSWORD_ERROR = 4
_MAX_BROKEN_PAGES = 100
"""In a row: files may claim a million pages and hold one."""

_MOST_LOOKED_AT = 40
"""Pages of a file that are drawn to see what can be seen: a scanned page may take a second."""

_MAX_DEPTH = 5
_MAX_OBJECTS = 50_000
"""Objects of one page whose visibility is looked at; forms inside forms can make billions of a small file."""

_MOST_CLIPS = 50
_OPTIONAL = "OC\0".encode("utf-16-le")

_KINDS = {
    pdfium.FPDF_PAGEOBJ_TEXT: Shape.TEXT,
    pdfium.FPDF_PAGEOBJ_PATH: Shape.PATH,
    pdfium.FPDF_PAGEOBJ_IMAGE: Shape.IMAGE,
    pdfium.FPDF_PAGEOBJ_SHADING: Shape.IMAGE,
}


@dataclass(frozen=True, slots=True)
class RawPage:
    """Words in the order in which the page paints them.

    Attributes:
        ocr_layer: some are invisible text over the image of a scan: what a program took it to say.
        looked: it was drawn to see which words can be seen; `unlooked`: it should have been, after too many others.
    """

    words: tuple[Word, ...]
    ocr_layer: bool = False
    looked: bool = False
    unlooked: bool = False


class PdfFile:
    """An open PDF; pages are read one by one."""

    def __init__(self, source: Path | bytes) -> None:
        """Open a file or its bytes, with the empty password when it has one.

        Raises:
            EncryptedSource: a password is needed.
            CorruptSource: its structure cannot be read.
        """
        try:
            self._document = pypdfium2.PdfDocument(source)
        except pypdfium2.PdfiumError as error:
            if error.err_code == _PASSWORD_ERROR:
                raise EncryptedSource("a password is needed to open the PDF", "save a copy without password") from error
            raise CorruptSource("the PDF is damaged; its structure cannot be read") from error

    def __len__(self) -> int:
        return len(self._document)

    def stated(self, name: str) -> str:
        """What the metadata state under a name such as `Title`; empty when they are damaged."""
        try:
            return str(self._document.get_metadata_dict().get(name) or "")
        except (pypdfium2.PdfiumError, UnicodeError):
            return ""

    def pages(self) -> Iterator[RawPage | None]:
        """Every page in its order; None for one that cannot be loaded, until it is clear that no more will come."""
        broken = looked = 0
        for number in range(len(self)):
            try:
                page = self._flat(number)
                read = _read(page, may_look=looked < _MOST_LOOKED_AT)
                looked += read.looked
                yield read
                page.close()
                broken = 0
            except pypdfium2.PdfiumError:
                yield None
                broken += 1
                if broken == _MAX_BROKEN_PAGES:
                    return

    def image(self, number: int, dpi: int, most_pixels: int) -> GreyImage:
        """A page as it is shown, uint8 [height, width]; smaller than asked for where it would have too many pixels.

        Raises:
            CorruptSource: it cannot be drawn.
        """
        try:
            page = self._document[number]
            width, height = page.get_size()
            scale = min(dpi / 72, (most_pixels / max(width * height, 1.0)) ** 0.5)
            picture = page.render(scale=scale, grayscale=True).to_numpy().copy()
            page.close()
        except pypdfium2.PdfiumError as error:
            raise CorruptSource(f"page {number + 1:,} cannot be drawn") from error
        return cast("GreyImage", picture.reshape(picture.shape[:2]))

    def picture(self, number: int, most_pixels: int) -> tuple[int, int, bytes]:
        """A page in colour, as it is shown: width, height and RGB bytes of at most so many pixels.

        Raises:
            CorruptSource: it cannot be drawn.
        """
        try:
            page = self._flat(number)
            width, height = page.get_size()
            scale = min(150 / 72, (most_pixels / max(width * height, 1.0)) ** 0.5)
            drawn = page.render(scale=scale, rev_byteorder=True, prefer_bgrx=False, fill_color=(255, 255, 255, 255))
            pixels = drawn.to_numpy()[:, :, :3].copy()
            page.close()
        except pypdfium2.PdfiumError as error:
            raise CorruptSource(f"page {number + 1:,} cannot be drawn") from error
        return pixels.shape[1], pixels.shape[0], pixels.tobytes()

    def _flat(self, number: int) -> Any:
        """A page with what was filled into its form, and its typed notes, as part of it."""
        page = self._document[number]
        if pdfium.FPDFPage_GetAnnotCount(page) <= 0:
            return page
        # Flattening takes a page that inherits its box for one of US letter size.
        box = page.get_bbox()
        page.set_mediabox(*box)
        page.set_cropbox(*box)
        if pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY) != pdfium.FLATTEN_SUCCESS:
            return page
        page.close()
        return self._document[number]


def _read(page: Any, *, may_look: bool) -> RawPage:
    objects = list(_painted(page))
    turned = page.get_rotation()
    # Turned so that most of its text stands upright: pdfium finds lines, and their order, in upright text only.
    upright = _text_angle(objects)
    page.set_rotation(upright)
    left, bottom, right, top = page.get_bbox()
    bounds = Box(left, bottom, right, top)
    unseen = hidden_texts(objects, bounds)
    text_page = page.get_textpage()
    try:
        words = tuple(page_words(text_page, {p.address: p for p in objects}, unseen, bounds, upright, turned))
    finally:
        text_page.close()
    shown = {word.owner for word in words if not all(word.hidden)}
    layer = ocr_layer(objects, bounds) & shown
    suspects = (suspect_texts(objects) & shown) - layer
    if not layer and not suspects:
        return RawPage(words)
    if not may_look:
        return RawPage(words, unlooked=True, ocr_layer=bool(layer))
    return RawPage(look(page, words, suspects, layer), looked=True, ocr_layer=bool(layer))


def _painted(page: Any) -> Iterator[Painted]:
    """What the page paints, in painting order, in page coordinates."""
    for count, item in enumerate(page.get_objects(filter=list(_KINDS), max_depth=_MAX_DEPTH)):
        if count >= _MAX_OBJECTS:
            return
        outer = _outer_matrix(item)
        box = _box(item, outer)
        if box is None:
            continue
        red, green, blue, alpha = _fill(item.raw)
        kind = _KINDS[item.type]
        mode, scale, angle = 0, 1.0, 0
        if kind is Shape.TEXT:
            mode = pdfium.FPDFTextObj_GetTextRenderMode(item.raw)
            matrix = item.get_matrix().multiply(outer)
            scale = math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c)) * _font_size(item.raw)
            angle = round(math.degrees(math.atan2(matrix.b, matrix.a)) / 90) * 90 % 360
        elif kind is Shape.PATH and not _is_filled(item.raw):
            continue
        layered = kind is Shape.TEXT and (item.container is not None or _is_optional(item.raw))
        clip = _clip(item) if kind is Shape.TEXT else None
        yield Painted(kind, address(item.raw), box, min(red, green, blue), alpha, mode, scale, angle, layered, clip)


def _is_optional(raw: Any) -> bool:
    """Whether it is in a group of optional content, which may be switched off."""
    for number in range(pdfium.FPDFPageObj_CountMarks(raw)):
        name, size = (ctypes.c_ushort * 8)(), ctypes.c_ulong()
        mark = pdfium.FPDFPageObj_GetMark(raw, number)
        if pdfium.FPDFPageObjMark_GetName(mark, name, ctypes.sizeof(name), size) and bytes(name)[:6] == _OPTIONAL:
            return True
    return False


def _clip(item: Any) -> Box | None:
    """Around the points of its clipping paths, in page coordinates; None without any, or inside a form."""
    path = pdfium.FPDFPageObj_GetClipPath(item.raw)
    box: Box | None = None
    if item.container is not None or not path:
        return None
    for number in range(min(max(pdfium.FPDFClipPath_CountPaths(path), 0), _MOST_CLIPS)):
        points = []
        for index in range(min(max(pdfium.FPDFClipPath_CountPathSegments(path, number), 0), _MOST_CLIPS)):
            x, y = ctypes.c_float(), ctypes.c_float()
            if pdfium.FPDFPathSegment_GetPoint(pdfium.FPDFClipPath_GetPathSegment(path, number, index), x, y):
                points.append((x.value, y.value))
        if points:
            new = Box(min(x for x, _ in points), min(y for _, y in points), max(x for x, _ in points),
                      max(y for _, y in points))  # fmt: skip
            box = new if box is None else Box(max(box.left, new.left), max(box.bottom, new.bottom),
                                              min(box.right, new.right), min(box.top, new.top))  # fmt: skip
    return box


def _text_angle(objects: list[Painted]) -> int:
    """The page rotation, clockwise, under which most text is upright: the angle, counter-clockwise, it is set at."""
    weight: Counter[int] = Counter()
    for painted in objects:
        if painted.shape is Shape.TEXT:
            weight[painted.angle] += int(max(painted.box.width, painted.box.height)) + 1
    return weight.most_common(1)[0][0] if weight else 0


def _outer_matrix(item: Any) -> Any:
    matrix = pypdfium2.PdfMatrix()
    container = item.container
    while container is not None:
        matrix = matrix.multiply(container.get_matrix())
        container = container.container
    return matrix


def _box(item: Any, outer: Any) -> Box | None:
    try:
        return Box(*outer.on_rect(*item.get_bounds()))
    except pypdfium2.PdfiumError:
        return None


def _fill(raw: Any) -> tuple[int, int, int, int]:
    parts = [ctypes.c_uint() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetFillColor(raw, *parts):
        return 0, 0, 0, 255
    red, green, blue, alpha = (part.value for part in parts)
    return red, green, blue, alpha


def _is_filled(raw: Any) -> bool:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    return bool(pdfium.FPDFPath_GetDrawMode(raw, fill, stroke)) and fill.value != pdfium.FPDF_FILLMODE_NONE


def _font_size(raw: Any) -> float:
    size = ctypes.c_float()
    return size.value if pdfium.FPDFTextObj_GetFontSize(raw, size) else 1.0
