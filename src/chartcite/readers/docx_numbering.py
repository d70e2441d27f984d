"""The numbers of a DOCX's lists, which stand nowhere in its text: `2.1)` is counted from the list's definition."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass

from chartcite.readers.docx_package import attr

_GAP = re.compile(r"%([1-9])")
_LEVELS = 9
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
          (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Level:
    start: int
    kind: str
    text: str


class Numbering:
    """The lists by their id, and how far each has counted."""

    def __init__(self, root: ET.Element | None) -> None:
        nodes = list(root) if root is not None else []
        kinds = {attr(n, "abstractNumId"): _levels(n) for n in nodes if n.tag == "abstractNum"}
        self._lists: dict[str, tuple[str, dict[int, _Level]]] = {}
        self._counts: dict[str, list[int | None]] = {}
        for node in nodes:
            if node.tag == "num":
                kind, changed = attr(node.find("abstractNumId"), "val"), False
                levels = dict(kinds.get(kind, {}))
                for override in node.findall("lvlOverride"):
                    at, start = _number(attr(override, "ilvl"), 0), attr(override.find("startOverride"), "val")
                    own = override.find("lvl")
                    old = _level(own) if own is not None else levels.get(at, _Level(1, "decimal", ""))
                    levels[at] = _Level(_number(start, old.start), old.kind, old.text)
                    changed = True
                identity = attr(node, "numId")
                self._lists[identity] = (f"num {identity}" if changed else kind), levels

    def mark(self, number: str, level: str) -> str:
        """What stands in front of the next paragraph of a list, with its indent; counts on."""
        if number not in self._lists:
            return "- " if number else ""
        key, levels = self._lists[number]
        at = min(_number(level, 0), _LEVELS - 1)
        found = levels.get(at, _Level(1, "bullet", ""))
        counts = self._counts.setdefault(key, [None] * _LEVELS)
        counts[at] = found.start if (before := counts[at]) is None else before + 1
        counts[at + 1 :] = [None] * (_LEVELS - at - 1)
        indent = "  " * at
        if found.kind == "bullet" or not found.text:
            return f"{indent}- " if found.kind != "none" else indent
        said = _GAP.sub(lambda gap: _shown(levels, counts, int(gap[1]) - 1), found.text)
        return f"{indent}{said} "


def _shown(levels: dict[int, _Level], counts: list[int | None], at: int) -> str:
    level = levels.get(at, _Level(1, "decimal", ""))
    count = counts[at]
    return _written(level.start if count is None else count, level.kind)


def _written(count: int, kind: str) -> str:
    """A number as its kind says.

    >>> _written(4, "lowerRoman"), _written(28, "upperLetter"), _written(3, "decimalZero")
    ('iv', 'BB', '03')
    """
    if kind in ("lowerRoman", "upperRoman") and 0 < count < 4000:
        said, left = "", count
        for value, sign in _ROMAN:
            said += sign * (left // value)
            left %= value
        return said.upper() if kind == "upperRoman" else said
    if kind in ("lowerLetter", "upperLetter") and 0 < count < 1000:
        letter = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
        return letter.upper() if kind == "upperLetter" else letter
    return f"{count:02}" if kind == "decimalZero" else str(count)


def _levels(node: ET.Element) -> dict[int, _Level]:
    return {_number(attr(level, "ilvl"), 0): _level(level) for level in node.findall("lvl")}


def _level(node: ET.Element) -> _Level:
    start = _number(attr(node.find("start"), "val"), 1)
    return _Level(start, attr(node.find("numFmt"), "val") or "decimal", attr(node.find("lvlText"), "val"))


def _number(text: str, default: int) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else default
