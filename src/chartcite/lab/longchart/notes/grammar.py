"""Phrase files: `== key`, then one phrase family a line, with `[a|b|]` choices (nested) and `{slots}`.

A family is `key#n`. Even numbers belong to the dev split, odd ones to the test split, where a key has at least four.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.longchart.facts.model import Split
from chartcite.lab.longchart.lexicon import Lang

_SPLIT_FROM = 4
_TOKEN = re.compile(r"(\{\w+\}|[\[\]|])")
_VOWEL_SOUND = re.compile(
    r"(?:[aeioAEIO8]|11\b|18\b|un(?!i)|(?:LDL|LVEF|MCV|HDL|INR|SSRI|SNRI|FSH|EF\b|RN|MRI|H2|HbA|NSAID))"
)
_CONSONANT_SOUND = re.compile(r"(?:one\b|once\b|eu|Eu)")


class Piece(NamedTuple):
    """A stretch of an expanded phrase; slots are never misspelt."""

    text: str
    is_slot: bool


class Phrase(NamedTuple):
    """A phrase family."""

    family: str
    template: str


@cache
def phrases(lang: Lang) -> dict[str, tuple[Phrase, ...]]:
    """All phrase families of a language by key."""
    found: dict[str, list[Phrase]] = {}
    folder = files("chartcite.lab.longchart") / "data" / lang
    for path in sorted((p for p in folder.iterdir() if p.name.endswith(".txt")), key=lambda p: p.name):
        key = ""
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("== "):
                key = line[3:].strip()
                found.setdefault(key, [])
            elif line.strip() and not line.startswith("# "):
                found[key].append(Phrase(f"{key}#{len(found[key])}", line))
    return {key: tuple(rows) for key, rows in found.items()}


def of_split(rows: tuple[Phrase, ...], split: Split) -> tuple[Phrase, ...]:
    """The families a split may use."""
    if len(rows) < _SPLIT_FROM:
        return rows
    return tuple(row for n, row in enumerate(rows) if (n % 2 == 0) == (split == "dev"))


def expand(template: str, slots: Mapping[str, str], dice: Dice) -> list[Piece]:
    """Choose among the alternatives and fill the slots.

    Raises:
        KeyError: a slot without a value.
    """
    tokens = [t for t in _TOKEN.split(template) if t]
    return list(_walk(_parse(tokens, 0)[0], slots, dice))


_Node = str | list["_Node"]  # a list is a choice; its items are sequences


def _parse(tokens: list[str], at: int) -> tuple[list[object], int]:
    """A sequence up to `|`, `]` or the end; choices become lists of sequences."""
    sequence: list[object] = []
    while at < len(tokens) and tokens[at] not in ("|", "]"):
        if tokens[at] == "[":
            options: list[list[object]] = []
            while tokens[at] != "]":
                option, at = _parse(tokens, at + 1)
                options.append(option)
            sequence.append(options)
        else:
            sequence.append(tokens[at])
        at += 1
    return sequence, at


def _walk(sequence: list[object], slots: Mapping[str, str], dice: Dice) -> Iterator[Piece]:
    for node in sequence:
        if isinstance(node, list):
            yield from _walk(dice.pick(node), slots, dice)
        elif isinstance(node, str) and node.startswith("{"):
            yield Piece(slots[node[1:-1]], True)
        else:
            yield Piece(str(node), False)


def join(pieces: list[Piece]) -> str:
    """The sentence: articles agree, spaces and capitals are put right."""
    text = re.sub(r" {2,}", " ", "".join(p.text for p in pieces)).strip()
    text = re.sub(r"\b([aA])\(n\) (?=(\S+))", _article, text)
    text = re.sub(r" +([,;.:?])(?=\s|$)", r"\1", text)
    text = text.replace("..", ".").replace(",.", ".").replace(".,", ",")
    first = text.split(" ", 1)[0]
    if first[:1].islower() and first.rstrip(".,:;") != "eGFR":
        text = text[0].upper() + text[1:]
    return text


def _article(found: re.Match[str]) -> str:
    word = found[2]
    vowel = bool(_VOWEL_SOUND.match(word)) and not _CONSONANT_SOUND.match(word)
    return f"{found[1]}{'n' if vowel or word == 'eGFR' else ''} "


class Phrasebook:
    """The families of one split; what was said least often is said next."""

    def __init__(self, lang: Lang, split: Split, dice: Dice) -> None:
        self.lang, self._dice = lang, dice
        self._rows = {key: of_split(rows, split) for key, rows in phrases(lang).items()}
        self._used: dict[str, int] = {}

    def has(self, key: str) -> bool:
        """Whether there is anything to say."""
        return bool(self._rows.get(key))

    def choose(self, key: str) -> Phrase:
        """A family among the least used."""
        rows = self._rows[key]
        least = min(self._used.get(row.family, 0) for row in rows)
        row = self._dice.pick([r for r in rows if self._used.get(r.family, 0) <= least])
        self._used[row.family] = self._used.get(row.family, 0) + 1
        return row

    def fill(self, phrase: Phrase, slots: Mapping[str, str]) -> list[Piece]:
        """Expand it with this book's chance."""
        return expand(phrase.template, slots, self._dice)
