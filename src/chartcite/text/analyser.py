"""Turns text into the terms of the lexical index, the same way for documents and questions.

One scheme for compounds: parts. `follow-up`, `follow up` and `followup` all give `follow up`; `COVID-19`, `covid 19`
and `covid19` give `covid 19`; `5-HT3` and `5HT3` give `5 ht3`. A bound prefix (`non-ischemic`) gives the closed word
as well. Numbers stay whole and are never stemmed; ratios and dates (`120/80`) give the whole and its numbers, a
comparator (`<0.01`) gives itself and the bare number. Letters that alternate with digits (`HbA1c`, `T4N2M0`) stay one
term. `q.i.d.` gives `qid`, `doesn't` gives `not`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import cache
from itertools import chain
from threading import Lock

from chartcite.text.folding import fold, folded_starts
from chartcite.text.wordlists import load_groups, load_words

# What white space and brackets separate, with the signs that may stand inside a term. Linear: no part matches twice.
_RAW = re.compile(
    r"(?:(?:[<>]=?|[≤≥])\s{0,2}(?=\.?[0-9]))?(?:\.(?=[0-9]))?[^\W_]++(?:[./,'’\-‐‑][^\W_]++)*+"
    r"|%"
)
_COMPARATOR = re.compile(r"([<>]=?|[≤≥])\s*")
_DOTTED = re.compile(r"[^\W\d_](?:\.[^\W\d_])++")
_RATIO = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:/[0-9]+(?:\.[0-9]+)?)+|[0-9]{4}-[0-9]{2}-[0-9]{2}")
_CODE = re.compile(r"[a-z][0-9][0-9a-z]\.[0-9a-z]{1,4}")
_PIECE = re.compile(
    r"(?P<skip>['’]s(?![^\W_]))"
    r"|(?P<negated>[^\W\d_]+?n['’]t(?![^\W_]))"
    r"|(?P<number>\.?[0-9]+(?:[.,][0-9]+)*)"
    r"|(?P<code>[^\W\d_][\-‐‑][0-9]+(?![^\W_]))"
    r"|(?P<word>[^\W\d_][^\W_]*)"
)
_LETTERS_DIGITS = re.compile(r"([^\W\d_]{2,})([0-9]+)")
_THOUSANDS_EN = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_THOUSANDS_PT = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?:,[0-9]+)?")
_DECIMAL_COMMA = re.compile(r"[0-9]+,[0-9]+")

_PLURALS_PT = (("oes", "ao"), ("aes", "ao"), ("ais", "al"), ("eis", "el"), ("ois", "ol"), ("ns", "m"))
_NOT_PLURALS_PT = frozenset({"mais", "demais", "jamais", "pois", "depois", "dois", "seis", "reis"})
_SNOWBALL = {"en": "english", "pt": "portuguese"}

_CACHED_WORDS = 100_000
_CACHED_CHARS = 40
_LONGEST_TERM_CHARS = 64  # the rest of a longer word is not indexed

_Piece = tuple[str, int, int]  # a term and its span in the raw word


class Analyser:
    """The analyser of one language: `en`, `pt`, or `` for no stop words and no stemming.

    Safe to use from several threads. What a word gives is remembered, so that a second look costs one lookup.

    >>> Analyser("en").terms("No chest pain; morphine 2.5mg q.i.d.")
    ['no', 'chest', 'pain', 'morphin', '2.5', 'mg', 'qid']
    """

    def __init__(self, lang: str = "en") -> None:
        base = lang.lower().replace("_", "-").split("-", 1)[0]
        self._lang = base if base in _SNOWBALL else "und"
        self._words = _Words(_WordAnalyser(self._lang))

    @property
    def name(self) -> str:
        """Language and version, recorded with every index built: a change of terms needs a new version."""
        return f"{self._lang}-1"

    def terms(self, text: str) -> list[str]:
        """Return the index terms in the order of the text."""
        return list(chain.from_iterable(map(self._words.__getitem__, _RAW.findall(fold(text)))))

    def terms_with_spans(self, text: str) -> list[tuple[str, int, int]]:
        """Return the same terms, each with the span of `text` it comes from: for highlighting, not for speed."""
        starts = folded_starts(text)
        found: list[tuple[str, int, int]] = []
        for raw in _RAW.finditer(fold(text)):
            for term, start, end in self._words.analyse(raw[0]):
                first = bisect_right(starts, raw.start() + start) - 1
                found.append((term, first, bisect_left(starts, raw.start() + end)))
        return found


class _Words(dict[str, tuple[str, ...]]):
    """Raw word -> its terms. Bounded: a corpus of unique codes must not fill the memory."""

    def __init__(self, analyser: _WordAnalyser) -> None:
        super().__init__()
        self.analyse = analyser.pieces

    def __missing__(self, raw: str) -> tuple[str, ...]:
        terms = tuple(term for term, _, _ in self.analyse(raw))
        if len(raw) <= _CACHED_CHARS:
            if len(self) >= _CACHED_WORDS:
                self.clear()
            self[raw] = terms
        return terms


class _WordAnalyser:
    """What one raw word gives: cuts it into pieces and turns each into terms."""

    def __init__(self, lang: str) -> None:
        self._lang = lang
        self._stop = load_words("index_words.txt", f"stop-{lang}")
        self._prefixes = load_words("index_words.txt", "prefixes")
        self._same = _equals(lang)

    def pieces(self, raw: str) -> list[_Piece]:
        """Return the terms of a raw word with their spans in it."""
        mark = _COMPARATOR.match(raw)
        if mark is None:
            return self._body(raw, 0)
        found = self._body(raw[mark.end() :], mark.end())
        sign = {"<=": "≤", ">=": "≥"}.get(mark[1], mark[1])
        return [(sign + found[0][0], 0, found[0][2]), *found] if found else []

    def _body(self, body: str, shift: int) -> list[_Piece]:
        """The terms of a word without comparator, which starts `shift` characters into the raw word."""
        whole = (shift, shift + len(body))
        if len(body) > _LONGEST_TERM_CHARS:
            return [(term[:_LONGEST_TERM_CHARS], start, end) for term, start, end in self._parts(body, shift)]
        if body == "%":
            return [("%", *whole)]
        if body in self._same:
            return [(self._stem(word), *whole) for word in self._same[body]]
        if _DOTTED.fullmatch(body):
            return [(body.replace(".", ""), *whole)]
        if _CODE.fullmatch(body):
            return [(body, *whole)]
        parts = self._parts(body, shift)
        return [(body, *whole), *parts] if _RATIO.fullmatch(body) else parts

    def _parts(self, body: str, shift: int) -> list[_Piece]:
        found: list[_Piece] = []
        before = ""  # the prefix that a hyphen binds to the next word
        for match in _PIECE.finditer(body):
            start, end = match.start() + shift, match.end() + shift
            if match.lastgroup == "word":
                if before:
                    found.append((self._stem(before + match[0]), start - len(before) - 1, end))
                found.extend((term, start, end) for term in self._word(match[0]))
                hyphen = body[match.end() : match.end() + 1] in tuple("-‐‑")
                before = match[0] if hyphen and match[0] in self._prefixes else ""
            elif match.lastgroup == "number":
                found.extend((term, start, end) for term in self._number(match[0]))
            elif match.lastgroup == "code":
                found.append((match[0][0] + match[0][2:], start, end))
            elif match.lastgroup == "negated":
                found.append(("not", start, end))
        return found

    def _word(self, word: str) -> tuple[str, ...]:
        if word in self._same:
            return tuple(map(self._stem, self._same[word]))
        if word in self._stop:
            return ()
        parts = _LETTERS_DIGITS.fullmatch(word)
        if parts is not None:
            return self._stem(parts[1]), parts[2]
        return (self._stem(word),)

    def _number(self, number: str) -> tuple[str, ...]:
        """`1,200` and `1200` are one number; a decimal comma becomes a point where the language has one."""
        if number.startswith("."):
            number = "0" + number
        if self._lang == "pt":
            if _THOUSANDS_PT.fullmatch(number):
                return (number.replace(".", "").replace(",", "."),)
            if _DECIMAL_COMMA.fullmatch(number):
                return (number.replace(",", "."),)
        elif _THOUSANDS_EN.fullmatch(number):
            return (number.replace(",", ""),)
        return tuple(number.split(","))

    def _stem(self, word: str) -> str:
        if not 3 <= len(word) <= _LONGEST_TERM_CHARS or not word.isalpha() or self._lang == "und":
            return word
        if self._lang == "pt" and word not in _NOT_PLURALS_PT and len(word) > 4:
            # Folding took the accents by which the stemmer knows these plurals.
            for plural, singular in _PLURALS_PT:
                if word.endswith(plural):
                    word = word.removesuffix(plural) + singular
                    break
        return _stemmer(self._lang)(word)


@cache
def _equals(lang: str) -> dict[str, tuple[str, ...]]:
    pairs = (line.split(" = ", 1) for line in load_groups("index_words.txt").get(f"same-{lang}", ()))
    return {word: tuple(words.split()) for word, words in pairs}


@cache
def _stemmer(lang: str) -> Callable[[str], str]:
    import snowballstemmer  # noqa: PLC0415  # slow to import, and not needed to read a store

    stem_word: Callable[[str], str] = snowballstemmer.stemmer(_SNOWBALL[lang]).stemWord
    lock = Lock()  # a stemmer keeps its state in itself between two statements

    def stem(word: str) -> str:
        with lock:
            return stem_word(word)

    return stem
