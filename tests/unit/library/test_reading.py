"""How the settings become options of reading."""

from __future__ import annotations

import pytest

from chartcite.core.errors import UnknownImplementation
from chartcite.core.reading import ReadOptions
from chartcite.library.reading import reading_options
from chartcite.library.settings import Settings


def test_ocr_is_off_until_it_is_asked_for() -> None:
    assert reading_options(Settings()).ocr == ""


def test_an_engine_is_named_by_its_module_and_what_was_given_stays() -> None:
    options = reading_options(Settings(ocr="rapidocr", ocr_pages_per_file=7), ReadOptions(encoding="latin-1"))
    assert (options.ocr, options.ocr_pages, options.encoding) == ("chartcite.models.ocr.rapidocr", 7, "latin-1")


def test_an_unknown_engine_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownImplementation) as caught:
        reading_options(Settings(ocr="eyes"))
    assert caught.value.advice == "Known: off, rapidocr."
