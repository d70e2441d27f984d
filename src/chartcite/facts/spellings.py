"""Other spellings of what a text names: abbreviation and long form, brand and generic name, listed synonyms.

For finding, never for verifying: a group's members are looked up by their words alone.
"""

from __future__ import annotations

from functools import lru_cache

from chartcite.facts.lexicon import FACTS, read_rows

_LISTS = ("abbreviations.tsv", "brand_generic.tsv", "synonyms.tsv")
_SHORT_CHARS = 3
Group = tuple[str, ...]


def parts(entry: str) -> list[str]:
    """The words of a spelling, in lower case."""
    return entry.lower().replace("-", " ").split()


@lru_cache(maxsize=1)
def groups_with() -> dict[str, tuple[Group, ...]]:
    """The groups that have a word in one of their entries, in the order of the lists."""
    table: dict[str, list[Group]] = {}
    for name in _LISTS:
        for group in read_rows(FACTS, name):
            for word in {part for entry in group for part in parts(entry)}:
                table.setdefault(word, []).append(group)
    return {word: tuple(groups) for word, groups in table.items()}


@lru_cache(maxsize=1)
def _starting() -> dict[str, tuple[tuple[str, list[str], Group], ...]]:
    """By the first word of a spelling: the spelling, its words and its group, in the order of `groups_with`."""
    table: dict[str, list[tuple[str, list[str], Group]]] = {}
    for word, groups in groups_with().items():
        for group in groups:
            words = [(entry, parts(entry)) for entry in group]
            table.setdefault(word, []).extend((e, w, group) for e, w in words if w[:1] == [word])
    return {word: tuple(entries) for word, entries in table.items()}


def other_spellings(text: str) -> list[Group]:
    """For each spelling found in a text, the longest first and without overlaps, the others of its groups.

    A short one in capitals (`MI`, `AS`) counts as written only: `as` is no aortic stenosis.

    >>> [spelling for group in other_spellings("Was an MI ruled out?") for spelling in group]
    ['myocardial infarction', 'heart attack', 'cardiac infarction']
    """
    words = [word.strip(".,;:!?()\"'") for word in text.replace("-", " ").split()]
    found: list[Group] = []
    i = 0
    while i < len(words):
        length, others = _at(words, i)
        if others:
            found.append(tuple(dict.fromkeys(others)))
        i += max(1, length)
    return found


def _at(words: list[str], i: int) -> tuple[int, list[str]]:
    """The length of the longest spelling that begins at a word, and the other members of all groups that have it."""
    longest, others = 0, list[str]()
    for entry, its_words, group in _starting().get(words[i].lower(), ()):
        length = len(its_words)
        if length < longest or not _stands(entry, its_words, words[i : i + length]):
            continue
        if length > longest:
            longest, others = length, []
        others += [other for other in group if other != entry]
    return longest, others


def _stands(entry: str, lowered: list[str], written: list[str]) -> bool:
    if len(entry) <= _SHORT_CHARS and entry.isupper():
        return written == [entry]
    return [word.lower() for word in written] == lowered
