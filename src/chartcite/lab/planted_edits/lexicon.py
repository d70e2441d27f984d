"""The generator's own word lists, `data/LANG/*.tsv`.

A list starts with a comment line on source and licence, then a line of column names. Its rows belong to the two splits
in turn (first `dev`, second `test`), unless the list is a closed class (`codes.tsv`: routes, sides, frequencies).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from chartcite.lab.planted_edits.model import Form, Lang, Split

Row = Mapping[str, str]
SPLITS: tuple[Split, ...] = ("dev", "test")
_GENDERS = ("m", "f", "mp", "fp")


@cache
def table(lang: Lang, name: str) -> tuple[Row, ...]:
    """All rows of a list."""
    text = (files("chartcite.lab.planted_edits") / "data" / lang / f"{name}.tsv").read_text("utf-8")
    lines = [line.split("\t") for line in text.splitlines() if line.strip() and not line.startswith("#")]
    head, *rows = lines
    return tuple(dict(zip(head, [*row, *([""] * (len(head) - len(row)))], strict=True)) for row in rows)


@cache
def rows_of(lang: Lang, name: str, split: Split) -> tuple[Row, ...]:
    """The rows that a split may use."""
    start = SPLITS.index(split)
    return table(lang, name)[start::2]


@cache
def codes(lang: Lang, kind: str) -> tuple[Row, ...]:
    """A closed class."""
    return tuple(row for row in table(lang, "codes") if row["type"] == kind)


def form(cell: str, gender: str = "") -> Form:
    """A cell as a form; an ending `:f` (`:m`, `:mp`, `:fp`) is its gender.

    >>> form("falta de ar:f")
    Form(text='falta de ar', gender='f')
    """
    text, _, ending = cell.rpartition(":")
    return Form(text, ending) if text and ending in _GENDERS else Form(cell, gender)


def choices(cell: str) -> list[str]:
    """The parts of a cell that lists several.

    >>> choices("5; 10")
    ['5', '10']
    """
    return [part.strip() for part in cell.split(";") if part.strip()]
