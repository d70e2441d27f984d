"""Recall by kind, and how much of what identifies nobody was hidden as well."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from deidentification.items import Item

_TOKEN = re.compile(r"\w+")


@dataclass(slots=True)
class Tally:
    """Counts over items.

    Attributes:
        gold, hidden: mentions by kind, and how many of them are hidden in every letter and figure.
        plain, over: tokens that identify nobody, and how many of them are hidden.
        right: hidden tokens that identify somebody.
    """

    gold: Counter[str] = field(default_factory=Counter)
    hidden: Counter[str] = field(default_factory=Counter)
    plain: int = 0
    over: int = 0
    right: int = 0
    missed: list[tuple[str, str, str]] = field(default_factory=list)
    spilled: list[tuple[str, str]] = field(default_factory=list)

    def add(self, item: Item, found: Sequence[tuple[int, int]]) -> None:
        """Count one item."""
        covered = bytearray(len(item.text))
        for start, end in found:
            covered[start:end] = b"\1" * (end - start)
        marked = bytearray(len(item.text))
        for gold in item.gold:
            marked[gold.start : gold.end] = b"\1" * (gold.end - gold.start)
            whole = all(covered[i] for i in range(gold.start, gold.end) if item.text[i].isalnum())
            self.gold[gold.kind] += 1
            self.hidden[gold.kind] += whole
            if not whole:
                self.missed.append(
                    (gold.kind, item.text[gold.start : gold.end], item.text[max(0, gold.start - 40) : gold.end + 20])
                )
        unsure = bytearray(len(item.text))
        for start, end in item.unsure:
            unsure[start:end] = b"\1" * (end - start)
        for token in _TOKEN.finditer(item.text):
            is_hidden = any(covered[token.start() : token.end()])
            if any(marked[token.start() : token.end()]):
                self.right += is_hidden
            elif not any(unsure[token.start() : token.end()]):
                self.plain += 1
                self.over += is_hidden
                if is_hidden:
                    self.spilled.append((token.group(), item.text[max(0, token.start() - 40) : token.end() + 20]))
