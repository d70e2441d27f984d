"""One page of a PDF or an image as a PNG, drawn in the sandbox's child: what a citation's boxes are laid over.

The PNG is written here, so that a PDF needs no image library. It has the colours and shape of the page and nothing else
of the file: no metadata, no annotation that is not seen.
"""

from __future__ import annotations

import struct
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path

from chartcite.core.errors import CorruptSource, MissingExtra
from chartcite.core.reading import PagePicture, ReadOptions
from chartcite.readers.ocr import MOST_PIXELS

MOST_SHOWN = 4_000_000
"""Pixels of a picture: A4 at 200 dpi."""
_FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "WEBP")


class PageDrawer:
    """Answers the sandbox's requests for a picture; its source is trusted as little as when its text is read."""

    name = "page_image"
    hostile = True

    def read(self, path: Path, name: str, sha256: str, options: ReadOptions) -> Iterator[PagePicture]:  # noqa: ARG002
        """Yield the picture of `options.page`.

        Raises:
            CorruptSource: there is no such page, or it cannot be drawn.
        """
        data = path.read_bytes()
        yield _of_pdf(data, options.page) if data[:1024].find(b"%PDF") >= 0 else _of_image(path, options.page)


def _of_pdf(data: bytes, page: int) -> PagePicture:
    from chartcite.readers.pdf_engine import PdfFile  # noqa: PLC0415 - an image needs no pdfium

    file = PdfFile(data)
    _must_have(page, len(file))
    width, height, pixels = file.picture(page - 1, MOST_SHOWN)
    return PagePicture(_png(width, height, pixels), width, height, len(file))


def _of_image(path: Path, page: int) -> PagePicture:
    try:
        from PIL import Image, ImageOps, UnidentifiedImageError  # noqa: PLC0415 - comes with the extra
    except ModuleNotFoundError as error:
        raise MissingExtra("An image needs Pillow to be shown.", "pip install 'chartcite[ocr]'") from error
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow's own about large images: the limit here is lower
        try:
            with Image.open(path, formats=_FORMATS) as image:
                pages = int(getattr(image, "n_frames", 1))
                _must_have(page, pages)
                image.seek(page - 1)
                if image.width * image.height > MOST_PIXELS:
                    raise CorruptSource("the image has too many pixels to be shown")
                upright = ImageOps.exif_transpose(image).convert("RGBA")
                white = Image.new("RGBA", upright.size, "white")
                shown = Image.alpha_composite(white, upright).convert("RGB")
                share = min(1.0, (MOST_SHOWN / (shown.width * shown.height)) ** 0.5)
                if share < 1:
                    shown = shown.resize((max(int(shown.width * share), 1), max(int(shown.height * share), 1)))
        except UnidentifiedImageError as error:
            raise CorruptSource("the file is not an image") from error
        except (OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError) as error:
            raise CorruptSource("the image is damaged") from error
    return PagePicture(_png(shown.width, shown.height, shown.tobytes()), shown.width, shown.height, pages)


def _must_have(page: int, pages: int) -> None:
    if not 1 <= page <= pages:
        raise CorruptSource("there is no such page", "Ask for a page that the document has.")


def _png(width: int, height: int, rgb: bytes) -> bytes:
    """The PNG of rows of RGB bytes (PNG specification, third edition: IHDR, IDAT with filter 0, IEND)."""
    step = 3 * width
    rows = b"".join(b"\0" + rgb[at : at + step] for at in range(0, step * height, step))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows, 6)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


READER = PageDrawer()
