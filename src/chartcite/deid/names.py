"""Names of patients, relatives and clinicians: by what stands beside them, by the record's own names, by lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from chartcite.deid import name_cues as cues
from chartcite.deid.name_reader import INITIALS, WORD, Trust, is_listed, read_name
from chartcite.deid.small_names import find_small_names
from chartcite.deid.vocabulary import eponyms, first_names, is_word, surnames
from chartcite.text.folding import fold

_WORD = re.compile(rf"(?<![\w'’.-]){WORD}(?![\w])|(?<=[A-ZÀ-Þ]\.){WORD}(?![\w])|(?<=[.'’-]){WORD}(?![\w])")
_LISTED = re.compile(
    r"[ ]*(?:,|;|/|&|\band\b|\be\b|\bou\b|\bor\b)[ ]*(?:and[ ]|e[ ])?(?:Drs?\.?[ ]|Dra\.?[ ]|Enf\.?[ ])?"
)
_COMMA = re.compile(r",[ ]{1,2}(?=[A-ZÀ-Þ])")
_INITIALLED = re.compile(rf"(?<![\w./])(?P<n>{INITIALS}[ ]?{WORD}(?:-{WORD})?)")
_TRAILING_INITIAL = re.compile(
    r"[ ][A-Z]\b(?!['’.\w-])(?=[ ]*(?:[,;)|]|$|\n))|,?[ ][A-Z]\.(?=[ ]*(?:[,;)|]|$|\n|[ ]{2}))"
)
_LEADING_INITIALS = re.compile(rf"(?:(?<![\w.]){INITIALS}|(?<![\w.'’-])[A-Z])[ ]?$")
_CAPS_PAIR = re.compile(
    r"(?<![\w'’-])(?P<a>[A-ZÀ-Þ]{3,}(?:[-'’][A-ZÀ-Þ]+)?)(?P<sep>,?[ "
    r"])(?P<b>[A-ZÀ-Þ]{3,}(?:[-'’][A-ZÀ-Þ]+)?)(?![\w'’-])"
)


@dataclass(frozen=True, slots=True)
class KnownNames:
    """What a record itself says of names.

    Attributes:
        names: folded words that are names wherever they stand, in capitals or small letters.
        lower: folded words that the record also writes in small letters, which are no names without a cue.
    """

    names: frozenset[str] = field(default_factory=frozenset)
    lower: frozenset[str] = field(default_factory=frozenset)


class FoundName(NamedTuple):
    """A name's place, and whether something beside it, and not a list alone, says that it is one."""

    start: int
    end: int
    is_cued: bool


def find_names(text: str, known: KnownNames) -> Iterator[FoundName]:
    """Every name; overlaps are the caller's business."""
    yield from _cued(text)
    yield from _known(text, known)
    yield from _listed(text, known)
    for start, end in find_small_names(text, known.names):
        yield FoundName(start, end, is_cued=False)


def _cued(text: str) -> Iterator[FoundName]:
    for pattern, trust in (
        (cues.TITLE, "title"), (cues.LABEL, "cue"), (cues.RELATION, "cue"), (cues.PROFESSION, "cue"),
        (cues.TITLED_BRACKET, "title"), (cues.SALUTATION, "cue"), (cues.SLASHED, "cue"), (cues.CALLED, "cue"),
        (cues.WEAK, "list"),
    ):  # fmt: skip
        for cue in pattern.finditer(text):
            yield from _series(text, cue.end(), trust, upper=pattern in (cues.LABEL, cues.TITLE))  # type: ignore[arg-type]
    yield from _before_degree(text)
    for pattern in (cues.HEADER_LINE, cues.IS_OF_AGE, cues.RELATION_AFTER):
        for found in pattern.finditer(text):
            group = "n" if found["n"] else "n2"
            start, end = found.span(group)
            if _is_persons(text[start:end], upper=pattern is cues.HEADER_LINE):
                yield FoundName(start, end, is_cued=True)
    for found in cues.BRACKETED.finditer(text):
        words = re.findall(WORD, found["n"])
        if not is_word(words[0]) and (_is_first(words[0]) or any(map(is_listed, words))):
            yield FoundName(*found.span("n"), is_cued=True)
    for found in _INITIALLED.finditer(text):
        words = re.findall(WORD, found["n"])
        if not is_word(words[-1]) and not words[-1].isupper() and not cues.AFTER_EPONYM.match(text, found.end()):
            yield FoundName(*found.span("n"), is_cued=True)


