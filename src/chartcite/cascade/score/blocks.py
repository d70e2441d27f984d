"""Blocks: lines that say nothing without each other, as the numbered groups of a form or table.

    Results 1:
      Arm/Group Title: Letrozole
      Unit of Measure: Percent Change  -4.63

`-4.63` is evidence only with its arm, and mostly only beside the other arm. So a section with numbered groups is taken
whole or left whole. Lines that stand alone (criteria, findings, sentences) make no block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

Path = tuple[str, ...]
_NUMBERED = re.compile(r"[^\W\d_][^\n:.;]{0,40}?[ ]?\d{1,2}[ ]?:")
_NUMBER = re.compile(r"\d+")


def block_of(section: Path) -> Path:
    """A header path without its numbers: `Arm 1` and `Arm 2` are parts of one block."""
    return tuple(_NUMBER.sub("#", header) for header in section)


def numbered_blocks(lines: Iterable[tuple[Path, str]]) -> frozenset[Path]:
    """The blocks of one document.

    Args:
        lines: header path and text of each line; the head of a group is a line of its own (`Group 2:`), or the last
            header of the path.

    >>> sorted(numbered_blocks([(("Results",), "Arm 1:"), (("Results",), "Title: A"), (("Plan",), "See 2 weeks on.")]))
    [('Results',)]
    """
    return frozenset(
        block_of(path)
        for path, text in lines
        if _NUMBERED.fullmatch(text.strip()) or (path and _NUMBERED.fullmatch(f"{path[-1].strip()}:"))
    )
