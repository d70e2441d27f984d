"""Reads the word lists that lie beside the rooms: tab-separated, `#` starts a comment line."""

from __future__ import annotations

import importlib.resources
from functools import lru_cache

FACTS = "chartcite.facts.data"


@lru_cache(maxsize=64)
def read_rows(package: str, name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a list, in file order, read once a process.

    Args:
        package: dotted name of the folder that holds it.
        name: file name.
    """
    text = importlib.resources.files(package).joinpath(name).read_text(encoding="utf-8")
    lines = (line.rstrip("\r") for line in text.split("\n"))
    return tuple(tuple(line.split("\t")) for line in lines if line.strip() and not line.startswith("#"))


@lru_cache(maxsize=64)
def read_words(package: str, name: str) -> frozenset[str]:
    """The first column of a list."""
    return frozenset(row[0] for row in read_rows(package, name))


def word_set(text: str) -> frozenset[str]:
    """A short list that belongs to the code, written as one string."""
    return frozenset(text.split())
