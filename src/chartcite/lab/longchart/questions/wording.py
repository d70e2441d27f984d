"""Small words inside questions and answers."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from chartcite.lab.longchart.notes.voice import words

if TYPE_CHECKING:
    from chartcite.lab.longchart.questions.model import Case


def day_words(case: Case, day: date) -> str:
    """A date in one of the ways people write it."""
    table = words(case.life.person.lang)
    month = table["months"][day.month - 1]
    if case.life.person.lang == "pt":
        return case.dice.pick([f"{day:%d/%m/%Y}", f"{day.day} de {month} de {day.year}"])
    return case.dice.pick(
        [
            day.isoformat(),
            f"{month} {day.day}, {day.year}",
            f"{day.day} {table['months_short'][day.month - 1]} {day.year}",
        ]
    )


def localised(text: str, lang: str) -> str:
    """Decimal commas in Portuguese.

    >>> localised("1.9 mg/dL", "pt")
    '1,9 mg/dL'
    """
    return re.sub(r"(?<=\d)\.(?=\d)", ",", text) if lang == "pt" else text
