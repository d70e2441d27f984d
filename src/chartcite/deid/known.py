"""What a record says of its own names, gathered once from all its texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from chartcite.deid.contacts import find_contacts
from chartcite.deid.dates import day_first_votes
from chartcite.deid.name_cues import TITLE
from chartcite.deid.name_reader import is_listed
from chartcite.deid.names import KnownNames, find_names
from chartcite.deid.vocabulary import eponyms, is_word
from chartcite.text.folding import fold

_WORD = re.compile(r"[^\W\d_]+")
_NO_NAMES = KnownNames()
_GLUED = re.compile(r"\S*[\d_@/\\]\S*")
"""Ids and names of files, which say nothing of how a word is written."""
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class RecordFacts:
    """What must be known of a record before a text of it is hidden.

    Attributes:
        names: see `KnownNames`.
        words: every word and number of the record, folded, so that no surrogate is one of them.
        day_first: whether its numeric dates put the day first.
        labels: identifiers of the record itself, hidden wherever they stand.
    """

    names: KnownNames
    words: frozenset[str]
    day_first: bool
    labels: tuple[str, ...]


def read_record(texts: Iterable[str], labels: Iterable[str] = (), authors: Iterable[str] = ()) -> RecordFacts:
    """Gather the facts of one partition.

    Args:
        texts: of all its documents.
        labels: its identifiers, for example the patient's; words in them that the texts write with a capital are names.
        authors: names, as the documents' fields have them.
    """
    cued: set[str] = set()
    doubtful: set[str] = set()
    words: set[str] = set()
    lower: set[str] = set()
    capital: set[str] = set()
    votes = 0
    for text in texts:
        found = set(_WORD.findall(text))
        words.update(fold(word) for word in re.findall(r"\w+", text))
        lower.update(word for word in _WORD.findall(_without_addresses(text)) if word.islower())
        capital.update(fold(word) for word in found if word[0].isupper())
        votes += day_first_votes(text)
        for name in find_names(text, _NO_NAMES):
            if name.is_cued:
                named = {fold(word) for word in _WORD.findall(text[name.start : name.end]) if word[0].isupper()}
                (cued if _is_sure(text, name.start, named) else doubtful).update(named)
    small = frozenset(fold(word) for word in lower)
    named = cued | (doubtful - small)
    for author in authors:
        named.update(fold(word) for word in _WORD.findall(author) if word[0].isupper())
    kept = tuple(dict.fromkeys(label for label in labels if label))
    for label in kept:
        named.update(word for word in map(fold, _WORD.findall(label)) if word in capital)
    names = frozenset(
        word for word in named if len(word) >= _SHORTEST and not is_word(word) and word not in eponyms()
    )  # fmt: skip
    return RecordFacts(KnownNames(names, small), frozenset(words), votes > 0, kept)


def _without_addresses(text: str) -> str:
    """The text without e-mail addresses, URLs and ids, where names stand in small letters."""
    for mention in find_contacts(text):
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return _GLUED.sub(" ", text)


def _is_sure(text: str, start: int, words: set[str]) -> bool:
    """Whether a cued name is one even if the record writes it small: of two words, after a title, or in a list.

    One capitalised word after `doctor.` or `B.` may begin a sentence.
    """
    titled = any(cue.end() == start for cue in TITLE.finditer(text, max(0, start - 24), start + 24))
    return (
        (titled and text[max(0, start - 8) : start].lower() != "doctor. ")
        or sum(len(word) > 1 for word in words) > 1
        or any(map(is_listed, words))
    )
