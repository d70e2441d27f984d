"""What a query names that the message behind it does not: a number, a drug, a finding (a diagnosis, a procedure).

For queries that a model made: the rules add no word. Another spelling of the same (brand and generic name, a listed
synonym, an abbreviation) and what is less than what the message says (pneumonia: an infection) are no addition.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from chartcite.facts.drugs import generic_name
from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.numerals import NUMBER, read_number, worded_number
from chartcite.facts.spellings import other_spellings

Added = Literal["number", "drug", "finding", ""]
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_NUMBER = re.compile(rf"(?<![\w.,]){NUMBER}")
# Endings of the names of diseases; words of other things with such an ending follow.
_DISEASE = re.compile(r"\w{3,}(?:itis|osis|oses|a?emia|pathy|patia|omas?|penia|sclerosis|plegia|algia)")
_NO_DISEASE = frozenset({"diagnosis", "diagnoses", "prognosis", "prognoses", "stoma", "stomas", "diploma", "aroma"})


def added(query: str, message: str) -> Added:
    """The first sort of thing that a query adds to a message; empty when it adds none of these.

    >>> added("Was the metoprolol stopped?", "Have they stopped my Lopressor?")
    ''
    >>> added("How was the pneumonia treated?", "I had a bad cough, what did they give me?")
    'finding'
    """
    if not _numbers(query) <= _numbers(message):
        return "number"
    if not _drugs(query) <= _drugs(message):
        return "drug"
    return "" if _findings(query) <= _said(message) else "finding"


def _numbers(text: str) -> set[Fraction | None]:
    found = {read_number(m[0]) for pattern in (_NUMBER, _worded()) for m in pattern.finditer(text)}
    return found - {None, Fraction(1)}  # `which one` counts nothing


def _drugs(text: str) -> set[str]:
    """By the first word of the generic name: which salt it is, a person leaves out."""
    return {name.split()[0] for word in _WORD.findall(text) if (name := generic_name(word)) is not None}


def _findings(text: str) -> set[str]:
    listed = {entry for entry in _listed() if f" {entry} " in _spaced(text)}
    ending = {w.lower() for w in _WORD.findall(text) if _DISEASE.fullmatch(w.lower()) and w.lower() not in _NO_DISEASE}
    return listed | ending


def _said(message: str) -> set[str]:
    """The findings of a message, with their other spellings and all that they entail."""
    whole = " ".join((message, *(one for group in other_spellings(message) for one in group)))
    found = _findings(whole)
    return found | {less for entry in found for less in _listed().get(entry, ())}


def _spaced(text: str) -> str:
    return " " + " ".join(re.findall(r"[\w-]+", text.lower())) + " "


@lru_cache(maxsize=1)
def _listed() -> dict[str, tuple[str, ...]]:
    """Each listed disease, finding or procedure with what it entails."""
    rows = read_rows(FACTS, "generalisations.tsv")
    listed = {_spaced(specific).strip(): tuple(_spaced(one).strip() for one in less) for specific, *less in rows}
    return {entry: less for entry, less in listed.items() if not entry.endswith(" pain")}  # `my knee hurts` says it


@lru_cache(maxsize=1)
def _worded() -> re.Pattern[str]:
    return re.compile(rf"\b{worded_number()}", re.IGNORECASE)
