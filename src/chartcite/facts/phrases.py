"""Finds the spellings of a word list among the tokens of a sentence: the longest first, left to right, no overlaps.

Spellings are split like the text, so `co-trimoxazole` and `co trimoxazole` are one. Accents and capitals do not matter,
but for spellings marked with `*` and for short ones in capitals (`IV`, `VO`), which count as written only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from chartcite.core.documents import Span
from chartcite.facts.tokens import Token, tokenise

V = TypeVar("V")
_SHORT_CHARS = 3


class _Entry(NamedTuple, Generic[V]):
    words: tuple[str, ...]
    exact: str
    values: list[V]


class Match(NamedTuple, Generic[V]):
    """A spelling at the tokens `[first, last)`, and all that it may mean, in the order of the list."""

    first: int
    last: int
    span: Span
    values: list[V]


class Named(NamedTuple):
    """Words of the text, and the name that a list gives them."""

    span: Span
    name: str


class Phrases(Generic[V]):
    """A list of spellings, ready for search.

    Args:
        rows: pairs of a spelling (`*` at its end: exact case) and what it means; one spelling may mean several things.
    """

    def __init__(self, rows: Iterable[tuple[str, V]]) -> None:
        self._by_first: dict[str, list[_Entry[V]]] = {}
        known: dict[tuple[tuple[str, ...], str], _Entry[V]] = {}
        for spelling, value in rows:
            written = spelling.removesuffix("*")
            is_exact = written != spelling or (len(written) <= _SHORT_CHARS and written.isupper() and written.isalpha())
            words = tuple(token.text for token in tokenise(written))
            if not words:
                continue
            key = (words, written if is_exact else "")
            if key not in known:
                known[key] = _Entry(words, key[1], [])
                self._by_first.setdefault(words[0], []).append(known[key])
            if value not in known[key].values:
                known[key].values.append(value)
        for entries in self._by_first.values():
            entries.sort(key=lambda entry: (-len(entry.words), not entry.exact))

    def find(self, text: str, tokens: Sequence[Token]) -> Iterator[Match[V]]:
        """Yield the matches in `tokens`, which come from `text`."""
        i = 0
        while i < len(tokens):
            entry = self._at(text, tokens, i)
            if entry is None:
                i += 1
                continue
            last = i + len(entry.words)
            yield Match(i, last, Span(tokens[i].start, tokens[last - 1].end), entry.values)
            i = last

    def first_words(self, is_wanted: Callable[[V], bool]) -> frozenset[str]:
        """The folded first words of all spellings that may mean something wanted: a sieve for texts."""
        return frozenset(
            word
            for word, entries in self._by_first.items()
            if any(is_wanted(value) for entry in entries for value in entry.values)
        )

    def _at(self, text: str, tokens: Sequence[Token], i: int) -> _Entry[V] | None:
        for entry in self._by_first.get(tokens[i].text, ()):
            last = i + len(entry.words)
            if last > len(tokens) or any(tokens[i + n].text != word for n, word in enumerate(entry.words)):
                continue
            written = text[tokens[i].start : tokens[last - 1].end]
            if entry.exact:
                if written == entry.exact:
                    return entry
            elif len(written) > _SHORT_CHARS or written.isascii() or len(entry.words) > 1 or _is_own(written, entry):
                return entry
        return None


def _is_own(written: str, entry: _Entry[V]) -> bool:
    """Short words keep their accents apart: `pó` (powder) is not `po`, but `pé` is in the lists as such."""
    return entry.words[0] not in _WITHOUT_ACCENT or written.isascii()


_WITHOUT_ACCENT = frozenset(("po", "iv", "neb", "inh", "cap", "tab"))


def listed(rows: Iterable[tuple[str, ...]], column: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Pairs of spelling and row, for lists that keep the spellings of a row in one column, separated by `|`."""
    for row in rows:
        for spelling in row[column].split("|"):
            yield spelling, row
