"""Where text stands on a page: the probability map of a DB network, its regions, and boxes around whole lines.

Liao et al., Real-time Scene Text Detection with Differentiable Binarization (2020). The network shrinks what it marks;
a box is widened by area * ratio / perimeter (their eq. 10). Deviation: boxes are upright, since pages are straightened
before; so no polygons are needed, and no image library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chartcite.models.ocr._picture import resized
from chartcite.models.ocr._regions import Box, regions

if TYPE_CHECKING:
    from chartcite.core.ocr import GreyImage
    from chartcite.models.onnx_session import OnnxSession

LONG_SIDE = 1600
"""Pixels of a page's long side as the network sees it: letters of 8 points are 15 pixels high on A4."""

_MARKED, _LINE_SCORE, _WIDEN = 0.3, 0.5, 1.6
_LEAST = 3  # pixels of a marked region's shorter side


def find_lines(network: OnnxSession, image: GreyImage) -> list[Box]:
    """Boxes of text, from top to bottom. One run of the network."""
    height, width = image.shape
    scale = min(LONG_SIDE / max(height, width), 2.0)
    seen_height, seen_width = (max(32, round(side * scale / 32) * 32) for side in (height, width))
    seen = resized(image, seen_width, seen_height).astype(np.float32) / 127.5 - 1
    likely = network.run_tensor(np.repeat(seen[None, None], 3, axis=1))[0, 0]
    to_x, to_y = width / seen_width, height / seen_height
    found = []
    for region in regions(likely > _MARKED):
        inside = likely[region.top : region.bottom, region.left : region.right]
        marked = inside > _MARKED
        if min(region.width, region.height) >= _LEAST and float(inside[marked].mean()) >= _LINE_SCORE:
            found.append(_widened(region, to_x, to_y, width, height))
    return found


def _widened(region: Box, to_x: float, to_y: float, width: int, height: int) -> Box:
    # The run of a sloped line is higher than the line itself by what it climbs.
    high = max(region.height - abs(region.slope) * region.width, _LEAST) if abs(region.slope) < 0.5 else region.height
    by = region.width * high * _WIDEN / (2 * (region.width + high))
    return Box(
        max(0, int((region.left - by) * to_x)),
        max(0, int((region.top - by) * to_y)),
        min(width, int(np.ceil((region.right + by) * to_x))),
        min(height, int(np.ceil((region.bottom + by) * to_y))),
        region.slope * to_y / to_x,
    )
