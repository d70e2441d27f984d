"""Words that are nobody's name: clinical terms, drugs, headers, everyday words; and the lists of names."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from typing import Final

from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.text.folding import fold

_DATA: Final = "chartcite.deid.data"
_LISTS: Final = (
    "abbreviations.tsv", "abbreviations_ambiguous.tsv", "abbreviations_cased.tsv", "analytes.tsv",
    "assertion_cues.tsv", "body_parts.tsv", "brand_generic.tsv", "combination_products.tsv", "directions.tsv",
    "dose_forms.tsv", "dose_times.tsv", "drug_changes.tsv", "drug_classes.tsv", "drug_names.tsv", "drugs.tsv",
    "generalisations.tsv", "measurements.tsv", "number_words.tsv", "opaque.tsv", "order_cues.tsv",
    "portuguese_short.tsv", "portuguese_words.tsv", "restated.tsv", "routes.tsv", "sides.tsv", "sites.tsv",
    "synonyms.tsv", "units.tsv", "written_out.tsv",
)  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@lru_cache(maxsize=1)
def words() -> frozenset[str]:
    """Folded words of the fact lists, of section headers and of `common.txt`."""
    found: set[str] = set()
    for name in _LISTS:
        for row in read_rows(FACTS, name):
            for cell in row:
                found.update(fold(word) for word in _WORD.findall(cell))
    headers = files("chartcite.text.data").joinpath("section_headers.txt").read_text("utf-8")
    found.update(fold(word) for line in headers.splitlines() if line[:1] not in "#[" for word in _WORD.findall(line))
    common = {fold(word) for word in _lines("common.txt")}
    return frozenset(found | common) - {fold(name) for name in _lines("not_words.txt")}


@lru_cache(maxsize=1)
def first_names() -> dict[str, tuple[str, bool]]:
    """Folded first name -> F, M or X, and whether it is no everyday word."""
    rows = read_rows(_DATA, "first_names.tsv")
    return {name: (sex, strong == "1") for name, sex, strong in rows}


@lru_cache(maxsize=1)
def surnames() -> frozenset[str]:
    """Folded surnames that are no everyday words."""
    return frozenset(_lines("surnames.txt"))


@lru_cache(maxsize=1)
def eponyms() -> frozenset[str]:
    """Folded names that stand for a disease, sign, device, score or method."""
    return frozenset(fold(line) for line in _lines("eponyms.txt"))


@lru_cache(maxsize=1)
def placeholders() -> frozenset[str]:
    """Folded words that stand in brackets where a name or number was taken out."""
    return frozenset(fold(word) for word in _lines("placeholders.txt"))


@lru_cache(maxsize=1)
def everyday_names() -> frozenset[str]:
    """Names that are everyday words in small letters, in English or Portuguese."""
    return frozenset(_lines("everyday_names.txt"))


def is_word(word: str) -> bool:
    """Whether a word is one of medicine or of every day."""
    folded = fold(word)
    return folded in words() or (folded.endswith("s") and len(folded) > 4 and folded[:-1] in words())


def _lines(name: str) -> list[str]:
    text = files(_DATA).joinpath(name).read_text("utf-8")
    return [
        word
        for line in text.splitlines()
        if line and line[0] != "#"
        for word in ([line] if name == "eponyms.txt" else line.split())
    ]
