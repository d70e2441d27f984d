"""A sheet for people who judge claims without knowing which system made them, and what their judgements say.

Two questions, two empty columns: is the claim supported by the source text shown, and is it clinically and
scientifically appropriate? Equal claims with equal sources are one item. The order is shuffled by a seed; which item is
whose stands in a key file that annotators do not get.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chartcite.lab.csv_safe import csv_text, read_own
from chartcite.lab.errors import BadTable
from chartcite.lab.statistics.cohen_kappa import Kappa, cohen_kappa
from chartcite.lab.statistics.proportion import Proportion, wilson
from chartcite.lab.statistics.ratings import label

SHEET, KEY = "annotation.csv", "annotation.key.csv"
SUPPORTED, APPROPRIATE = "supported?", "clinically and scientifically appropriate?"
COLUMNS = ("item", "claim", "source text", SUPPORTED, APPROPRIATE)
KEY_COLUMNS = ("item", "strategy", "query_id", "claim")
_YES = frozenset({"1", "true", "t", "yes", "y", "sim", "s"})
_NO = frozenset({"0", "false", "f", "no", "n", "não", "nao"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One claim that could be on the sheet."""

    strategy: str
    query_id: str
    claim: int
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The two files, as texts."""

    sheet: str
    key: str


def make_sheet(entries: Sequence[Entry], items: int, seed: int) -> Sheet:
    """At most `items` distinct claims, drawn and shuffled by the seed; 0 takes all.

    The same entries in any order give the same files.
    """
    by_text: dict[tuple[str, str], list[Entry]] = {}
    for entry in sorted(entries, key=lambda e: (e.text, e.source, e.strategy, e.query_id, e.claim)):
        by_text.setdefault((entry.text, entry.source), []).append(entry)
    drawn = list(by_text)
    random.Random(f"sheet/{seed}").shuffle(drawn)  # noqa: S311 - nothing secret
    drawn = drawn[:items] if items else drawn
    wide = len(str(len(drawn)))
    names = [f"item {n:0{wide}}" for n in range(1, len(drawn) + 1)]
    rows = [
        dict(zip(COLUMNS, (name, text, source, "", ""), strict=True))
        for name, (text, source) in zip(names, drawn, strict=True)
    ]
    keys = [
        dict(zip(KEY_COLUMNS, (name, e.strategy, e.query_id, str(e.claim)), strict=True))
        for name, pair in zip(names, drawn, strict=True)
        for e in by_text[pair]
    ]
    return Sheet(csv_text(COLUMNS, rows)[0], csv_text(KEY_COLUMNS, keys)[0])


Labels = dict[str, bool | None]
"""By item: yes, no, or left empty."""


@dataclass(frozen=True, slots=True)
class Filled:
    """One annotator's sheet."""

    name: str
    answers: dict[str, Labels]  # by question


def read_sheet(path: Path) -> Filled:
    """Read a filled sheet; other columns may have been added, and the order does not matter.

    Raises:
        BadTable: a column is missing, an item is empty or repeated, or a cell is neither yes, no nor empty.
    """
    answers: dict[str, Labels] = {SUPPORTED: {}, APPROPRIATE: {}}
    rows = read_own(path)
    for n, row in enumerate(rows, start=2):
        if missing := [name for name in ("item", SUPPORTED, APPROPRIATE) if name not in row]:
            raise BadTable(f"{path.name}: there is no column {missing[0]!r}.", f"Columns: {', '.join(COLUMNS)}.")
        item = row["item"].strip()
        if not item or item in answers[SUPPORTED]:
            raise BadTable(f"{path.name}, row {n}: the item is empty or repeated.", "One row an item.")
        for question, found in answers.items():
            found[item] = _answer(path, n, question, row[question])
    if not rows:
        raise BadTable(f"{path.name}: there is no item in it.", f"Columns: {', '.join(COLUMNS)}.")
    return Filled(path.stem, answers)


def read_key(path: Path) -> dict[str, list[tuple[str, str, int]]]:
    """By item, the claims that it stands for: (strategy, query_id, claim)."""
    found: dict[str, list[tuple[str, str, int]]] = {}
    for row in read_own(path):
        found.setdefault(row["item"], []).append((row["strategy"], row["query_id"], int(row["claim"])))
    return found


def share(filled: Filled, question: str) -> Proportion:
    """The share of the answered items that got a yes, with Wilson's interval."""
    said = [value for value in filled.answers[question].values() if value is not None]
    return wilson(sum(said), len(said))


def between(first: Labels, second: Labels) -> Kappa:
    """Agreement on the items that both answered."""
    pairs = [
        (_word(value), _word(other))
        for item, value in first.items()
        if value is not None and (other := second.get(item)) is not None
    ]
    return cohen_kappa(pairs)


def strangers(filled: Filled, key: dict[str, list[tuple[str, str, int]]]) -> int:
    """How many items of a sheet the key does not know."""
    return len(set(filled.answers[SUPPORTED]) - set(key))


def _answer(path: Path, n: int, question: str, cell: str) -> bool | None:
    said = label(cell)
    if said and said not in _YES | _NO:
        raise BadTable(f"{path.name}, row {n}: {question!r} is neither yes nor no.", "Write yes, no, or nothing.")
    return said in _YES if said else None


def _word(value: bool) -> str:
    return "yes" if value else "no"
