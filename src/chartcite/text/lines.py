"""Cuts a text into lines that hold something, and remembers blank lines between them."""

from __future__ import annotations

import re
from typing import NamedTuple

# One mask, at most once folded over a line end. Atomic parts: a text of a million `[**` costs linear time.
_BODY = r"(?:[^\[\]*\r\n]|\*(?!\*\]))*+"
_MASK = re.compile(rf"\[\*\*{_BODY}(?:\r{{0,2}}\n{_BODY})?\*\*\]")


class Line(NamedTuple):
    """One line without the white space around it: `text[start:end]`.

    `indent` is the number of white-space characters before it, `width` the column at which it ends, and `gap` says
    that the text starts or a blank line stands before it.
    """

    start: int
    end: int
    indent: int
    width: int
    gap: bool


def find_masks(text: str) -> list[tuple[int, int]]:
    """Return the spans of de-identification masks such as `[**Hospital 12**]`."""
    return [match.span() for match in _MASK.finditer(text)] if "[**" in text else []


def split_lines(text: str, masks: list[tuple[int, int]]) -> list[Line]:
    r"""Return the non-blank lines. `\r\n`, `\r\r\n`, form feeds and Unicode line ends count as one line end each."""
    lines: list[Line] = []
    folded = [(start, end) for start, end in masks if len(text[start:end].splitlines()) > 1]
    start, gap, lone_return = 0, True, False
    for raw in text.splitlines(keepends=True):
        content = raw.rstrip()
        stop = start + len(content)
        if content:
            indent = len(raw) - len(raw.lstrip())
            lines.append(Line(start + indent, stop, indent, len(content), gap))
            gap = False
        elif not (lone_return and raw in ("\r\n", "\n")):
            gap = True
        lone_return = raw[-1:] == "\r"
        start += len(raw)
    return _merge_folded_masks(lines, folded) if folded else lines


def _merge_folded_masks(lines: list[Line], folded: list[tuple[int, int]]) -> list[Line]:
    """Make one line of two that share a mask, so that nothing later can break inside it."""
    merged: list[Line] = []
    at = 0
    for line in lines:
        while at < len(folded) and folded[at][1] <= line.start:
            at += 1
        if merged and at < len(folded) and folded[at][0] < line.start < folded[at][1]:
            first = merged.pop()
            merged.append(first._replace(end=line.end, width=line.width))
        else:
            merged.append(line)
    return merged
