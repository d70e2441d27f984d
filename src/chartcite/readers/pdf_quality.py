"""Whether the characters of a page are the ones that its glyphs show, as far as the characters tell.

A font may lack its character map, or carry a wrong one: then a page gives controls, one symbol for all, or fluent
letters that are words of no language. Such a page needs OCR; to read it as it is would put nonsense into a record.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache
from importlib.resources import files
from itertools import pairwise

_FILL = re.compile(r"([^\w\s]|_)(?:\s?\1){2,}")
_WORD = re.compile(r"[^\W\d_]+")
_LEAST_SHOWN = 5
_LEAST_WORDS = 20
_LEAST_PAIRS = 60
_LEAST_SMALL = 30
_SURPRISE = 5.5
_SUSPICIOUS = 4.5
"""Bits a pair of letters: pages of English and Portuguese have up to 3.9, German 4.0, a list of Polish and African
names 5.1, pages under a shuffled alphabet 6.5 in the middle; see `docs/results.md`."""
_SMALL_SHARE = 0.1


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SMALL_WORDS = _words("""
    the of and to in for with was is are no not on at by or as from that an he she had has be were this
    de da do das dos em com que não para por um uma os ao na no se foi sem mais ou el la los las en del con der die
    und mg ml kg mmol daily po
""")


def is_garbled(text: str) -> bool:
    """Whether a page's text cannot be what its reader sees."""
    shown = [c for c in _FILL.sub(r"\1", text) if not c.isspace() and c != "\ufffe"]
    strange = sum(unicodedata.category(c) in {"Cc", "Co", "Cn"} or c == "\ufffd" for c in shown)
    if strange * 3 > len(shown):
        return True
    said = [c for c in shown if c.isalnum()]
    if len(shown) >= _LEAST_SHOWN and len(said) * 3 < len(shown):
        return True
    return _is_one_glyph(said) or _is_letter_by_letter(text) or _is_no_language(text)


def _is_one_glyph(said: list[str]) -> bool:
    most = Counter(said).most_common(1)
    return len(said) >= 2 * _LEAST_WORDS and most[0][1] * 2 > len(said)


def _is_letter_by_letter(text: str) -> bool:
    words = _WORD.findall(text)
    return len(words) >= _LEAST_WORDS and sum(len(word) == 1 for word in words) * 5 > 4 * len(words)


def _is_no_language(text: str) -> bool:
    bits, pairs = surprise(text)
    if pairs < _LEAST_PAIRS or bits <= _SUSPICIOUS:
        return False
    small = [word for word in _WORD.findall(text) if len(word) > 1 and word.islower()]
    few = sum(word in _SMALL_WORDS for word in small) < _SMALL_SHARE * len(small)
    return bits > _SURPRISE or (len(small) >= _LEAST_SMALL and few)


def surprise(text: str) -> tuple[float, int]:
    """Bits a pair of letters, and how many pairs; abbreviations in capitals and other scripts are left out."""
    table = _letter_pairs()
    total, pairs = 0, 0
    for word in _WORD.findall(text):
        if len(word) < 3 or (word.isupper() and len(word) < 6):
            continue
        plain = unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode().lower()
        if len(plain) < len(word):
            continue
        spots = [26, *(ord(c) - 97 for c in plain if "a" <= c <= "z"), 26]
        total += sum(table[a][b] for a, b in pairwise(spots))
        pairs += len(spots) - 1
    return (total / pairs / 10 if pairs else 0.0), pairs


@cache
def _letter_pairs() -> list[list[int]]:
    text = files("chartcite.readers").joinpath("data/letter_pairs.txt").read_text("ascii")
    return [[int(number) for number in row.split()] for row in text.splitlines()]
