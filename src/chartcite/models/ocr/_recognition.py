"""The characters of a line, each with its place and probability: a CTC network over the line's image.

Graves et al., Connectionist Temporal Classification (2006), best-path decoding: of equal neighbours the first counts,
blanks part. A step of the network is eight columns of the line at 48 pixels' height.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chartcite.models.ocr._picture import resized

if TYPE_CHECKING:
    from chartcite.core.ocr import GreyImage
    from chartcite.models.onnx_session import OnnxSession

_HEIGHT, _STEP, _LEAST_WIDTH = 48, 8, 320
_MOST_WIDTH = 4_800
"""A line of 100 times its height: what is longer is no line of text."""
_EARLY = 0.035
"""Line heights by which the network says a character too far left (three fonts, 766 characters; spread 0.05)."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """A character, the column of its middle in the line's image, and the network's probability for it."""

    character: str
    middle: float
    probability: float


class Recogniser:
    """A network with its alphabet: the blank first, then the characters of the model's metadata, the space last."""

    def __init__(self, network: OnnxSession) -> None:
        self._network = network
        self._alphabet = ["", *network.metadata("character").splitlines(), " "]

    def read(self, line: GreyImage) -> list[Glyph]:
        """Characters from left to right, spaces that the network saw among them."""
        height, width = line.shape
        wide = min(max(1, round(width * _HEIGHT / height)), _MOST_WIDTH)
        seen = np.zeros((_HEIGHT, max(_LEAST_WIDTH, -(-wide // _STEP) * _STEP)), dtype=np.float32)
        seen[:, :wide] = resized(line, wide, _HEIGHT).astype(np.float32) / 127.5 - 1
        steps = self._network.run_tensor(np.repeat(seen[None, None], 3, axis=1))[0]
        best = steps.argmax(axis=1)
        sure = steps.max(axis=1)
        to_pixels = width / wide
        per_step = seen.shape[1] / len(best)
        found, step = [], 0
        while step < len(best):
            end = step
            while end < len(best) and best[end] == best[step]:
                end += 1
            if best[step]:
                middle = (step + end) / 2 * per_step * to_pixels + _EARLY * height
                found.append(Glyph(_narrow(self._alphabet[best[step]]), middle, float(sure[step:end].max())))
            step = end
        return found


def _narrow(character: str) -> str:
    """Full-width forms as in Chinese text become the plain ones."""
    code = ord(character)
    return chr(code - 0xFEE0) if 0xFF01 <= code <= 0xFF5E else character
