"""The shapes of facts and the template families that say them, read from `data/`.

`data/LANG/shapes/SHAPE.txt`: `== section`, then one family a line. The families of a section belong to the splits in
turn: first `dev`, second `test`. Sections: `evidence` (and `evidence.active`, `evidence.passive`), `second` (a fact
told in two sentences), `claim` with `claim.active`, `claim.passive`, `claim.restated` (an absence), `claim.double`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from chartcite.lab.planted_edits.grammar import Template, read
from chartcite.lab.planted_edits.lexicon import SPLITS
from chartcite.lab.planted_edits.model import Lang, Split


@dataclass(frozen=True, slots=True)
class Edit:
    """One way to make a fact of a shape untrue: the kind it counts as, the operation and what it works on."""

    kind: str
    operation: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """A form of fact.

    Attributes:
        slots: name and type, in the order in which they are drawn.
        head: the slot that says what the fact is about.
        cluster: shapes that may bear on each other.
    """

    name: str
    variants: tuple[str, ...]
    slots: tuple[tuple[str, str], ...]
    head: str
    cluster: str
    edits: tuple[Edit, ...]


@cache
def shapes() -> Mapping[str, Shape]:
    """All shapes by name."""
    text = (files("chartcite.lab.planted_edits") / "data" / "shapes.toml").read_text("utf-8")
    return {name: _shape(name, row) for name, row in tomllib.loads(text).items()}


def _shape(name: str, row: Mapping[str, str | list[str]]) -> Shape:
    slots = tuple((slot.partition(":")[0], slot.partition(":")[2] or slot) for slot in row["slots"])
    edits = (edit.split() for edit in row["edits"])
    return Shape(
        name, tuple(row["variants"]), slots, str(row["head"]), str(row["cluster"]),
        tuple(Edit(kind, operation, tuple(rest)) for kind, operation, *rest in edits),
    )  # fmt: skip


@cache
def templates(lang: Lang, shape: str) -> tuple[Template, ...]:
    """All families of a shape."""
    text = (files("chartcite.lab.planted_edits") / "data" / lang / "shapes" / f"{shape}.txt").read_text("utf-8")
    found: list[Template] = []
    section, number = "", 0
    for line in text.splitlines():
        if line.startswith("== "):
            section, number = line[3:].strip(), 0
        elif line.strip() and not line.startswith("#"):
            found.append(read(f"{lang}.{shape}.{section}.{number}", section, _begun(section, line)))
            number += 1
    return tuple(found)


def _begun(section: str, line: str) -> str:
    """A claim's family begins in lower case, so that it can also stand after another claim."""
    if not section.startswith("claim"):
        return line
    if line.startswith("<"):
        first, rest = line.split(">", 1)
        return re.sub(r"(?<=:)[^\W\d_]", lambda found: found[0].lower(), first) + ">" + rest
    return line[0].lower() + line[1:]


@cache
def families(lang: Lang, shape: str, split: Split, section: str) -> tuple[Template, ...]:
    """The families of one split in a section; `evidence` and `claim` take their subsections along."""
    inside = [
        t for t in templates(lang, shape)
        if (t.section == section or t.section.startswith(f"{section}.")) and _split_of(t) == split
    ]  # fmt: skip
    return tuple(inside)


def _split_of(template: Template) -> Split:
    return SPLITS[int(template.family.rpartition(".")[2]) % 2]
