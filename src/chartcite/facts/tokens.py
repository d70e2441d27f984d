"""Words and marks of a sentence, with spans. Knows `q.i.d.`, `h/o`, `COVID-19`, `(-)`, `->`; knows no language.

No digit and no symbol is ever lost: what is not white space, a quotation mark, a dash or a bullet becomes a token, so
that a checker which accounts for tokens accounts for everything that is written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from chartcite.facts.lexicon import FACTS, read_rows

MARKS = frozenset(",;:.()?!/-–—")
ARROWS = frozenset(("->", "=>", "→"))
QUANTITY = "\x00"
"""The text of a token that stands in the place of a quantity."""

_TOKEN = re.compile(
    r"""
      (?P<dotted>(?<![^\W_])(?:[^\W\d_]\.){2,}(?![^\W_]))
    | (?P<slash>(?<![^\W_])(?:[^\W\d_]{1,2}/[^\W\d_]{1,3}|2/2)(?![^\W_/]))
    | (?P<word>[^\W_]+(?:(?:-|(?<=\d)[.,:/])\d[^\W_]*)*(?:['’][^\W\d_]+)?)
    | (?P<arrow>->|=>|→)
    | (?P<dash>(?<=\s)[-–—](?=\s))
    | (?P<sign>\([+-]\)|(?<=,\s)-(?=[^\W\d_]{2}))
    | (?P<mark>[,;:.()?!/])
    | (?P<symbol>[^\s\w"'’‘“”`´*•·|\[\]{}_–—-])
    """,
    re.VERBOSE,
)


_NUMBERED_DAY = re.compile(r"(d|(?i:pod|hod|dol))(\d{1,3}(?:/\d{1,2})?)")
_DAY_WORDS = {"d": "day"}


class Token(NamedTuple):
    """A word, symbol or mark. `text` is folded: lower case, no accents, no dots inside, straight apostrophes."""

    start: int
    end: int
    text: str
    is_mark: bool


@lru_cache(maxsize=8192)
def fold(word: str) -> str:
    """Lower case without accents; digits and all other characters stay."""
    if word.isascii():
        return word.lower()
    flat = "".join(c for c in unicodedata.normalize("NFD", word.replace("’", "'").casefold()) if not _is_accent(c))
    return unicodedata.normalize("NFC", flat)


def _is_accent(char: str) -> bool:
    # Only Latin accents: in other scripts a combining sign is part of the word.
    return "\u0300" <= char <= "\u036f"


def tokenise(text: str) -> tuple[Token, ...]:
    """Split a text; tokens come in order and do not overlap."""
    tokens = []
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        raw = found.group()
        folded = "no" if raw == "-" and kind == "sign" else fold(raw.replace(".", "") if kind == "dotted" else raw)
        day = _NUMBERED_DAY.fullmatch(raw) if kind == "word" else None
        if day is not None:
            # "d12" is day 12.
            cut = found.start() + day.end(1)
            tokens.append(Token(found.start(), cut, _DAY_WORDS.get(fold(day[1]), fold(day[1])), False))
            tokens.append(Token(cut, found.end(), fold(day[2]), False))
            continue
        tokens.append(Token(found.start(), found.end(), folded, kind in ("mark", "arrow", "dash")))
    return tuple(tokens)


@lru_cache(maxsize=1)
def _written_out() -> dict[str, tuple[str, ...]]:
    plain = {short: tuple(full.split()) for short, full in read_rows(FACTS, "written_out.tsv")}
    # The mark ends the scope of "no" behind the one word that it denies.
    return plain | {word: ("no", denied, ";") for word, denied in read_rows(FACTS, "restated.tsv")}


_TITLES = frozenset(("dr", "dra", "mr", "mrs", "ms", "prof", "sr", "sra"))
_TURNED = {
    "positive": "negative",
    "negative": "positive",
    "reactive": "nonreactive",
    "nonreactive": "reactive",
    "changed": "unchanged",
}


def expand(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Write out words that hold a side (`RLE`) or a negation (`afebrile`), each part with the span of the word."""
    known = _written_out()
    out: list[Token] = []
    for token in tokens:
        if token.text == "." and out and out[-1].text in _TITLES:
            continue  # "Dr. Reyes": the mark ends nothing
        words = known.get(token.text)
        if token.text in _TURNED and out and out[-1].text == "not":
            out[-1] = Token(out[-1].start, token.end, _TURNED[token.text], False)
        elif words is None:
            out.append(token)
        elif words[0] == "no" and out and out[-1].text == "not":
            # "not unreactive" is reactive.
            out[-1] = Token(out[-1].start, token.end, words[1], False)
        else:
            out.extend(Token(token.start, token.end, word, word in MARKS) for word in words)
    return tuple(out)
