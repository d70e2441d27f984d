"""Reads the room's word lists. A list is a text file in `data/`: `# comment`, `[group]`, then entries."""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def load_groups(name: str) -> dict[str, tuple[str, ...]]:
    """Return the lines of a data file by group, in the file's order, comments and blank lines left out."""
    raw = resources.files("chartcite.text").joinpath("data", name).read_text(encoding="utf-8")
    groups: dict[str, list[str]] = {}
    current = groups.setdefault("", [])
    for line in map(str.strip, raw.splitlines()):
        if not line or line.startswith("# "):
            continue
        if line.startswith("[") and line.endswith("]"):
            current = groups.setdefault(line[1:-1], [])
        else:
            current.append(line)
    return {group: tuple(lines) for group, lines in groups.items()}


@cache
def load_words(name: str, group: str = "") -> frozenset[str]:
    """Return the words of one group; several words may stand on a line."""
    return frozenset(word for line in load_groups(name).get(group, ()) for word in line.split())
