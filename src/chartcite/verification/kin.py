"""Relatives by their names: `dad` is the father, a brother is a sibling, an uncle is neither."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

_NAMES = {
    "father": "father fathers dad papa pai",
    "mother": "mother mothers mom mum mama mãe",
    "brother": "brother brothers bro irmão",
    "sister": "sister sisters sis irmã",
    "son": "son sons filho",
    "daughter": "daughter daughters filha",
    "wife": "wife",
    "husband": "husband",
    "grandfather": "grandfather grandfathers grandpa mgf pgf avô",
    "grandmother": "grandmother grandmothers grandma mgm pgm avó",
    "aunt": "aunt aunts tia",
    "uncle": "uncle uncles tio",
    "cousin": "cousin cousins",
    "nephew": "nephew",
    "niece": "niece",
}
_WIDER = {
    "parent": ("father", "mother"),
    "parents": ("father", "mother"),
    "sibling": ("brother", "sister"),
    "siblings": ("brother", "sister"),
    "sib": ("brother", "sister"),
    "sibs": ("brother", "sister"),
    "twin": ("brother", "sister"),
    "children": ("son", "daughter"),
    "spouse": ("wife", "husband"),
    "partner": ("wife", "husband"),
    "grandparent": ("grandfather", "grandmother"),
    "grandparents": ("grandfather", "grandmother"),
}


@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[str]]:
    table = {spelling: frozenset((name,)) for name, spellings in _NAMES.items() for spelling in spellings.split()}
    return table | {name: frozenset((name, *members)) for name, members in _WIDER.items()}


def are_alike(first: Iterable[str], second: Iterable[str]) -> bool:
    """Whether two lists of relatives can mean one person; a word that names nobody in particular fits everyone."""
    ones, others = _persons(first), _persons(second)
    return not ones or not others or bool(ones & others)


def _persons(words: Iterable[str]) -> frozenset[str]:
    groups = _groups()
    return frozenset[str]().union(*(groups.get(word, frozenset()) for word in words))