def _series(text: str, start: int, trust: Trust, *, upper: bool) -> Iterator[FoundName]:
    """A name and those that follow it after a comma or `and`, where they are listed names; also `SURNAME, First`."""
    end = _read(text, start, trust, upper=upper)
    if end == start:
        return
    before = text[max(0, start - 24) : start]
    if trust == "list" and (cues.AFTER_EPONYM.match(text, end) or cues.BEFORE_EPONYM.search(before)):
        return
    comma = _COMMA.match(text, end)
    if comma and trust == "cue" and " " not in text[start:end]:
        rest = read_name(text, comma.end(), "cue", upper=upper)
        word = text[comma.end() : rest]
        if (
            rest > comma.end()
            and (not word.isupper() or upper)
            and (is_listed(word.split()[0]) or _is_first(word.split()[0]) or upper)
        ):
            end = rest
    yield FoundName(start, end, is_cued=trust != "list" or is_listed(text[start:end].rsplit(maxsplit=1)[-1]))
    while follows := _LISTED.match(text, end):
        start = follows.end()
        end = read_name(text, start, "list")
        if end == start or (
            not _is_first(text[start:end].split(maxsplit=1)[0])
            and not is_listed(text[start:end].rsplit(maxsplit=1)[-1])
        ):
            return
        yield FoundName(start, end, is_cued=trust != "list")


def _read(text: str, start: int, trust: Trust, *, upper: bool) -> int:
    end = read_name(text, start, trust, upper=upper)
    initial = _TRAILING_INITIAL.match(text, end) if end > start else None
    return initial.end() if initial else end


def _before_degree(text: str) -> Iterator[FoundName]:
    for degree in cues.DEGREE.finditer(text):
        line = text.rfind("\n", 0, degree.start()) + 1
        before = cues.NAME_BEFORE.search(text, max(line, degree.start() - 60), degree.start())
        if before is None:
            continue
        start = before.start()
        while start < degree.start():  # leave words out that begin the sentence
            word = re.match(WORD, text[start : degree.start()])
            if word is None or not is_word(word.group()) or is_listed(word.group()):
                break
            start += word.end()
            start += len(text[start : degree.start()]) - len(text[start : degree.start()].lstrip(" ,"))
        name = text[start : degree.start()]
        words = re.findall(WORD, name)
        if (
            words
            and not is_word(words[-1])
            and not (words[-1].isupper() and len(words[-1]) < 4)
            and not any(c.isdigit() for c in name)
        ):
            yield FoundName(start, degree.start(), is_cued=True)


def _is_persons(name: str, *, upper: bool) -> bool:
    """Whether the words of a header line are a person's: none is a known word, and a list has one or it has a comma."""
    words = [word for word in re.findall(WORD, name) if len(word) > 1]
    if not words or any(is_word(word) and not _is_first(word) for word in words):
        return False
    if all(word.isupper() for word in words) and not upper:
        return False
    return len(words) > 1 or is_listed(words[0]) or _is_first(words[0]) or "," in name or len(words[0]) > 5


def _is_first(word: str) -> bool:
    return fold(word) in first_names()


def _known(text: str, known: KnownNames) -> Iterator[FoundName]:
    if not known.names:
        return
    for found in re.finditer(r"[^\W\d_]+", text):
        word = found.group()
        if word[0].isupper() and fold(word) in known.names and (len(word) > 3 or not word.isupper()):
            start, end = found.span()
            lead = _LEADING_INITIALS.search(text, max(0, start - 8), start)
            trail = _TRAILING_INITIAL.match(text, end)
            yield FoundName(lead.start() if lead else start, trail.end() if trail else end, is_cued=False)


def _listed(text: str, known: KnownNames) -> Iterator[FoundName]:
    """Names that only the lists know: a first name with a word after it, or an unmistakable name alone."""
    for pair in _CAPS_PAIR.finditer(text):
        a, b = fold(pair["a"]), fold(pair["b"])
        one_each = (a in first_names() and b in surnames()) or (a in surnames() and b in first_names())
        if one_each and not is_word(a) and not is_word(b):
            yield FoundName(*pair.span(), is_cued=False)
    for found in _WORD.finditer(text):
        word = found.group()
        if word.isupper() or is_word(word) or len(word) < 3:
            continue
        if cues.AFTER_EPONYM.match(text, found.end()) or cues.BEFORE_EPONYM.search(
            text[max(0, found.start() - 24) : found.start()]
        ):
            continue
        end = read_name(text, found.start(), "cue")
        full = text[found.start() : end]
        sex, strong = first_names().get(fold(word.split("-")[0]), ("", False))
        last = full.split()[-1]
        if (
            sex
            and " " in full
            and (strong or is_listed(last) or _is_first(full.split()[1]))
            and not cues.AFTER_EPONYM.match(text, end)
        ):
            yield FoundName(found.start(), end, is_cued=False)
        elif _stands_alone(word, known) or (
            sex and fold(word) not in eponyms() and cues.SPEAKS.match(text, found.end())
        ):
            yield FoundName(*found.span(), is_cued=False)
        elif (
            is_listed(word)
            and (comma := _COMMA.match(text, found.end()))
            and _is_first(first := text[comma.end() : read_name(text, comma.end(), "cue")].split(" ", maxsplit=1)[0])
            and not is_word(first)
        ):
            yield FoundName(found.start(), read_name(text, comma.end(), "cue"), is_cued=False)


def _stands_alone(word: str, known: KnownNames) -> bool:
    folded = fold(word)
    return is_listed(word) and folded not in eponyms() and folded not in known.lower
