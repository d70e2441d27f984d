"""How an author writes: dates, line width, headers, abbreviations, misspellings, masks."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from typing import Any

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.longchart.lexicon import Lang
from chartcite.lab.longchart.notes.grammar import Piece

_TYPO_SAFE = {"denies", "without", "negative", "neither", "never", "nega", "nunca", "stopped", "holding", "resumed"}


@cache
def words(lang: Lang) -> dict[str, Any]:
    """The small words of a language."""
    return tomllib.loads((files("chartcite.lab.longchart") / "data" / lang / "words.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Voice:
    """One author's habits. `width` 0: lines are not wrapped; `house`: one of five header styles; `typos`: per word."""

    lang: Lang
    dates: int
    width: int
    house: int
    typos: float
    abbreviates: float
    mask: str = ""

    @classmethod
    def of(cls, lang: Lang, name: str, mask: str, *seed: object) -> Voice:
        """The habits that belong to an author's name."""
        dice = Dice(*seed, name, "voice")
        width = dice.pick([0, 0, 72, 78, 92, 104])
        typos = dice.pick([0.0, 0.0, 0.002, 0.004, 0.009])
        house = dice.pick([0, 1, 2, 3, 4, 0, 1, 2, 4])
        return cls(lang, dice.between(0, 4), width, house, typos, dice.pick([0.0, 0.1, 0.35, 0.6]), mask)

    def day(self, on: date) -> str:
        """A whole date as this author writes it."""
        table = words(self.lang)
        year, month, day = on.year, on.month, on.day
        if self.lang == "pt":
            forms = (
                f"{day:02d}/{month:02d}/{year}",
                f"{day} de {table['months'][month - 1]} de {year}",
                f"{day:02d}.{month:02d}.{year}",
            )
            return forms[self.dates % 3]
        forms_en = (
            f"{year}-{month:02d}-{day:02d}", f"{month:02d}/{day:02d}/{year}", f"{month}/{day}/{year % 100:02d}",
            f"{table['months'][month - 1]} {day}, {year}", f"{day} {table['months_short'][month - 1]} {year}",
        )  # fmt: skip
        return forms_en[self.dates]

    def header(self, key: str) -> str:
        """The header of a section in this author's house style."""
        return str(words(self.lang)["headers"][key][self.house])

    def number(self, shown: str) -> str:
        """A number with the language's decimal sign."""
        return shown.replace(".", ",") if self.lang == "pt" else shown

    def masked(self, kind: str, name: str) -> str:
        """A name, or what a de-identified record holds in its place; the same name has the same mask."""
        if self.mask == "brackets":
            label = {"doctor": "Last Name (STitle)", "patient": "Known lastname", "hospital": "Hospital"}[kind]
            return f"[**{label} {Dice(kind, name).between(100, 9999)}**]"
        return "___" if self.mask == "blank" else name

    def spell(self, pieces: list[Piece], dice: Dice) -> list[Piece]:
        """Abbreviate and misspell words of the phrase; never what stands in a slot."""
        return [p if p.is_slot else Piece(self._words(p.text, dice), False) for p in pieces]

    def _words(self, text: str, dice: Dice) -> str:
        short = words(self.lang)["abbreviations"]

        def one(found: re.Match[str]) -> str:
            word = found[0]
            if word in short and dice.chance(self.abbreviates):
                return str(short[word])
            if self.typos and len(word) > 4 and word.lower() not in _TYPO_SAFE and dice.chance(self.typos):
                return misspell(word, dice)
            return word

        return re.sub(r"[^\W\d_]+", one, text)


def misspell(word: str, dice: Dice) -> str:
    """Swap two letters, drop one or double one; the first letter stays.

    >>> misspell("pressure", Dice(1)) != "pressure"
    True
    """
    at = dice.between(1, len(word) - 3)
    kind = dice.between(0, 2)
    if kind == 0 and word[at] != word[at + 1]:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind == 1:
        return word[:at] + word[at + 1 :]
    return word[: at + 1] + word[at] + word[at + 1 :]


def clock(at: datetime, lang: Lang) -> str:
    """Time of day."""
    return f"{at.hour:02d}:{at.minute:02d}" if lang == "en" else f"{at.hour:02d}h{at.minute:02d}"
