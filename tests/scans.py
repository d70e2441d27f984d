"""Small scans with known text, drawn with Pillow's own font, and whether the OCR engine is there."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Sequence

import pytest

OCR_ENGINE = "chartcite.models.ocr.rapidocr"
needs_ocr = pytest.mark.skipif(
    importlib.util.find_spec("rapidocr_onnxruntime") is None,
    reason="the networks of rapidocr_onnxruntime are not installed (make .venv/dev)",
)


def drawn(*lines: str, size: int = 26, width: int = 900) -> object:
    """Black lines on white, one below the other."""
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415 - only where there are images

    image = Image.new("L", (width, 60 + 2 * size * len(lines)), "white")
    draw = ImageDraw.Draw(image)
    for n, line in enumerate(lines):
        draw.text((30, 30 + 2 * size * n), line, font=ImageFont.load_default(size), fill="black")
    return image


def encoded(images: Sequence[object], kind: str) -> bytes:
    """Images as one file."""
    kept = io.BytesIO()
    first, *rest = images
    more = {"save_all": True, "append_images": rest} if rest else {}
    first.save(kept, kind, **more)  # type: ignore[attr-defined]
    return kept.getvalue()


def png(*lines: str) -> bytes:
    """A scan as PNG."""
    return encoded([drawn(*lines)], "PNG")
