"""What a model's reply says: thinking taken off, the JSON in it found, small faults of form mended and told.

Mending is for form only (fences, trailing commas, prose around). A reply that was cut off is partial, and one without
JSON of the wanted shape is none: a refusal is no empty answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from chartcite.models.thoughts import without_thoughts

_MOST_STARTS = 64


@dataclass(frozen=True, slots=True)
class Reading:
    """The JSON of a reply.

    Attributes:
        value: None when there is none of the wanted shape.
        is_mended: its form was at fault.
        is_partial: it was cut off; what is there may not be all.
    """

    value: Any
    is_mended: bool = False
    is_partial: bool = False


def read_json(raw: str, fits: Callable[[Any], bool], *, was_cut: bool = False) -> Reading:
    """The first JSON value in a reply that has the wanted shape.

    Args:
        raw: the reply as it came.
        fits: whether a value has the shape that was asked for.
        was_cut: the server said that the reply reached its limit.
    """
    text = without_thoughts(raw)
    starts = [m.start() for m in re.finditer(r"[\[{]", text)][:_MOST_STARTS]
    decoder = json.JSONDecoder()
    for start in starts:
        try:
            value, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if fits(value):
            return Reading(value)
    for start in starts:
        value = _mended(text[start:])
        if fits(value):
            return Reading(value, is_mended=True, is_partial=was_cut or not _closes(text[start:]))
    return Reading(None)


def _mended(text: str) -> Any:
    from json_repair import repair_json  # noqa: PLC0415

    try:
        return repair_json(text, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError):
        return None


def _closes(text: str) -> bool:
    """Whether the bracket that a text begins with is closed, those inside strings not counted."""
    depth, quoted, escaped = 0, False, False
    for char in text:
        if quoted:
            quoted = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            quoted = True
        elif char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
            if depth == 0:
                return True
    return False
