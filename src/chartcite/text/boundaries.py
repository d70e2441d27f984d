"""Decides where a sentence ends inside a block of text. Knows abbreviations, not lines or sections."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from typing import Literal

from chartcite.text.wordlists import load_groups, load_words

# Zero-width marks, marks of direction, soft hyphens and NUL: web pages and PDFs leave them behind a full stop.
_UNSEEN = "".join(
    map(chr, (0, 0xAD, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A)))
)
# Runs are matched whole, so that no run is tried twice: a million full stops cost linear time.
_RUN = re.compile(rf"[.!?…。！？؟۔।]++[)\]}}\"'”’»{_UNSEEN}]*+")
_REFERENCE = re.compile(r"\[[0-9]{1,3}(?:[,–-] ?[0-9]{1,3}){0,20}\]")
_DOTTED = re.compile(r"[^\W\d_](?:\.[^\W_]{1,3})+")
_ORDINAL = re.compile(r"[0-9]+[ºªoa°]|[IVX]{2,5}")  # `no 5o. dia`, `II. Fase`
_CONDITION = re.compile(r"[^\W\d_]{1,5} ?[<>≤≥]")  # `p.r.n. T > 38`
_FULL_WIDTH = "。！？"
_CLOSERS = ")]}\"'”’»"
_OPENERS = "([{\"'“‘«¿¡"
_SYMBOLS = "=<>≤≥→"  # no statement begins with one; `->` and `=>` neither
_TITLES = ("DR", "DRA", "MRS", "PROF", "SRA")
_VOWELS = frozenset("aeiouyáéíóúâêôãõà")
# Words are looked at this far back; longer ones are no abbreviations.
_LOOK_BACK_CHARS = 24
_SHORT_WORD_CHARS = 5
# A line from here on may have been broken by an editor.
_WIDE_CHARS = 45

_AbbreviationClass = Literal["title", "never", "number", "month", "unit", "closing", "clinical"]
_CLASSES: tuple[_AbbreviationClass, ...] = ("clinical", "closing", "month", "number", "unit", "never", "title")


def cut_block(text: str, start: int, end: int, masks: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Cut `text[start:end]`, which neither starts nor ends with white space, into the spans of its sentences."""
    spans: list[tuple[int, int]] = []
    begin = start
    point = 0  # number of the last point of a list inside the block: `1. rest 2. fluids`
    for run in _RUN.finditer(text, start, end):
        at, stop = run.span()
        if stop >= end:
            break
        if not text[stop].isspace():
            stop = _glued_end(text, begin, at, stop, end)
            if not stop:
                continue
        if masks and _inside(masks, at):
            continue
        following = _skip_space(text, stop, end)
        if following >= end:
            break
        if at > begin and stop == at + 1 and text[at - 1].isdigit():
            number, first = _point_number(text, begin, at)
            before = _before_point(text, begin, first, number, point) if number else -1
            if before >= 0:
                if before > begin:
                    spans.append((begin, before))
                    begin = first
                point = number
                continue
        if _ends(text, begin, at, stop, following):
            spans.append((begin, stop))
            begin = following
    spans.append((begin, end))
    return spans


def _inside(masks: Sequence[tuple[int, int]], at: int) -> bool:
    index = bisect_right(masks, (at, -1)) - 1
    return index >= 0 and at < masks[index][1]


def _skip_space(text: str, at: int, end: int) -> int:
    while at < end and text[at].isspace():
        at += 1
    return at


