"""Relatives by their names: `dad` is the father, a brother is a sibling, an uncle is neither."""

from __future__ import annotations

import re
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


@lru_cache(maxsize=1)
def _stated() -> re.Pattern[str]:
    """A relative whom a finding is told of: `in the older brother`, `(mother)`, `Mother: ...`; none who tells it."""
    kin = "|".join(sorted(map(re.escape, _groups()), key=len, reverse=True))
    return re.compile(
        r"(?:\A\W*|\b(?:in|of|n[oa]s?|d[oa]s?|em|de)\s+|[(:,;–—-]\s*)"
        r"(?:(?:the|an?|one|her|his|their|my|older|elder|eldest|younger|youngest|maternal|paternal|late|half|[oa]s?|su?a|seu)"
        rf"[\s-]+)*(?:{kin})\b(?!(?:['’]s)?\s+(?:says?|said|reports?|reported|states?|stated|tells?|told|gives?|gave|"
        r"notes?|noted|brought|brings|called|calls|denies|diz|disse|relata|relatou|refere|referiu|informa|informou)\b)",
        re.IGNORECASE,
    )


def says_whose(sentence: str) -> bool:
    """Whether a sentence itself names the relative whom it tells of.

    >>> says_whose("Melanoma in the older brother."), says_whose("Melanoma."), says_whose("Melanoma, told by brother.")
    (True, False, False)
    """
    return _stated().search(sentence) is not None


def are_alike(first: Iterable[str], second: Iterable[str]) -> bool:
    """Whether two lists of relatives can mean one person; a word that names nobody in particular fits everyone."""
    ones, others = _persons(first), _persons(second)
    return not ones or not others or bool(ones & others)


def _persons(words: Iterable[str]) -> frozenset[str]:
    groups = _groups()
    return frozenset[str]().union(*(groups.get(word, frozenset()) for word in words))
