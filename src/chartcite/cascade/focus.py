"""Focus: the words a question cannot do without, in every form in which a record may have them.

A form is another spelling (haemoglobin), an abbreviation or its long form (MI), a brand or generic name, or a listed
synonym. A word with a number at its end (BRCA2, CD19, IgG1) is one of a family: only itself will do. Used to decide
what a text is about and what is nowhere in a record, never to verify a claim.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from chartcite.facts.spellings import groups_with, parts
from chartcite.retrieval.akin import akin
from chartcite.retrieval.crosslingual import Crossing

if TYPE_CHECKING:
    from numpy.typing import NDArray

CONTEXT_SHARE = 0.5
"""A word of the question in the header above a sentence counts half of one in the sentence."""

_NUMBERED = re.compile(r"((?:[^\W\d_]{1,6}-)?[^\W\d_]{1,6})-?(\d{1,3})")
Analyse = Callable[[str], Sequence[str]]


class Focus:
    """The focus words of one question, put to one partition.

    Args:
        words: in lower case, in the order of the question.
        analyse: text to index terms.
        readings: the same, one a language in which the words may be read; by default `analyse` alone.
        idf: how rare terms are in the partition.
        across: what words are called in the language of the texts, where it is not the question's.
        has: whether the partition has a term, or one as good as the same word.
    """

    def __init__(
        self,
        words: Sequence[str],
        analyse: Analyse,
        idf: Callable[[Sequence[str]], dict[str, float]],
        has: Callable[[str], bool],
        readings: Sequence[Analyse] = (),
        across: Crossing | None = None,
    ) -> None:
        self._analyse = analyse
        self._forms = {word: _forms(word, words, readings or (analyse,), across) for word in words}
        self._weights = {word: sum(idf(forms[0]).values()) for word, forms in self._forms.items() if forms}
        self._total = sum(self._weights.values())
        self._numbered = [_pattern(match) for word in words if (match := _NUMBERED.fullmatch(word))]
        self.missing = tuple(
            word for word, forms in self._forms.items() if forms and not any(all(map(has, form)) for form in forms)
        )

    def coverage(self, text: str, context: str) -> float:
        """How much of the focus a text has, by share of the words' rarity in the partition."""
        if not self._total:
            return 0.0
        said, above = set(self._analyse(text)), set(self._analyse(context))
        if all(self._found(word, above) for word in self._weights):
            return 1.0  # the header is what was asked for: all that stands below it answers
        return sum(weight * self._share(word, said, above) for word, weight in self._weights.items()) / self._total

    def holders(
        self, holding: Callable[[str], NDArray[np.bool_]], words: Collection[str] = ()
    ) -> NDArray[np.bool_] | None:
        """Bool [n_passages]: which have every word of the focus that the partition has; None without such words.

        Args:
            holding: the passages that have a term, or one as good as the same word.
            words: only these, if any of them is in the focus.
        """
        held = None
        for word, forms in self._forms.items():
            if not forms or word in self.missing or (words and word not in words):
                continue
            own = np.any([np.all([holding(term) for term in form], axis=0) for form in forms], axis=0)
            held = own if held is None else held & own
        return held

    def names(self, text: str, words: Collection[str]) -> bool:
        """Whether a text has all of those words that are in the focus."""
        said = set(self._analyse(text))
        return all(self._found(word, said) for word in self._weights if word in words)

    def names_the_right_one(self, text: str) -> bool:
        """Whether a text has every numbered word of the question, number and all."""
        return all(pattern.search(text) for pattern in self._numbered)

    def has(self, word: str) -> bool:
        """Whether a word of a text is one that was asked for."""
        return any(
            akin(term, [own for form in forms for own in form])
            for term in self._analyse(word)
            for forms in self._forms.values()
        )

    def _share(self, word: str, said: set[str], above: set[str]) -> float:
        if self._found(word, said):
            return 1.0
        return CONTEXT_SHARE if self._found(word, above) else 0.0

    def _found(self, word: str, terms: set[str]) -> bool:
        return any(all(akin(term, terms) for term in form) for form in self._forms[word])


def _forms(
    word: str, words: Sequence[str], readings: Sequence[Analyse], across: Crossing | None
) -> list[tuple[str, ...]]:
    """Terms of the word itself first, then of its other forms."""
    spoken = [word, *spellings(word)]
    for group in groups_with().get(word, ()):
        if any(_is_asked(entry, word, words) for entry in group):
            spoken += group
    spoken += across.names(word) if across else ()
    forms = [tuple(analyse(form)) for form in dict.fromkeys(spoken) for analyse in readings]
    return [form for form in dict.fromkeys(forms) if form]


def _is_asked(entry: str, word: str, words: Sequence[str]) -> bool:
    own = parts(entry)
    return word in own and all(part in words or len(part) < 4 for part in own)


def spellings(word: str) -> list[str]:
    """The British of an American spelling and the reverse, without the word itself."""
    return [
        word.replace(old, new)
        for pair in _pairs()
        for old, new in (pair, pair[::-1])
        if old in word and not (new in word and len(new) > len(old))
    ]


def _pattern(match: re.Match[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){match[1]}[-\s]?{match[2]}(?!\d)", re.IGNORECASE)


@lru_cache(maxsize=1)
def _pairs() -> tuple[tuple[str, str], ...]:
    text = files("chartcite.cascade").joinpath("data/spellings.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return tuple((british, american) for british, american in rows)
