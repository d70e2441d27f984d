"""Texts with the places of all that identifies somebody."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

LINES = Path(__file__).parent / "lines.txt"
_MARK = re.compile(r"\{(?P<kind>\w+)\|(?P<text>[^{}|]*)(?:\|(?P<core>[^{}]*))?\}")


@dataclass(frozen=True, slots=True)
class Gold:
    """Half-open place of something that identifies, and its kind."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Item:
    """A text of a group (a line, a patient). `unsure`: places that may identify or not, and count for nothing."""

    group: str
    lang: str
    split: str
    text: str
    gold: tuple[Gold, ...]
    unsure: tuple[tuple[int, int], ...] = ()


def hand_made(split: str) -> list[Item]:
    """The lines of `lines.txt` of one half: odd ones are `dev`, even ones `test`; `all` takes both."""
    rows = [row for row in LINES.read_text("utf-8").splitlines() if row and not row.startswith("#")]
    items = []
    for n, row in enumerate(rows, start=1):
        lang, marked = row.split("\t", 1)
        half = "dev" if n % 2 else "test"
        if split in (half, "all"):
            items.append(_item(f"line-{n}", lang, half, marked))
    return items


def _item(name: str, lang: str, split: str, marked: str) -> Item:
    """`{kind|text}`, or `{kind|text|core}` where only a part of the text identifies."""
    out, gold, length, last = [], [], 0, 0
    for mark in _MARK.finditer(marked):
        before = marked[last : mark.start()]
        shown, core = mark["text"], mark["core"] or mark["text"]
        out += [before, shown]
        start = length + len(before) + shown.index(core)
        gold.append(Gold(start, start + len(core), mark["kind"]))
        length += len(before) + len(shown)
        last = mark.end()
    out.append(marked[last:])
    return Item(name, lang, split, "".join(out), tuple(gold))
