"""Grey images as arrays: scaling, turning, straightening. The only file of the room that knows Pillow."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from chartcite.core.ocr import GreyImage
_DARK = 128


def resized(image: GreyImage, width: int, height: int) -> GreyImage:
    """The image in another size, averaged where it shrinks."""
    if image.shape == (height, width):
        return image
    picture = Image.fromarray(np.ascontiguousarray(image))
    shrinks = width < image.shape[1]
    how = Image.Resampling.BILINEAR if shrinks else Image.Resampling.BICUBIC
    return np.asarray(picture.resize((width, height), how, reducing_gap=None), dtype=np.uint8)


def turned(image: GreyImage, degrees: int) -> GreyImage:
    """The image turned clockwise by 0, 90, 180 or 270 degrees."""
    return np.ascontiguousarray(np.rot90(image, k=-degrees // 90 % 4))


def straightened(image: GreyImage, slope: float) -> GreyImage:
    """The image rotated about its middle so that lines of this slope (rows a column) lie level; white around it."""
    degrees = math.degrees(math.atan(slope))
    picture = Image.fromarray(np.ascontiguousarray(image))
    return np.asarray(picture.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=255), dtype=np.uint8)


def dusted(image: GreyImage) -> GreyImage:
    """The image without single dark pixels, which a fax is full of, and which would be read as stops.

    A pixel is dust when at most one of the eight around it is dark: a decimal point is two pixels wide at least.
    """
    dark = image < _DARK
    padded = np.pad(dark.astype(np.int8), 1)
    rows, columns = image.shape
    around = np.zeros(image.shape, dtype=np.int8)
    for y in range(3):
        for x in range(3):
            around += padded[y : y + rows, x : x + columns]
    dust = dark & (around <= 2)
    return np.where(dust, np.uint8(255), image) if dust.any() else image
