"""Whether a word names a drug, or a disease, finding or part of the body: by the lists of `facts` and by endings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Literal

from chartcite.facts.drugs import generic_name
from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.tokens import fold

Kind = Literal["drug", "condition", ""]

_LISTS = ("generalisations.tsv", "abbreviations.tsv", "abbreviations_cased.tsv", "sites.tsv")
_MEASURED = ("measurements.tsv", "analytes.tsv")
_PART = re.compile(r"[^\W\d_]{3,}")
# Endings of the names of diseases and operations, English and Portuguese (accents folded).
_ENDING = re.compile(
    r"\w{3,}(?:itis|osis|oses|emia|pathy|ectomy|otomy|plasty|oma|omas|algia|uria|plegia|trophy|sclerosis|penia|lepsy"
    r"|ite|ose|patia|ectomia|plastia|otomia|trofia)"
)


def medical_kind(word: str, common: Callable[[str], bool]) -> Kind:
    """What a word names. `common` says which folded words are everyday ones, whatever the lists say of them.

    >>> [medical_kind(word, {"stay"}.__contains__) for word in ("Lasix", "gastritis", "stay", "kidney")]
    ['drug', 'condition', '', 'condition']
    """
    folded = fold(word).removesuffix("'s")
    if common(folded):
        return ""
    if generic_name(folded) is not None:
        return "drug"
    return "condition" if folded in _terms() or _ENDING.fullmatch(folded) else ""


def is_disease_site_or_drug(word: str) -> bool:
    """Whether a word names one, beyond doubt: long forms of abbreviations hold everyday words as well."""
    folded = fold(word)
    return generic_name(folded) is not None or folded in _named() or _ENDING.fullmatch(folded) is not None


def is_listed(word: str) -> bool:
    """Whether the lists have the word: it is spelt as it should be."""
    folded = fold(word)
    return generic_name(folded) is not None or folded in _terms()


@lru_cache(maxsize=1)
def _terms() -> frozenset[str]:
    return frozenset(_parts(_LISTS))


@lru_cache(maxsize=1)
def _named() -> frozenset[str]:
    return frozenset(_parts(("generalisations.tsv", "sites.tsv")))


def _parts(lists: Sequence[str]) -> Iterator[str]:
    for name in lists:
        for row in read_rows(FACTS, name):
            for cell in row:
                yield from _PART.findall(fold(cell))
    for name in _MEASURED:
        for row in read_rows(FACTS, name):
            yield from _PART.findall(fold(row[0]))
