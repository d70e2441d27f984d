"""Which spellings mean the same: abbreviations, brand and generic names, synonyms. One key a group, from data files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.tokens import fold, tokenise
from chartcite.verification.stems import stem

DATA = "chartcite.verification.data"
_LISTS = ("abbreviations.tsv", "brand_generic.tsv", "synonyms.tsv")


class Phrase(NamedTuple):
    """Several words that are one concept."""

    stems: tuple[str, ...]
    keys: frozenset[str]


class Concepts(NamedTuple):
    """`words`: keys of single words, by stem. `exact`: those that count only in capitals. `phrases`: by first stem."""

    words: dict[str, frozenset[str]]
    exact: dict[str, frozenset[str]]
    phrases: dict[str, tuple[Phrase, ...]]


@lru_cache(maxsize=1)
def concepts() -> Concepts:
    """The groups of all lists; built on first use."""
    words: dict[str, set[str]] = {}
    exact: dict[str, set[str]] = {}
    phrases: dict[tuple[str, ...], set[str]] = {}
    cues = {fold(row[2]).replace("-", " ") for row in read_rows(FACTS, "assertion_cues.tsv")}
    for name in _LISTS:
        for n, group in enumerate(read_rows(FACTS, name)):
            for spelling in group:
                stems = tuple(stem(t.text) for t in tokenise(spelling) if not t.is_mark)
                if len(stems) == 1:
                    table = exact if len(spelling) <= 2 and spelling.isupper() else words
                    table.setdefault(spelling if table is exact else stems[0], set()).add(f"{name[:3]}:{n}")
                elif fold(spelling) not in cues:
                    phrases.setdefault(stems, set()).add(f"{name[:3]}:{n}")
    by_first: dict[str, list[Phrase]] = {}
    for stems, keys in phrases.items():
        by_first.setdefault(stems[0], []).append(Phrase(stems, frozenset(keys)))
    for rows in by_first.values():
        rows.sort(key=lambda row: len(row.stems), reverse=True)
    return Concepts(_freeze(words), _freeze(exact), {first: tuple(rows) for first, rows in by_first.items()})


def _freeze(table: dict[str, set[str]]) -> dict[str, frozenset[str]]:
    return {word: frozenset(keys) for word, keys in table.items()}


def word_keys(text: str, raw: str) -> frozenset[str]:
    """What one word can be matched by: its stem and the groups it belongs to.

    Args:
        text: the folded word.
        raw: the word as written.
    """
    known, root = concepts(), stem(text)
    keys = known.words.get(root, frozenset()) | known.exact.get(raw, frozenset())
    return keys | {root}


def name_keys(name: str) -> frozenset[str]:
    """The groups that a spelling of one or more words names; its stem when it is in no group."""
    stems = [stem(t.text) for t in tokenise(name) if not t.is_mark]
    if len(stems) > 1:
        phrase = phrase_at(stems, 0)
        return phrase.keys if phrase is not None and len(phrase.stems) == len(stems) else frozenset()
    return word_keys(stems[0], name) if stems else frozenset()


def phrase_at(stems: Sequence[str], at: int) -> Phrase | None:
    """The longest listed phrase that starts at a position."""
    for phrase in concepts().phrases.get(stems[at], ()):
        if tuple(stems[at : at + len(phrase.stems)]) == phrase.stems:
            return phrase
    return None


@lru_cache(maxsize=1)
def _generalisations() -> dict[str, frozenset[str]]:
    """For each key of something specific, the keys of what it is a kind of, over all levels."""
    direct: dict[str, set[str]] = {}
    for specific, *general in read_rows(FACTS, "generalisations.tsv"):
        names = frozenset[str]().union(*(name_keys(g) for g in general))
        for key in name_keys(specific):
            direct.setdefault(key, set()).update(names)
    return {key: _closure(key, direct) for key in direct}


def _closure(key: str, direct: dict[str, set[str]]) -> frozenset[str]:
    found: set[str] = set()
    waiting = [key]
    while waiting:
        for name in direct.get(waiting.pop(), ()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return frozenset(found)


def generals(keys: frozenset[str]) -> frozenset[str]:
    """What something with these keys also is: `linezolid` is an antibiotic, a CT is imaging."""
    table = _generalisations()
    return frozenset[str]().union(*(table.get(key, frozenset()) for key in keys))
