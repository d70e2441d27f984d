"""Options of a multiple-choice question: their letters, and which one a data set's own word for the answer means."""

from __future__ import annotations

import string
from collections.abc import Sequence

from chartcite.lab.errors import BadTable


def letter(option: int) -> str:
    """The letter of an option, counted from 0.

    >>> letter(0), letter(4)
    ('A', 'E')
    """
    return string.ascii_uppercase[option]


def letter_of(answer: str, choices: Sequence[str], where: str) -> str:
    """The letter of the right option, given as a letter or in its own words.

    Raises:
        BadTable: it is none of the options, or the words of several; the message says where, never the words.
    """
    plain = answer.strip()
    if len(plain) == 1 and plain.upper() in string.ascii_uppercase[: len(choices)]:
        return plain.upper()
    same = [n for n, choice in enumerate(choices) if choice.strip() == plain]
    if len(same) != 1:
        raise BadTable(f"{where}: the right answer is not one of the options.", "Is the copy complete?")
    return letter(same[0])
