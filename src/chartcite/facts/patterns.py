"""Regular expressions out of word lists, as trees of letters: a text is read once and not once for each spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable

_Tree = dict[str, "_Tree"]


def alternatives(spellings: Iterable[str]) -> str:
    r"""A pattern for any of the spellings, the longest that fits; a blank stands for white space.

    >>> alternatives(["one", "once", "one of"])
    '(?:on(?:e(?:\\s+of)?|ce))'
    """
    tree: _Tree = {}
    for spelling in spellings:
        node = tree
        for char in spelling:
            node = node.setdefault(char, {})
        node[""] = {}
    return f"(?:{_written(tree)})"


def _written(tree: _Tree) -> str:
    branches = [(r"\s+" if char == " " else re.escape(char)) + _written(rest) for char, rest in tree.items() if char]
    if len(branches) == 1 and "" not in tree:
        return branches[0]
    return f"(?:{'|'.join(branches)})" + ("?" if "" in tree else "") if branches else ""
