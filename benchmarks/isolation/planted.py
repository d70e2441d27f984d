"""Canaries: words, a name and a number that stand in one patient's notes and nowhere else in the world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chartcite.lab.longchart.dice import Dice

_HEADS = ("quor", "vex", "zil", "drax", "plon", "skur", "jeb", "wrom")
_TAILS = ("abine", "oxyn", "umide", "ertal", "idrol", "antix", "esperin", "ovane")
EVERY = 4
"""One note of so many is planted."""


@dataclass(frozen=True, slots=True)
class Canaries:
    """What is planted into one patient's notes.

    Attributes:
        drug, allergen, person, title: words that no list and no other note has.
        number: a result that nobody else has.
    """

    drug: str
    allergen: str
    person: str
    title: str
    number: str

    @property
    def marks(self) -> tuple[str, ...]:
        """Lower case; where one of them shows, this patient shows."""
        return tuple(word.lower() for word in (self.drug, self.allergen, self.person, self.title, self.number))

    @property
    def questions(self) -> tuple[str, ...]:
        """That only this patient's record can answer."""
        return (
            f"What is the dose of {self.drug}?", f"Is there an allergy to {self.allergen}?", self.drug,
            f"Who is {self.person}?", f"Was the creatinine ever {self.number} mg/dL?", "What is the latest creatinine?",
            f"Does the patient take {self.drug}?", f"{self.title} {self.allergen}",
        )  # fmt: skip


def canaries(patient: str, number: int) -> Canaries:
    """The patient's own; `number` is its place among all patients, from 0, so that no two get the same."""
    dice = Dice("canaries", patient)
    words = [f"{head}{dice.pick(_HEADS)}{tail}" for head, tail in zip(_HEADS, dice.shuffled(_TAILS), strict=True)]
    a, b, c, d = (word + chr(ord("a") + number) for word in words[:4])
    return Canaries(a, b, c.capitalize(), d.capitalize(), f"{31 + number}.{70 + number}7")


def planted(rows: Sequence[dict[str, Any]], own: Canaries) -> list[dict[str, Any]]:
    """Notes of one patient with its canaries in text, title and author."""
    found = []
    for n, row in enumerate(rows):
        if n % EVERY:
            found.append(row)
            continue
        said = (
            f"Started {own.drug} 40 mg daily.", f"Allergic to {own.allergen}: hives.", f"Seen with {own.person}.",
            f"Creatinine {own.number} mg/dL today.",
        )  # fmt: skip
        text = f"{row['text'].rstrip()}\n\n{said[n // EVERY % len(said)]}\n"
        found.append({**row, "text": text, "title": f"{own.title} note", "author": own.person})
    return found
