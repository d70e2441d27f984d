"""Looks at a page: which words change it when they are painted, and which words of a scan have something under them.

Geometry and colours tell most hidden text. What they cannot tell (covered, clipped, switched off with its layer) is
looked at: the page is drawn with and without the suspects, and a word that makes no difference is not seen. The words
of an OCR layer are invisible and legitimate where the scan has ink under them; over blank paper they are hidden text.
Runs in the sandbox's child.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pypdfium2.raw as pdfium

from chartcite.readers.pdf_words import Frame, Word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SCALE = 1.5
_MOST_PIXELS = 4e6
_DIFFERENT = 24
_LEAST_SHARE = 0.02
_LEAST_PIXELS = 2
_INK = 50
"""Levels of grey, of 255, between paper and ink."""


def look(page: Any, words: Sequence[Word], suspects: set[int], layer: set[int]) -> tuple[Word, ...]:
    """The words, those hidden that are not seen.

    `suspects` are addresses of text objects that may not be seen; `layer` of those that are invisible text of a scan.
    The page must stand as its words do; the suspects are not painted any more afterwards.
    """
    with_all = _drawn(page) if suspects else None
    for address in suspects:
        pdfium.FPDFPageObj_SetIsActive(ctypes.cast(address, pdfium.FPDF_PAGEOBJECT), 0)
    without, scale = _drawn(page)
    judged = []
    for word in words:
        if word.owner in layer:
            seen = _has_ink(_cut(without, word.at, scale))
        elif word.owner in suspects and with_all is not None:
            seen = _differ(_cut(with_all[0], word.at, scale), _cut(without, word.at, scale))
        else:
            seen = True
        judged.append(word if seen else replace(word, hidden=b"\1" * len(word.hidden)))
    return tuple(judged)


def _drawn(page: Any) -> tuple[NDArray[np.uint8], float]:
    width, height = page.get_size()
    scale = min(_SCALE, math.sqrt(_MOST_PIXELS / max(width * height, 1.0)))
    drawn = page.render(scale=scale, grayscale=True, may_draw_forms=False, draw_annots=False).to_numpy()
    return drawn.reshape(drawn.shape[0], drawn.shape[1]).copy(), scale


def _cut(drawn: NDArray[np.uint8], box: Frame, scale: float) -> NDArray[np.int16]:
    high, wide = drawn.shape
    left, right = (min(max(round(x * scale), 0), wide) for x in (box.left, box.right))
    top, bottom = (min(max(round(y * scale), 0), high) for y in (box.top, box.bottom))
    part: NDArray[np.int16] = drawn[top : max(bottom, top + 1), left : max(right, left + 1)].astype("int16")
    return part


def _differ(one: NDArray[np.int16], other: NDArray[np.int16]) -> bool:
    changed = int((abs(one - other) > _DIFFERENT).sum())
    return changed >= max(_LEAST_PIXELS, _LEAST_SHARE * one.size)


def _has_ink(part: NDArray[np.int16]) -> bool:
    return part.size > 0 and int(part.max()) - int(part.min()) >= _INK
