"""Learned words in the spelling of the other language: `hypertension` is `hipertensao`, `nefropatia` is `nephropathy`.

By parts of words and endings that both languages write in regular ways. What comes out need not be a word: it is looked
up among those of a partition, and finds nothing where it is none.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product
from typing import Literal

from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.portuguese import base
from chartcite.text.folding import fold

Language = Literal["en", "pt"]
_LEAST_CHARS = 5
_MOST = 6
_MOST_PARTS = 24
"""The parts at the end of a word that are tried both ways; the letters before them count as one reading."""
_DOUBLES = "bcdfglmnpt"
_E_IN_FRONT = re.compile(r"es[cpqtmnlf]")
_LETTERS = (("ph", "f"), ("th", "t"), ("ck", "c"), ("y", "i"), ("k", "c"), ("ae", "e"), ("oe", "e"))


@lru_cache(maxsize=2)
def _pairs(where: str, to: Language) -> tuple[tuple[str, str], ...]:
    rows = [(row[1], row[2]) for row in read_rows(FACTS, "cognate_parts.tsv") if row[0] == where]
    turned = rows if to == "pt" else [(portuguese, english) for english, portuguese in rows]
    return tuple(sorted(turned, key=lambda pair: (-len(pair[0]), pair)))


@lru_cache(maxsize=16384)
def cognates(word: str, to: Language) -> tuple[str, ...]:
    """Spellings that a word of the one language may have in the other, folded, the likeliest first; at most six.

    >>> cognates("hypertension", "pt")[0], cognates("nefropatia", "en")[0]
    ('hipertensao', 'nephropathy')
    """
    folded = fold(word)
    if len(folded) < _LEAST_CHARS or not folded.isalpha():
        return ()
    single = folded if folded.endswith(("ss", "us", "is")) else folded.removesuffix("s")
    made: dict[str, None] = {}
    for form in dict.fromkeys((single, base(single) if to == "en" else folded)):
        for stem, ending in _ended(form, to):
            for body in _written(stem, to):
                made.setdefault(body + ending)
    made.pop(folded, None)
    return tuple(made)[:_MOST]


def _ended(word: str, to: Language) -> list[tuple[str, str]]:
    """The word without its ending, with each ending of the other language for the longest of its own."""
    pairs = _pairs("end", to)
    longest = next((old for old, _ in pairs if word.endswith(old) and len(word) - len(old) >= 2), "")
    if not longest:
        return [(word, "")]
    return [(word.removesuffix(longest), new) for old, new in pairs if old == longest]


def _written(stem: str, to: Language) -> list[str]:
    """The stem in the other spelling, the regular one first; each part of it may also have stayed as it is."""
    if to == "en" and _E_IN_FRONT.match(stem):
        return [*_written(stem[1:], to), *_parts(stem, to)]
    return _parts(stem, to)


def _parts(stem: str, to: Language) -> list[str]:
    pairs = _pairs("part", to)
    pieces: list[tuple[str, ...]] = []
    at = 0
    while at < len(stem):
        old, new = next(((old, new) for old, new in pairs if stem.startswith(old, at)), (stem[at], stem[at]))
        pieces.append((new,) if to == "pt" or old == new else (new, old))
        at += len(old)
    made = ["".join(chosen) for chosen in product(*pieces[-_MOST_PARTS:])]
    whole = ["".join(p[0] for p in pieces[:-_MOST_PARTS]) + end for end in made[:_MOST]]
    return [form for body in whole for form in _as_in_portuguese(body)] if to == "pt" else whole


def _as_in_portuguese(word: str) -> list[str]:
    """No double consonants but `rr` and `ss`, no `ph`, `th`, `y`, `k`; `ct` with and without its `c`."""
    for old, new in _LETTERS:
        word = word.replace(old, new)
    word = "".join(c for n, c in enumerate(word) if not (n and c == word[n - 1] and c in _DOUBLES))
    if word[:1] == "s" and word[1:2] in tuple("cpqtmnl"):
        word = "e" + word
    return list(dict.fromkeys((word.replace("ct", "t"), word))) if "ct" in word else [word]