def _glued_end(text: str, begin: int, at: int, stop: int, end: int) -> int:
    """Where the sentence ends although no space follows: `pain.She`, `risk.[3] The`; 0 if it does not."""
    char = text[stop]
    if text[at] in _FULL_WIDTH:
        return stop
    if char == "[":
        reference = _REFERENCE.match(text, stop, end)
        after = reference.end() if reference else end
        return after if after < end and text[after].isspace() else 0
    if not char.isupper() or not text[stop + 1 : stop + 2].islower():
        return 0
    word = _word_before(text, begin, at).rstrip(_CLOSERS)
    if not word or word.lower() in _abbreviations():
        return 0
    tail = text[stop : stop + _LOOK_BACK_CHARS].split(None, 1)[0]
    if "." in tail[:-1] or "/" in tail or "@" in tail:
        return 0
    if len(word) > 2 and word.isalpha() and word.islower():
        return stop
    # `120/80.No edema`, `no PE.She`: after a number or capitals only before a word that opens sentences.
    plain = "." not in word.replace(",", "") or word.replace(".", "").isdigit()
    opens = tail.rstrip(".,;:") in load_words("abbreviations.txt", "starters")
    return stop if plain and opens and not word.islower() else 0


def _word_before(text: str, begin: int, at: int) -> str:
    """The word that ends at `at`, without opening brackets; empty after white space."""
    if at <= begin or text[at - 1].isspace():
        return ""
    return text[max(begin, at - _LOOK_BACK_CHARS) : at].rsplit(maxsplit=1)[-1].lstrip(_OPENERS + _UNSEEN).rstrip(_UNSEEN)


def _point_number(text: str, begin: int, at: int) -> tuple[int, int]:
    """A whole number of one or two digits just before `at`, and where it starts; (0, 0) if there is none."""
    first = at - 1
    while first > begin and at - first < 3 and text[first - 1].isdigit():
        first -= 1
    if first > begin and not text[first - 1].isspace():
        return 0, 0
    digits = text[first:at]
    return (int(digits), first) if digits.isascii() else (0, 0)


def _before_point(text: str, begin: int, first: int, number: int, point: int) -> int:
    """The end of what stands before a list point (`begin` if nothing); -1 if the number is no list point."""
    if first <= begin:
        return begin
    word = _word_before(
        text, begin, len(text[begin:first].rstrip()) + begin if first - begin < 80 else _back(text, first)
    )
    if number == 1 and word.endswith(":"):
        return begin
    if not point or number != point + 1 or word.lower() in load_words("abbreviations.txt", "value-words"):
        return -1
    return -1 if word.endswith((",", "/", "-", "–", "(")) or word[-1:].isdigit() else _back(text, first)


def _back(text: str, at: int) -> int:
    while at and text[at - 1].isspace():
        at -= 1
    return at


def _ends(text: str, begin: int, at: int, stop: int, following: int) -> bool:
    """Whether the run of marks `text[at:stop]` ends the sentence that began at `begin`."""
    char = text[following]
    if char in ",;:)]}/%" or (char in ".!…" and text[following + 1 : following + 2].isspace()):
        return False
    mark = text[at]
    marks = text[at:stop].rstrip(_CLOSERS + _UNSEEN)
    if mark in _FULL_WIDTH or (mark == "." and _is_leader(text, begin, at, marks, following)):
        return mark != "."
    if mark != "." or len(marks) > 1:
        # `?PE` and `? PE` mark a suspicion; a question or a pause ends only before a new beginning.
        alone = at == begin or text[at - 1].isspace()
        if alone and mark == "?":
            return False
        return not char.islower()
    word = _word_before(text, begin, at)
    if not word:
        return at > begin and not char.islower()
    return _word_ends(text, begin, at, following, word)


def _is_leader(text: str, begin: int, at: int, marks: str, following: int) -> bool:
    """Whether dots lead from a label to its value on the same line: `Sodium ..... 135`, `Sodium . . . . 135`."""
    if "\n" in text[at:following] or "\r" in text[at:following]:
        return False
    if len(marks) > 1:
        return marks.startswith(".....")
    return text[max(begin, at - 6) : at].endswith(". . . ")


