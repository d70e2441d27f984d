"""Decides whether a single full stop after a word ends a sentence: classes of abbreviations, and what may follow."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from chartcite.text.around import crosses_line, is_small, next_word, skip_back, word_before
from chartcite.text.wordlists import load_groups, load_words

_DOTTED = re.compile(r"[^\W\d_](?:\.[^\W_]{1,3})+")
_ORDINAL = re.compile(r"[0-9]+[ºªoa°]|[IVX]{2,5}")  # `no 5o. dia`, `II. Fase`
_CONDITION = re.compile(r"[^\W\d_]{1,5} ?[<>≤≥]")  # `p.r.n. T > 38`
_SYMBOLS = "=<>≤≥→"  # no statement begins with one; `->` and `=>` neither
_TITLES = ("DR", "DRA", "MRS", "PROF", "SRA")
_VOWELS = frozenset("aeiouyáéíóúâêôãõà")
_BEFORE_A_NOUN = frozenset(("w/", "c/", "showed", "shows", "got", "were", "tem", "teve"))
_TIMES = frozenset(("mo", "mos", "wk", "wks", "sem", "yr", "yrs"))
_REST_OF_NUMBER = re.compile(r"[0-9]{1,2} ?(?:[a-zµ%]|$)")
_SHORT_WORD_CHARS = 5
# A line from here on may have been broken by an editor.
_WIDE_CHARS = 45

AbbreviationClass = Literal["title", "never", "number", "month", "unit", "closing", "clinical"]
_CLASSES: tuple[AbbreviationClass, ...] = ("clinical", "closing", "month", "number", "unit", "never", "title")


def word_ends(text: str, begin: int, at: int, following: int, word: str) -> bool:
    """Say whether a single full stop at `at`, after `word`, ends the sentence that began at `begin`.

    `following` is where the next word starts.
    """
    kind = _kind(text, begin, at, following, word)
    if kind is None:
        return _unlisted_ends(text, at, following, word)
    if kind in ("title", "never") or (kind != "number" and at - len(word) <= begin):
        return False  # an abbreviation alone is no sentence; "No." is
    if text[following] in _SYMBOLS or text.startswith("->", following):
        return False
    if kind in ("number", "month"):
        return _number_ends(text, begin, at, following, word)
    return _abbreviated_ends(text, begin, at, following, word, kind)


def _number_ends(text: str, begin: int, at: int, following: int, word: str) -> bool:
    """The same after `no.`, `Feb.` and their like, which a number or the rest of the sentence may follow."""
    char = text[following]
    if word.lower() == "no" and is_small(text, following):
        return not _counts(text, begin, at)
    return not (char.isdigit() or char in "#[_" or is_small(text, following))


def _abbreviated_ends(text: str, begin: int, at: int, following: int, word: str, kind: AbbreviationClass) -> bool:
    """The same after an abbreviation that may stand at the end of a sentence or inside one."""
    if word.lower() in ("p.r.n", "prn") and _CONDITION.match(text, following):
        return False
    if kind == "clinical":
        return next_word(text, following) in load_words("abbreviations.txt", "starters")
    if is_small(text, following):
        return _small_ends(text, begin, at, following, word, kind)
    return not text[following].isdigit() and next_word(text, following) not in load_words("abbreviations.txt", "orders")


def _small_ends(text: str, begin: int, at: int, following: int, word: str, kind: AbbreviationClass) -> bool:
    """The same before a lower-case word: as a rule not, but `lipase neg. lfts nl.` are two findings."""
    after = next_word(text, following)
    if word.lower() not in load_words("abbreviations.txt", "findings"):
        return kind == "unit" and after in load_words("abbreviations.txt", "advice")
    before = word_before(text, begin, skip_back(text, at - len(word))).lower()
    goes_on = after in load_words("line_words.txt", "open-start") or after in load_words("line_words.txt", "goes-on")
    return not goes_on and before not in load_words("line_words.txt", "open-end") and before not in _BEFORE_A_NOUN


def _unlisted_ends(text: str, at: int, following: int, word: str) -> bool:
    """The same after a word that is no known abbreviation."""
    ends_line = crosses_line(text, at + 1, following)
    if ends_line and word.isdigit() and len(word) < 4 and _REST_OF_NUMBER.match(text, following):
        # `... warfarin 2.` + `5 mg`: a wide line may break inside a number, and a cut would make another dose of it.
        return crosses_line(text, max(0, at - _WIDE_CHARS), at) or at < _WIDE_CHARS
    if not is_small(text, following) or ends_line:
        return True
    if len(word.rsplit("/", 1)[-1]) <= _SHORT_WORD_CHARS and next_word(text, following) in load_words(
        "line_words.txt", "goes-on"
    ):
        return False  # `dim. at bases`, `aum. de volume`
    return _is_full_word(word)


def _counts(text: str, begin: int, at: int) -> bool:
    """Whether the `no` that ends at `at` means a number: `use his no. instead`, but not `pain? no. she slept`."""
    before = word_before(text, begin, skip_back(text, at - 2))
    return before.endswith(("'s", "’s")) or before.lower() in load_words("abbreviations.txt", "has-a-number")


def _kind(text: str, begin: int, at: int, following: int, word: str) -> AbbreviationClass | None:
    kind = abbreviations().get(word) or abbreviations().get(word.lower()) or _kind_by_form(text, begin, at, word)
    if kind is None and ("-" in word or "/" in word):
        last = re.split("[-/]", word)[-1].lower()  # `6-mm. polyp`, `3x/sem.`; but `8 mg/dL. slept` are two
        part = abbreviations().get(last)
        kind = part if last in _TIMES or ("/" not in word and part in ("unit", "month", "closing")) else None
    if (
        kind in ("title", "never", "clinical")
        and len(word) > 1
        and word.isalpha()
        and word.isupper()
        and word not in _TITLES
    ):
        # `has MS. He`, `to the ED. Then`: capitals are another word, unless the whole text is in capitals.
        return kind if next_word(text, following).isupper() else None
    return kind


def _kind_by_form(text: str, begin: int, at: int, word: str) -> AbbreviationClass | None:
    """Dotted forms (`p.o`, `U.S`) and initials (`J. Smith`) are abbreviations without being listed."""
    if len(word) == 1 and word.isalpha():
        before = word_before(text, begin, skip_back(text, at - 1))
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


@cache
def abbreviations() -> dict[str, AbbreviationClass]:
    """Return abbreviation (lower case unless listed otherwise) -> class; a full stop behind one keeps it apart."""
    groups = load_groups("abbreviations.txt")
    return {word.rstrip("."): kind for kind in _CLASSES for line in groups[kind] for word in line.split()}
