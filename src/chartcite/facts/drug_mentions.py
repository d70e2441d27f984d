"""Drugs named in a sentence: generic names, brands with what is in them, combinations, classes; no doses.

Names come from the word lists; an unlisted drug is not seen. Words that are drugs and laboratory values alike
(`potassium`) are found here as well; who reads the sentence as a whole decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from chartcite.core.documents import Span
from chartcite.facts.drugs import (
    brand_rows,
    combinations,
    drug_classes,
    generic_name,
    listed_classes,
    listed_drugs,
    more_names,
)
from chartcite.facts.lexicon import FACTS, read_rows, word_set
from chartcite.facts.line import Line
from chartcite.facts.phrases import Match, Phrases
from chartcite.facts.tokens import fold

Written = Literal["generic", "brand", "class"]


class Drug(NamedTuple):
    """A drug as the text names it.

    Attributes:
        span: the words that name it.
        name: generic name, or the class.
        written: how it is named.
        components: generic names of what a combination holds; the name alone otherwise; none for a class.
        classes: its classes, the nearest first; of a class, none.
    """

    span: Span
    name: str
    written: Written
    components: tuple[str, ...]
    classes: tuple[str, ...]


class _Entry(NamedTuple):
    name: str
    written: Written


# Classes whose names say something else more often.
_NO_CLASSES = word_set(
    "ophthalmic hormone electrolyte platinum prostaglandin stimulant sedative emollient antidote inhaler sedation "
    "contraception analgesia immunosuppression ferro"
)


_DISEASES = re.compile(r"[-\s](?:dependent|resistan|depend[eê]nt)", re.IGNORECASE)


def find_drugs(line: Line) -> tuple[Drug, ...]:
    """The drugs of a sentence, in order; `amlodipine/benazepril` is one."""
    out: list[Drug] = []
    for match in _names().find(line.text, line.tokens):
        if _DISEASES.match(line.text, match.span.end):
            continue
        drug = _drug(match)
        if out and _is_joined(line.text, out[-1], drug):
            out[-1] = _combined(out[-1], drug)
        else:
            out.append(drug)
    return tuple(out)


def drug_words(drugs: frozenset[str]) -> frozenset[str]:
    """The folded first words of all names of some drugs; of all drugs and classes when none is named."""
    return _names().first_words(lambda entry: not drugs or entry.name in drugs)


def _drug(match: Match[_Entry]) -> Drug:
    entry = match.values[0]
    if entry.written == "class":
        return Drug(match.span, entry.name, "class", (), ())
    parts = combinations().get(entry.name, (entry.name,))
    return Drug(match.span, entry.name, entry.written, parts, _classes_of((entry.name, *parts)))


def _is_joined(text: str, one: Drug, other: Drug) -> bool:
    """`lisinopril-HCTZ`, `hydrocodone/APAP`: one product."""
    is_named = "class" not in (one.written, other.written)
    return is_named and text[one.span.end : other.span.start] in ("-", "/", "–") and one.name != other.name


def _combined(one: Drug, other: Drug) -> Drug:
    parts = one.components + tuple(part for part in other.components if part not in one.components)
    name = _products().get(frozenset(parts), "-".join(parts))
    return Drug(Span(one.span.start, other.span.end), name, "generic", parts, _classes_of((name, *parts)))


@lru_cache(maxsize=4096)
def _classes_of(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for name in names for one in drug_classes(name)))


@lru_cache(maxsize=1)
def _products() -> dict[frozenset[str], str]:
    return {frozenset(parts): name for name, parts in combinations().items()}


@lru_cache(maxsize=1)
def _names() -> Phrases[_Entry]:
    return Phrases((*_of_drugs(), *_of_abbreviations(), *_of_classes()))


def _of_drugs() -> Iterator[tuple[str, _Entry]]:
    for name in listed_drugs():
        yield name, _Entry(name, "generic")
    for name, *others in (*brand_rows(), *more_names()):
        yield name, _Entry(name, "generic")
        for other in others:
            yield other, _Entry(name, "brand" if _is_brand(other) else "generic")


def _is_brand(name: str) -> bool:
    return name[:1].isupper() and not name[1:3].isupper()


def _of_abbreviations() -> Iterator[tuple[str, _Entry]]:
    """`HCTZ`, `ASA`: abbreviations of which one long form is a drug's name."""
    for row in (*read_rows(FACTS, "abbreviations.tsv"), *read_rows(FACTS, "abbreviations_cased.tsv")):
        found = next((name for word in row if (name := generic_name(word)) and not _is_brand(word)), None)
        for word in row if found else ():
            if len(word) > 2:
                yield word, _Entry(found or "", "generic")


def _of_classes() -> Iterator[tuple[str, _Entry]]:
    for name, one in listed_classes().items():
        for spelling in one.spellings:
            if fold(name) in _NO_CLASSES or fold(spelling) in _NO_CLASSES or spelling.startswith("cancer "):
                continue
            yield spelling, _Entry(name, "class")
            if spelling[-1] not in "s*" and len(spelling) > 2:
                yield spelling + "s", _Entry(name, "class")
