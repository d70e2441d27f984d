"""The engine's parts on drawn shapes, and the engine itself on small pages that were drawn for it."""

from __future__ import annotations

import io
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.scans import OCR_ENGINE, needs_ocr, png

from chartcite.core.ocr import OcrEngine, OcrPage
from chartcite.models.ocr._ink import InkRun, Spacing, ink_runs, line_heights, spacing_of
from chartcite.models.ocr._recognition import Glyph
from chartcite.models.ocr._regions import Box, regions
from chartcite.models.ocr._words import words_of

if TYPE_CHECKING:
    from chartcite.core.ocr import GreyImage

LINES = (
    "Potassium fell to 2.9 mmol/L and was replaced.",
    "No evidence of stroke. She was not given 12.5 mg.",
)


def test_regions_touch_by_side_or_corner() -> None:
    picture = ["##..#", "..#..", "#...#", "#..##"]
    found = regions(np.array([[c == "#" for c in row] for row in picture]))
    assert [(r.left, r.top, r.right, r.bottom) for r in found] == [
        (0, 0, 3, 2),
        (4, 0, 5, 1),
        (0, 2, 1, 4),
        (3, 2, 5, 4),
    ]


def test_a_region_that_closes_like_a_horseshoe_is_one() -> None:
    assert len(regions(np.array([[1, 0, 1], [1, 0, 1], [1, 1, 1]], dtype=bool))) == 1


@pytest.mark.parametrize("slope", [0.0, 0.05, -0.03])
def test_the_slope_of_a_bar(slope: float) -> None:
    bar = np.zeros((60, 400), dtype=bool)
    for x in range(400):
        y = round(30 + slope * (x - 200))
        bar[y - 4 : y + 4, x] = True
    (found,) = regions(bar)
    assert found.slope == pytest.approx(slope, abs=0.003)


def test_dust_is_no_ink() -> None:
    line = np.full((40, 100), 255, dtype=np.uint8)
    line[10:30, 10:20] = 0
    line[20, 50] = 0
    assert ink_runs(line) == [InkRun(10, 20, 10, 30)]


def evenly(widths: list[int], gaps: list[int]) -> list[InkRun]:
    runs, at = [], 0
    for width, gap in zip(widths, [*gaps, 0], strict=True):
        runs.append(InkRun(at, at + width))
        at += width + gap
    return runs


def test_a_space_is_wider_than_the_gaps_of_letters_and_of_a_one() -> None:
    runs = evenly([8, 14, 10, 12] * 10, [2, 3, 9] * 13)
    spacing = spacing_of([(runs, 34.0)] * 3)
    assert 3 / 34 < spacing.letters < 9 / 34
    assert spacing.numbers > spacing.letters


def test_a_typewriter_has_one_pitch_and_wide_gaps_inside_words() -> None:
    widths = [4, 12, 10, 6, 12, 8] * 8
    middles = [16 * n for n in range(len(widths))]
    runs = [InkRun(m + 20 - w // 2, m + 20 + w // 2) for m, w in zip(middles, widths, strict=True)]
    assert max(b.start - a.end for a, b in pairwise(runs)) == 10
    assert spacing_of([(runs, 32.0)]).letters > 10 / 32


def test_lines_of_one_size_are_measured_by_one_height() -> None:
    assert line_heights([30, 32, 34, 80]) == [33.0, 33.0, 33.0, 80.0]
    assert line_heights([]) == []


def test_a_space_that_the_network_dropped_comes_from_the_paper() -> None:
    runs = evenly([10] * 6, [2, 2, 12, 2, 2])
    found = words_of(
        [Glyph(c, (r.start + r.end) / 2, 0.9) for c, r in zip("notnow", runs, strict=True)],
        runs, 34.0, Spacing(0.2, 0.25), Box(100, 50, 200, 84, 0.0),
    )  # fmt: skip
    assert [word.text for word in found] == ["not", "now"]
    assert (found[1].left, found[1].right, found[1].top) == (100 + runs[3].start, 100 + runs[5].end, 50)


def test_places_that_are_half_a_letter_off_part_the_same_words() -> None:
    runs = evenly([10] * 6, [2, 2, 12, 2, 2])
    off = [Glyph(c, (r.start + r.end) / 2 - 5, 0.9) for c, r in zip("notnow", runs, strict=True)]
    assert [w.text for w in words_of(off, runs, 34.0, Spacing(0.2, 0.25), Box(0, 0, 90, 34, 0.0))] == ["not", "now"]


def test_a_range_is_never_cut_at_its_hyphen_and_a_word_is_as_sure_as_its_worst_character() -> None:
    runs = evenly([10] * 7, [2, 2, 14, 14, 2, 2])
    shown = [Glyph(c, (r.start + r.end) / 2, 0.9) for c, r in zip("3.5-5.1", runs, strict=True)]
    shown[2] = Glyph("5", shown[2].middle, 0.4)
    (word,) = words_of(shown, runs, 34.0, Spacing(0.2, 0.25), Box(0, 0, 90, 34, 0.0))
    assert (word.text, word.confidence) == ("3.5-5.1", 0.4)


def test_nothing_in_nothing_out() -> None:
    assert words_of([], [], 34.0, Spacing(0.2, 0.25), Box(0, 0, 9, 9, 0.0)) == []
    assert regions(np.zeros((5, 5), dtype=bool)) == []


@cache
def engine() -> OcrEngine:
    loaded: OcrEngine = import_module(OCR_ENGINE).load()
    return loaded


def grey(*lines: str, turn: float = 0.0) -> GreyImage:
    from PIL import Image  # noqa: PLC0415

    picture = Image.open(io.BytesIO(png(*lines)))
    return np.asarray(picture.rotate(turn, expand=True, fillcolor=255), dtype=np.uint8)


def text_of(page: OcrPage) -> list[str]:
    return [" ".join(word.text for word in line.words) for line in page.lines]


@needs_ocr
@pytest.mark.parametrize(("turn", "turned"), [(90, 90), (180, 180), (2.5, 0)], ids=str)
def test_turned_and_skewed_pages_read_the_same(turn: float, turned: int) -> None:
    page = engine().read(grey(*LINES, turn=turn), lambda: None)
    assert text_of(page) == list(LINES)
    assert page.turned == turned


@needs_ocr
def test_the_same_image_gives_the_same_words() -> None:
    image = grey(LINES[0])
    assert engine().read(image, lambda: None) == engine().read(image, lambda: None)


@needs_ocr
def test_it_stops_where_time_is_up() -> None:
    class Up(Exception):
        pass

    def up() -> None:
        raise Up

    with pytest.raises(Up):
        engine().read(grey(LINES[0]), up)


@needs_ocr
def test_an_empty_page_has_no_lines() -> None:
    assert engine().read(np.full((200, 300), 255, dtype=np.uint8), lambda: None).lines == ()
