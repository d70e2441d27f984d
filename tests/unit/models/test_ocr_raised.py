"""A raised mark behind a figure is no figure of it, and figures of one line are none, however they are drawn."""

from __future__ import annotations

import pytest
from tests.scans import needs_ocr

from chartcite.models.ocr._ink import InkRun
from chartcite.models.ocr._raised import with_raised
from chartcite.models.ocr._recognition import Glyph

DIGIT, MARK, SMALL, LOW = (10, 30), (6, 19), (17, 30), (15, 36)
"""Rows of a figure, a raised one, an old-style one without and with a descender."""


def read(said: str, rows: list[tuple[int, int]], *, together: bool = False) -> str:
    runs = [InkRun(12 * n, 12 * n + 10, *row) for n, row in enumerate(rows)]
    homes = [runs[0]] * len(said) if together else runs
    glyphs = [Glyph(char, 12 * n + 5, 0.99) for n, char in enumerate(said)]
    return "".join(glyph.character for glyph in with_raised(glyphs, homes, runs))


@pytest.mark.parametrize(
    ("said", "rows", "shown"),
    [
        ("5001", [DIGIT] * 3 + [MARK], "500¹"),
        ("50012", [DIGIT] * 3 + [MARK] * 2, "500¹²"),
        ("103/L", [DIGIT, DIGIT, MARK, DIGIT, DIGIT], "10³/L"),
        ("5001", [DIGIT] * 4, "5001"),
        ("5121", [LOW, SMALL, SMALL, SMALL], "5121"),
        ("mg1", [SMALL, SMALL, MARK], "mg1"),
        ("x11", [SMALL, DIGIT, MARK], "x1¹"),
        ("5,1", [DIGIT, (27, 34), DIGIT], "5,1"),
    ],
    ids=["mark", "two marks", "power", "plain", "old style", "behind letters", "one figure", "point"],
)
def test_what_stands_above_the_line(said: str, rows: list[tuple[int, int]], shown: str) -> None:
    assert read(said, rows) == shown


def test_what_shares_its_ink_is_left() -> None:
    assert read("5001", [DIGIT], together=True) == "5001"


@needs_ocr
@pytest.mark.parametrize("size", [26, 36])
def test_a_drawn_mark_runs_into_no_number(size: int) -> None:
    import numpy as np  # noqa: PLC0415 - only where the networks are
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415

    from chartcite.models.ocr.rapidocr import load  # noqa: PLC0415

    image = Image.new("L", (900, 140), "white")
    draw, x, ground = ImageDraw.Draw(image), 30.0, 40 + size
    for text, font_size, rise in (("Metformin 500", size, 0), ("1", int(0.6 * size), size // 3), (" mg 5001", size, 0)):
        font = ImageFont.load_default(font_size)
        draw.text((x, ground - rise), text, font=font, fill="black", anchor="ls")
        x += draw.textlength(text, font=font)
    page = load().read(np.asarray(image), lambda: None)
    assert [word.text for line in page.lines for word in line.words] == ["Metformin", "500¹", "mg", "5001"]
