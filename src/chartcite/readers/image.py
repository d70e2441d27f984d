"""Images of pages: PNG, JPEG, TIFF (of several pages), BMP and WebP. Their text is what OCR reads; one document a file.

Decoded by Pillow, which is asked for these formats alone, in the sandbox's child. How large an image is, its header
says: what would not fit is refused before a pixel is unpacked.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chartcite.core.documents import Document, Provenance
from chartcite.core.errors import CorruptSource, EmptySource, LimitExceeded
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.bytes_in import bare_suffix
from chartcite.readers.naming import parse_file_name
from chartcite.readers.ocr import ADVICE, MOST_PIXELS, PageOcr
from chartcite.readers.pdf_assembly import assemble
from chartcite.readers.pdf_order import reading_order

if TYPE_CHECKING:
    from chartcite.core.ocr import GreyImage
    from chartcite.readers.pdf_words import Line

_SUFFIXES = frozenset((".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp"))
_FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "WEBP")
_MOST_FRAMES = 1_000


class ImageReader:
    """Scans that are no PDF."""

    name = "image"
    hostile = True

    def accepts(self, path: Path, head: bytes) -> bool:
        """By the first bytes; by suffix where they are damaged."""
        magic = (b"\x89PNG", b"\xff\xd8\xff", b"II*\0", b"MM\0*")
        is_webp = head[:4] == b"RIFF" and head[8:12] == b"WEBP"
        return bare_suffix(path) in _SUFFIXES or is_webp or head.startswith(magic)

    def read(self, path: Path, name: str, sha256: str, options: ReadOptions) -> Iterator[Found | Problem]:
        """Yield the document, then a problem for each page that was left out.

        Raises:
            CorruptSource: damaged, or no image of these formats.
            LimitExceeded: it has too many pixels.
            EmptySource: no text was found.
        """
        ocr = PageOcr(options)
        if not ocr.is_on:
            yield Problem(name, EmptySource(f"an image needs OCR: {ADVICE}"), skipped=True)
            return
        pages: list[list[Line]] = []
        for number, frame in enumerate(_frames(path), 1):
            pages.append(reading_order(ocr.words(frame, number)))
        if not any(pages):
            raise next(ocr.failures(), EmptySource("OCR found no text in the image"))
        made = assemble(pages)
        named = parse_file_name(name)
        document = Document(
            doc_id=name, text=made.text, source=Provenance(name, sha256, f"image; read by OCR ({ocr.engine_name})"),
            title=named.note_type or named.stem, note_type=named.note_type, time=named.time, pages=made.starts,
            hidden=made.hidden, running=made.running, words=made.words,
        )  # fmt: skip
        yield Found(document, patient_id=None)
        yield from (Problem(name, error) for error in ocr.failures())


def _frames(path: Path) -> Iterator[GreyImage]:
    """Pages as grey images, uint8 [height, width], turned as the camera says; what is transparent is white."""
    import numpy as np  # noqa: PLC0415

    try:
        from PIL import Image, ImageOps, UnidentifiedImageError  # noqa: PLC0415 - comes with the extra
    except ModuleNotFoundError as error:
        raise EmptySource("an image needs OCR, and Pillow is not installed", ADVICE) from error
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow's own about large images: the limit here is lower
        try:
            with Image.open(path, formats=_FORMATS) as image:
                for number in range(min(getattr(image, "n_frames", 1), _MOST_FRAMES)):
                    image.seek(number)
                    if image.width * image.height > MOST_PIXELS:
                        raise LimitExceeded(
                            f"the image has more than {MOST_PIXELS // 1_000_000} million pixels", "scan it at 300 dpi"
                        )
                    upright = ImageOps.exif_transpose(image)
                    yield np.asarray(_on_white(upright).convert("L"), dtype=np.uint8)
        except UnidentifiedImageError as error:
            raise CorruptSource("the file is not an image of the kind that its name says") from error
        except (OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError) as error:
            raise CorruptSource("the image is damaged") from error


def _on_white(image: Any) -> Any:
    from PIL import Image  # noqa: PLC0415

    if image.mode not in ("RGBA", "LA", "PA") and "transparency" not in image.info:
        return image
    over = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", over.size, "white"), over)


READER = ImageReader()
