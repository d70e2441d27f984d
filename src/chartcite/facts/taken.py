"""Which characters of a sentence belong to a quantity already: no two quantities share one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

V = TypeVar("V")


def free(items: Iterable[tuple[int, int, V]], taken: bytearray) -> list[tuple[int, int, V]]:
    """The items of which no character is taken, in order; theirs are taken now."""
    out = []
    for start, end, value in items:
        if claim(taken, start, end):
            out.append((start, end, value))
    return out


def claim(taken: bytearray, start: int, end: int) -> bool:
    """Take the characters `[start, end)`; false, and nothing done, when one of them is taken."""
    if any(taken[start:end]):
        return False
    taken[start:end] = b"\x01" * (end - start)
    return True
