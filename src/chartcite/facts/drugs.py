"""Names of drugs: which word is one, which drug a brand is, its classes and components. Knows no sentence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.tokens import fold


@lru_cache(maxsize=1)
def _generic_names() -> dict[str, str]:
    names = {fold(name): name for name, _ in read_rows(FACTS, "drugs.tsv")}
    for generic, *others in read_rows(FACTS, "brand_generic.tsv"):
        for name in (generic, *others):
            names.setdefault(fold(name), generic)
    return names


def generic_name(name: str) -> str | None:
    """The generic name of a drug, given by that or by a brand; None for what is no listed drug.

    >>> generic_name("Lasix"), generic_name("paracetamol"), generic_name("table")
    ('furosemide', 'acetaminophen', None)
    """
    return _generic_names().get(fold(name))


@lru_cache(maxsize=1)
def _classes() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Spellings and broader classes of each class."""
    table = {}
    for name, spellings, *broader in read_rows(FACTS, "drug_classes.tsv"):
        table[name] = (_cells(spellings), _cells(broader[0]) if broader else ())
    return table


@lru_cache(maxsize=1)
def _direct_classes() -> dict[str, tuple[str, ...]]:
    return {name: _cells(classes) for name, classes in read_rows(FACTS, "drugs.tsv")}


def _cells(text: str) -> tuple[str, ...]:
    return tuple(cell for cell in text.split("|") if cell)


def drug_classes(name: str) -> tuple[str, ...]:
    """All that a drug is: its classes, and theirs.

    >>> drug_classes("Rocephin")
    ('cephalosporin', 'beta-lactam', 'antibiotic', 'antimicrobial drug')
    """
    generic = generic_name(name)
    found: list[str] = []
    waiting = list(_direct_classes().get(generic or "", ()))
    while waiting:
        one = waiting.pop(0)
        if one not in found:
            found.append(one)
            waiting.extend(_classes()[one][1])
    return tuple(found)


def class_spellings(name: str) -> tuple[str, ...]:
    """How a class of drugs may be written."""
    return _classes()[name][0]


def drug_rows() -> Iterator[tuple[str, ...]]:
    """Rows `(drug, what it entails, ...)`: the spellings of its classes; for a combination its components too."""
    for name, _ in read_rows(FACTS, "drugs.tsv"):
        yield (name, *(spelling for one in drug_classes(name) for spelling in class_spellings(one)))
    for name, components in read_rows(FACTS, "combination_products.tsv"):
        yield (name, *_cells(components))
