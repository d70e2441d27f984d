"""Ids in a model's reply: closed, small, and none that was not given. What is dropped is counted."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final, NamedTuple

SOURCES: Final = "e|s|id|no|source|sentence|evidence"
"""What may stand before the number of a source."""
SENTENCES: Final = "s|id|no|sentence"
ANSWERS: Final = "a|s|id|no|answer|sentence"
_LONGEST_RANGE = 20


class Ids(NamedTuple):
    """Ids from 1 in the order of the reply, each once, and how many were dropped because they name nothing."""

    known: tuple[int, ...]
    unknown: int


def read_ids(value: Any, count: int, called: str = SOURCES) -> Ids:
    """The ids that a reply names; `1`, `"E1"`, `"[1]"`, `"2-4"` and `"1, 3"` are understood.

    Args:
        value: a list of them, or a single one.
        count: ids run from 1 to this.
        called: what may stand before a number, as alternatives of a pattern.

    >>> read_ids(["E2", 3, "10", "abc", 2], 9)
    Ids(known=(2, 3), unknown=2)
    """
    items = value if isinstance(value, list) else [value]
    found: list[int] = []
    unknown = 0
    for item in items:
        for part in item.split(",") if isinstance(item, str) else [item]:
            numbers = _numbers(part, called)
            good = [n for n in numbers if 1 <= n <= count]
            found += good
            unknown += len(numbers) - len(good) if numbers else 1
    return Ids(tuple(dict.fromkeys(found)), unknown)


def _numbers(part: Any, called: str) -> list[int]:
    if isinstance(part, int) and not isinstance(part, bool):
        return [part]
    if not isinstance(part, str):
        return []
    if part.strip().startswith("-"):
        return []
    one, several = _patterns(called)
    if match := one.fullmatch(part):
        return [int(match[1])]
    if (match := several.fullmatch(part)) and 0 < int(match[2]) - int(match[1]) <= _LONGEST_RANGE:
        return list(range(int(match[1]), int(match[2]) + 1))
    return []


@lru_cache(maxsize=8)
def _patterns(called: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    name = rf"(?:(?:{called})\W{{0,2}})?"
    return (
        re.compile(rf"\W*{name}(\d{{1,6}})\W*", re.IGNORECASE),
        re.compile(rf"\W*{name}(\d{{1,6}})\s*(?:-|–|to)\s*{name}(\d{{1,6}})\W*", re.IGNORECASE),
    )
