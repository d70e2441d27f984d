"""The lists of drugs, read here only: what is one, which drug a brand is, classes, components. Knows no sentence."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.tokens import fold


class DrugClass(NamedTuple):
    """How a class of drugs is written, and the broader classes that it entails, one level up."""

    spellings: tuple[str, ...]
    broader: tuple[str, ...]


@lru_cache(maxsize=1)
def listed_drugs() -> dict[str, tuple[str, ...]]:
    """Each listed drug by its generic name, with its classes; without theirs."""
    return {name: _cells(classes) for name, classes in read_rows(FACTS, "drugs.tsv")}


@lru_cache(maxsize=1)
def listed_classes() -> dict[str, DrugClass]:
    """Each class of drugs by its name."""
    rows = read_rows(FACTS, "drug_classes.tsv")
    return {name: DrugClass(_cells(spellings), _cells(broader)) for name, spellings, broader in rows}


@lru_cache(maxsize=1)
def combinations() -> dict[str, tuple[str, ...]]:
    """The components of each combination, by its name."""
    return {name: _cells(components) for name, components in read_rows(FACTS, "combination_products.tsv")}


def brand_rows() -> tuple[tuple[str, ...], ...]:
    """Rows `(generic name, other name, ...)`; all names of a row mean the same drug given in the same way."""
    return read_rows(FACTS, "brand_generic.tsv")


def more_names() -> tuple[tuple[str, ...], ...]:
    """Rows of the same form, of names that serve to find a drug in a sentence and do not equate two."""
    return read_rows(FACTS, "drug_names.tsv")


def _cells(text: str) -> tuple[str, ...]:
    return tuple(cell for cell in text.split("|") if cell)


@lru_cache(maxsize=1)
def _generic_names() -> dict[str, str]:
    names = {fold(name): name for name in listed_drugs()}
    for generic, *others in brand_rows():
        for name in (generic, *others):
            names.setdefault(fold(name), generic)
    return names


def generic_name(name: str) -> str | None:
    """The generic name of a drug, given by that or by a brand; None for what is no listed drug.

    >>> generic_name("Lasix"), generic_name("paracetamol"), generic_name("table")
    ('furosemide', 'acetaminophen', None)
    """
    return _generic_names().get(fold(name))


def drug_classes(name: str) -> tuple[str, ...]:
    """All that a drug is: its classes, and theirs.

    >>> drug_classes("Rocephin")
    ('cephalosporin', 'beta-lactam', 'antibiotic', 'antimicrobial drug')
    """
    generic = generic_name(name)
    found: list[str] = []
    waiting = list(listed_drugs().get(generic or "", ()))
    while waiting:
        one = waiting.pop(0)
        if one not in found:
            found.append(one)
            waiting.extend(listed_classes()[one].broader)
    return tuple(found)
