"""Where a text has a thing: the words of one of its forms in any order, close together, nothing parting them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from chartcite.cascade.presence.forms import PRESENCE, Analyse, Form, Forms, Slot, is_name
from chartcite.core.documents import Span
from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.tokens import fold
from chartcite.retrieval.akin import akin

_GAP = 2
"""Index terms that may stand between the words of a thing."""
_AKIN_CHARS = 5
"""Shorter terms are no other ending of a longer one: `head` is no headache."""
_RAW = re.compile(r"[^\s/|]+")
_PARTS = (",", ";", ":", ".", "!", "?", "|")
_MARKS = ".,;:!?()[]{}\"'*#_“”"


class Word(NamedTuple):
    """An index term of a text, the word that it comes from, and whether something new begins behind it."""

    term: str
    start: int
    end: int
    raw: str
    ends: bool


class Found(NamedTuple):
    """A form of the thing in a text; whether it is only a kind of it, and whether it is worded as it was asked."""

    span: Span
    is_kind: bool
    is_as_asked: bool = False


def split(text: str, analyse: Analyse) -> list[Word]:
    """The index terms of a text with the words that they come from."""
    words: list[Word] = []
    for found in _RAW.finditer(text):
        raw = found[0].strip(_MARKS)
        # "dr." and "b.i.d." end nothing; a mark inside the line of a table does.
        ends = found[0].endswith(_PARTS) or text[found.end() : found.end() + 1] == "|"
        start = found.start() + found[0].find(raw)
        terms = analyse(found[0]) or ([""] if raw.isupper() and raw.isalpha() else ())
        last = len(terms) - 1  # "12 pack-years." ends behind its last piece
        words += [Word(term, start, start + len(raw), raw, ends and n == last) for n, term in enumerate(terms)]
    return words


def find(forms: Forms, text: str, analyse: Analyse, *, is_masked: bool = True) -> Found | None:
    """The first form of a thing in a text; a kind of it only where the thing itself is not there.

    `is_masked`: words that do not mean themselves (`flu` of `flu shot`) are not seen.
    """
    words = split(_masked(text, forms.texts) if is_masked else text, analyse)
    asked = [tuple(tuple(f for f in slot if f.is_asked) for slot in slots) for slots in forms.patterns]
    for is_as_asked, patterns in ((True, asked), (False, forms.patterns)):
        for slots in patterns:
            if all(slots) and (span := _span(slots, words)) is not None:
                return Found(span, False, is_as_asked)
    for kind in forms.kinds:
        if (span := _span(((kind,),), words)) is not None:
            return Found(span, True)
    return None


def _masked(text: str, asked: Sequence[str]) -> str:
    """The text without the words that do not mean themselves (`flu` of `flu shot`), unless the phrase is asked for."""
    pattern, hidden = _opaque()
    for found in pattern.finditer(text):
        phrase = found[0].lower()
        if not any(phrase in form.lower() for form in asked):
            words = "|".join(map(re.escape, hidden[" ".join(phrase.split())]))
            part = re.sub(rf"\b(?:{words})\b", lambda m: "\x00" * len(m[0]), found[0], flags=re.IGNORECASE)
            text = text[: found.start()] + part + text[found.end() :]
    return text


@lru_cache(maxsize=1)
def _opaque() -> tuple[re.Pattern[str], dict[str, tuple[str, ...]]]:
    rows = [row for room in (FACTS, PRESENCE) for row in read_rows(room, "opaque.tsv")]
    rows = [row for row in rows if not row[0].lower().startswith("rule")]  # that says how the thing is meant
    hidden = {phrase.lower(): tuple(words.split("|")) for phrase, words in rows}
    longest = sorted(hidden, key=lambda phrase: (-len(phrase), phrase))
    alternatives = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in longest)
    return re.compile(rf"\b(?:{alternatives})\b", re.IGNORECASE), hidden


def _span(slots: Sequence[Slot], words: Sequence[Word]) -> Span | None:
    """The narrowest place that has a form of each slot."""
    places = [list(_places(slot, words)) for slot in slots]
    if not all(places):
        return None
    best: tuple[int, int, int] | None = None
    for first in min(places, key=len):
        low, high, size = first[0], first[1], 0
        for own in places:
            near = min(own, key=lambda p: max(high, p[1]) - min(low, p[0]))
            low, high, size = min(low, near[0]), max(high, near[1]), size + near[1] - near[0] + 1
        wide = high - low + 1 - size
        if wide <= _GAP and not any(w.ends for w in words[low:high]) and (best is None or wide < best[0]):
            best = (wide, low, high)
    return Span(words[best[1]].start, words[best[2]].end) if best else None


def _places(slot: Slot, words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """From the first to the last word of each place that has a form."""
    for form in slot:
        if form.beside and not _stands_beside(form, words):
            continue
        if form.exact:
            yield from ((i, i) for i, w in enumerate(words) if w.raw == form.exact or _is_part(form.exact, w.raw))
            if len(form.terms) < 2:
                continue
        yield from _ranges(form, words)


_CAPITALS = 4
"""Letters of a measured thing in capitals that a stem may turn into a word: `FEVE` (LVEF) into that of `fever`."""
_INFLAMED = re.compile(r"(?:itis|itid\w+|itic\w*|ites?)$")
"""An appendicitis is no appendix, and a diverticulitis no diverticulosis, though their stems are one."""
_PART = re.compile(r"(?:anti|post|pre|p[óo]s|pr[ée])-(\w+)", re.IGNORECASE)


def _is_part(exact: str, raw: str) -> bool:
    """`anti-HIV` is a word on HIV."""
    found = _PART.fullmatch(raw)
    return found is not None and found[1] == exact


def _ranges(form: Form, words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    is_free = form.is_asked and not form.is_name
    is_inflamed = len(form.terms) == 1 and _INFLAMED.search(fold(form.text)) is not None

    written = frozenset(map(fold, form.text.split()))

    def same(word: Word, term: str) -> bool:
        if _is_another_name(word.raw) and fold(word.raw) not in written:
            return False
        is_same = word.term == term or (is_free and _same_word(word.term, term) and not is_name(word.raw))
        return is_same and not (is_inflamed and not _INFLAMED.search(fold(word.raw)))

    if not form.terms:
        return
    first, *others = form.terms
    for i in (i for i, w in enumerate(words) if same(w, first)):
        low = high = i
        for term in others:
            near = [
                j
                for j in range(max(0, i - len(form.terms) - 1), min(len(words), i + len(form.terms) + 2))
                if j != i and same(words[j], term)
            ]
            if not near:
                break
            nearest = min(near, key=lambda j: (abs(j - i), j))
            low, high = min(low, nearest), max(high, nearest)
        else:
            if not any(w.ends for w in words[low:high]) and high - low < len(form.terms) + 1:
                yield low, high


def _is_another_name(raw: str) -> bool:
    return len(raw) == _CAPITALS and raw.isalpha() and raw.isupper() and is_name(raw)


def _same_word(term: str, wanted: str) -> bool:
    return min(len(term), len(wanted)) >= _AKIN_CHARS and akin(wanted, (term,))


def _stands_beside(form: Form, words: Sequence[Word]) -> bool:
    said = {fold(w.raw) for w in words if w.raw != form.exact}
    return any(fold(b) in said or (b == "#" and any(r[:1].isdigit() for r in said)) for b in form.beside)
