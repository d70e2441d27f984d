"""What a text names in the other language: listed words and phrases, of measurements, parts of the body and drugs.

For finding, never for verifying. A word that no list has is spelt as the other language would (`cognates.py`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from chartcite.facts.cognates import Language, cognates
from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.portuguese import base
from chartcite.facts.spellings import Group
from chartcite.text.folding import fold
from chartcite.text.wordlists import load_words

_SHORT_CHARS = 3
_Listed = dict[str, list[tuple[tuple[str, ...], Group]]]


class Said(NamedTuple):
    """A word or phrase of a text, and what it may be called in the other language; nothing where that is not known."""

    text: str
    names: Group


def in_other_language(text: str, to: Language) -> list[Said]:
    """The words and phrases of a text, the longest listed first and without overlaps, with their names elsewhere.

    Small words are left out. A short name in capitals (`AF`) counts as written only.

    >>> [(said.text, said.names[:1]) for said in in_other_language("Heart attack or thrombosis in 2019?", "pt")]
    [('Heart attack', ('infarto',)), ('thrombosis', ('trombose',)), ('2019', ())]
    """
    written = [word.strip(".,;:!?()[]\"'“”") for word in text.replace("-", " ").replace("/", " ").split()]
    words = [fold(word) for word in written]
    small = load_words("index_words.txt", "stop-en" if to == "pt" else "stop-pt")
    found: list[Said] = []
    at = 0
    while at < len(words):
        length, names = _at(words, written, at, to)
        if length or (words[at] and words[at] not in small):
            length = max(1, length)
            found.append(Said(" ".join(written[at : at + length]), names or cognates(words[at], to)))
        at += max(1, length)
    return found


def _at(words: list[str], written: list[str], at: int, to: Language) -> tuple[int, tuple[str, ...]]:
    """The length of the longest listed phrase at a word, and the spellings of all its rows."""
    table, longest, names = _listed(to), 0, dict[str, None]()
    for first in dict.fromkeys((words[at], _plain(words[at], to))):
        for phrase, group in table.get(first, ()):
            length = len(phrase)
            here = words[at : at + length]
            if length < longest or not _same(here, phrase, to) or (length == 1 and _is_other(phrase, written[at])):
                continue
            if length > longest:
                longest, names = length, {}
            names |= dict.fromkeys(group)
    return longest, tuple(names)


def _same(here: list[str], phrase: tuple[str, ...], to: Language) -> bool:
    return len(here) == len(phrase) and all(
        word == own or _plain(word, to) == _plain(own, to) for word, own in zip(here, phrase, strict=True)
    )


def _plain(word: str, to: Language) -> str:
    """A word without its plural or, in Portuguese, its inflection."""
    if to == "en":
        return base(word)
    return word[:-1] if len(word) > _SHORT_CHARS and word.endswith("s") and not word.endswith("ss") else word


def _is_other(phrase: tuple[str, ...], written: str) -> bool:
    """`as` is no `AS`."""
    return len(phrase[0]) <= _SHORT_CHARS and not written.isupper() and phrase[0] in _capitals()


@lru_cache(maxsize=1)
def _capitals() -> frozenset[str]:
    """Short names that are written in capitals only."""
    rows = [side.split("|") for row in _rows() for side in row]
    return frozenset(fold(name) for side in rows for name in side if len(name) <= _SHORT_CHARS and name.isupper())


@lru_cache(maxsize=1)
def _rows() -> tuple[tuple[str, str], ...]:
    """English and Portuguese names separated by |. Where a list does not tell them apart, each is on both sides."""
    rows = [(row[0], row[1]) for row in read_rows(FACTS, "bilingual.tsv")]
    small = load_words("index_words.txt", "stop-en") | {"not", "no", "without", "denies"}
    for row in read_rows(FACTS, "portuguese_words.tsv"):
        single = "|".join(name for name in row[1].split("|") if " " not in name)
        if single and " " not in row[0] and row[0] not in small:
            rows.append((row[0], single))
    for row in read_rows(FACTS, "measurements.tsv"):
        names = "|".join(name for name in row[3].split("|") if not name.endswith("*"))
        rows.append((names, names))
    for row in read_rows(FACTS, "sites.tsv"):
        names = "|".join(name for name in (row[0], *row[1].split("|")) if name)
        rows.append((names, names))
    for row in read_rows(FACTS, "drug_names.tsv"):
        names = "|".join(name.removesuffix("*") for name in row)
        rows.append((names, names))
    return tuple(rows)


@lru_cache(maxsize=2)
def _listed(to: Language) -> _Listed:
    """By the first word of a name in the one language: the whole name, folded, and the names in the other."""
    table: _Listed = {}
    for english, portuguese in _rows():
        known, wanted = (english, portuguese) if to == "pt" else (portuguese, english)
        names = known.split("|")
        others = wanted.split("|")
        for name in names:
            phrase = tuple(fold(name).replace("-", " ").replace("/", " ").split())
            group = tuple(other for other in others if other != name)
            if phrase and group:
                for first in dict.fromkeys((phrase[0], _plain(phrase[0], to))):
                    table.setdefault(first, []).append((phrase, group))
    return table