def _word_ends(text: str, begin: int, at: int, following: int, word: str) -> bool:
    """Whether a single full stop at `at`, after `word`, ends the sentence."""
    char = text[following]
    kind = _kind(text, begin, at, following, word)
    if kind is None:
        return _unlisted_ends(text, at, following, word)
    if kind in ("title", "never") or (kind != "number" and at - len(word) <= begin):
        return False  # an abbreviation alone is no sentence; "No." is
    if char in _SYMBOLS or text.startswith("->", following):
        return False
    if kind in ("number", "month"):
        if word.lower() == "no" and char.islower():
            return not _counts(text, begin, at)
        return not (char.isdigit() or char in "#[_" or char.islower())
    if word.lower() in ("p.r.n", "prn") and _CONDITION.match(text, following):
        return False
    if kind == "clinical":
        return _next_word(text, following) in load_words("abbreviations.txt", "starters")
    return not (
        char.islower() or char.isdigit() or _next_word(text, following) in load_words("abbreviations.txt", "orders")
    )


def _unlisted_ends(text: str, at: int, following: int, word: str) -> bool:
    """The same after a word that is no known abbreviation."""
    gap = text[at + 1 : following]
    ends_line = "\n" in gap or "\r" in gap
    char = text[following]
    if ends_line and char.isdigit() and word[-1:].isdigit():
        # `... warfarin 2.` + `5 mg`: a wide line may break inside a number; a cut here would make another dose of it.
        return at - max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) < _WIDE_CHARS or not word.isdigit()
    if not char.islower() or ends_line:
        return True
    if len(word) <= _SHORT_WORD_CHARS and _next_word(text, following) in load_words("line_words.txt", "goes-on"):
        return False  # `dim. at bases`, `aum. de volume`
    return _is_full_word(word)


def _counts(text: str, begin: int, at: int) -> bool:
    """Whether the `no` that ends at `at` means a number: `use his no. instead`, but not `pain? no. she slept`."""
    before = _word_before(text, begin, _back(text, at - 2))
    return before.endswith(("'s", "’s")) or before.lower() in load_words("abbreviations.txt", "has-a-number")


def _kind(text: str, begin: int, at: int, following: int, word: str) -> _AbbreviationClass | None:
    kind = _abbreviations().get(word) or _abbreviations().get(word.lower()) or _kind_by_form(text, begin, at, word)
    if kind is None and ("-" in word or "/" in word):
        last = _abbreviations().get(re.split("[-/]", word)[-1].lower())  # `3x/sem.`, `end-exp.`
        kind = last if last in ("unit", "month", "closing") else None
    if (
        kind in ("title", "never", "clinical")
        and len(word) > 1
        and word.isalpha()
        and word.isupper()
        and word not in _TITLES
    ):
        # `has MS. He`, `to the ED. Then`: capitals are another word, unless the whole text is in capitals.
        return kind if _next_word(text, following).isupper() else None
    return kind


def _kind_by_form(text: str, begin: int, at: int, word: str) -> _AbbreviationClass | None:
    """Dotted forms (`p.o`, `U.S`) and initials (`J. Smith`) are abbreviations without being listed."""
    if len(word) == 1 and word.isalpha():
        before = _word_before(text, begin, _back(text, at - 1))
        return None if before.lower() in load_words("abbreviations.txt", "letter-nouns") else "clinical"
    if _ORDINAL.fullmatch(word) and (word[0].isdigit() or at - len(word) <= begin):
        return "closing"
    if "." in word and len(word) < 10 and _DOTTED.fullmatch(word):
        return "closing" if word.islower() else "clinical"
    return None


def _is_full_word(word: str) -> bool:
    """Whether a word can close a sentence before a lower-case one: long, a number, or with a vowel."""
    if len(word) <= 2 and word[:1].isupper():
        return False  # `An. funestus`
    return len(word) > 4 or not word.isalpha() or not _VOWELS.isdisjoint(word.lower())


def _next_word(text: str, at: int) -> str:
    words = text[at : at + _LOOK_BACK_CHARS].split(None, 1)
    return words[0].strip(_OPENERS + _CLOSERS + ".,;:!?") if words else ""


@cache
def _abbreviations() -> dict[str, _AbbreviationClass]:
    """Abbreviation (lower case unless listed otherwise) -> class. A trailing full stop in the list keeps it apart."""
    groups = load_groups("abbreviations.txt")
    return {word.rstrip("."): kind for kind in _CLASSES for line in groups[kind] for word in line.split()}
