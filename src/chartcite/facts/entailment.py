"""What words say besides, anywhere: the wholes of a part of the body; which words a fixed phrase does not say."""

from __future__ import annotations

from functools import lru_cache

from chartcite.facts.lexicon import FACTS, read_rows


@lru_cache(maxsize=1)
def site_words() -> dict[str, frozenset[str]]:
    """For each word for a part of the body, the sites it may name and all that these are part of.

    >>> sorted(site_words()["toe"])
    ['foot', 'leg', 'toe']
    """
    parents = {name: tuple(w for w in wholes.split("|") if w) for name, _, wholes in _sites()}
    table: dict[str, set[str]] = {}
    for name, others, _ in _sites():
        for spelling in (name, *(o for o in others.split("|") if o)):
            table.setdefault(spelling.casefold(), set()).update(_wholes(name, parents))
    return {word: frozenset(found) for word, found in table.items()}


def _wholes(name: str, parents: dict[str, tuple[str, ...]]) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting.extend(parents.get(one, ()))
    return found


def _sites() -> tuple[tuple[str, str, str], ...]:
    return tuple((row[0], row[1], row[2]) for row in (r + ("",) * (3 - len(r)) for r in read_rows(FACTS, "sites.tsv")))


@lru_cache(maxsize=1)
def opaque_phrases() -> dict[str, tuple[str, ...]]:
    """Phrases that do not assert a word in them, with these words: `flu shot` is no flu."""
    return {phrase: tuple(words.split("|")) for phrase, words in read_rows(FACTS, "opaque.tsv")}
