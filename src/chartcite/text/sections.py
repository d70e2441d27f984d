"""Finds the headers of a clinical text and how they nest. Does not know sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from chartcite.text.language import detect
from chartcite.text.lines import Line
from chartcite.text.wordlists import load_groups, load_words

# Ranks: Markdown's own levels 1 to 6; then headers of plain notes; then headers inside those (`Lungs` in an exam).
_MAJOR, _MINOR = 7, 8
_LONGEST_CHARS = 80
_LONGEST_WORDS = 9

_MARKDOWN = re.compile(r"(#{1,6})[ \t]+(?=\S)")
_UNDERLINE = re.compile(r"={3,}|-{3,}")
_PARENTHESIS = re.compile(r"\([^()]*\)\s*$")
_NUMBERING = re.compile(r"(?:[0-9]{1,2}|[IVX]{1,4})[.)]\s+")
_DIGIT = re.compile(r"\d")
_MASK = re.compile(r"\[\*\*[^\[\]*]*\*\*\]|_{3,}")
_TRAILING = re.compile(r"\s+(?:at|in|of|for|by|from|to|the|na|no|da|do|de|em|para|[àa])(?=\s*\Z)", re.IGNORECASE)
_FRAMED = re.compile(
    r"(?P<open>={2,}|\*{3,}|_{2,}|~{2,}|\[)\s*(?P<title>[^\W_][^\n]{0,60}?)\s*(?P<close>={2,}|\*{3,}|_{2,}|~{2,}|\]):?"
)
_SOAP = re.compile(r"(?P<letter>[SOAP]|A\s?/\s?P)\s*(?:[:>)]|\Z)")
_QUESTION = re.compile(r"(?:Q|Pergunta|P):\s.*\?\Z")
_TERMINAL = (".", "!", "?", ";", ",")


class Header(NamedTuple):
    """A header: `text[start:end]`, its `title` without marks and colon, and its depth (`rank`, 1 is outermost).

    `line` is the index of its line, `last_line` that of its underline, else the same.
    """

    start: int
    end: int
    title: str
    rank: int
    line: int
    last_line: int


def find_headers(text: str, lines: Sequence[Line]) -> list[Header]:
    """Return the headers in order; each is a whole line, or the part of a line up to its colon."""
    shouted = _is_shouted(text)
    letters = _soap_letters(text, lines)
    headers: list[Header] = []
    hash_is_top: bool | None = None
    skip = -1
    for index, line in enumerate(lines):
        if index == skip:
            continue
        content = text[line.start : line.end]
        found = _soap_header(content, letters) or _header_of(content, text, lines, index, shouted)
        below = _underline_below(text, lines, index)
        if found is None and below and _can_be_underlined(content):
            found = (len(content), content.rstrip(": "), 1 if below == "=" else 2)
        if found is None:
            continue
        length, title, rank = found
        if hash_is_top is None:
            hash_is_top = rank < _MAJOR
        if rank < _MAJOR and not hash_is_top:
            rank += _MINOR  # `# CHF` is a point of a problem list in a note whose headers are plain
        whole = line.start + length == line.end
        skip = index + 1 if below and whole else -1
        end = lines[skip].end if skip > 0 else line.start + length
        headers.append(Header(line.start, end, title, rank, index, max(index, skip)))
    return headers


class SectionPath:
    """The path of headers above the place reached so far."""

    def __init__(self) -> None:
        self._open: list[Header] = []
        self.path: tuple[str, ...] = ()

    def enter(self, header: Header) -> None:
        """Close what the header ends, and open it."""
        while self._open and self._open[-1].rank >= header.rank:
            self._open.pop()
        self._open.append(header)
        self.path = tuple(header.title for header in self._open)


_Found = tuple[int, str, int]  # length of the header in its line, title, rank


def _header_of(content: str, text: str, lines: Sequence[Line], index: int, shouted: bool) -> _Found | None:
    """Say whether a line is, or starts with, a header."""
    first = content[0]
    if first == "#":
        return _markdown_header(content)
    if first in "*=_~[" and len(content) <= _LONGEST_CHARS and not content.startswith("[**"):
        framed = _framed_header(content)
        if framed is not None or first != "*":
            return framed
    if first == "*":
        return _bold_header(content)
    is_masked = content.startswith("[**")
    colon = content.find(":", 0, _LONGEST_CHARS)
    if colon > 0 and (first.isalpha() or first.isdigit() or is_masked):
        return _colon_header(content, colon, text, lines, index)
    if len(content) <= _LONGEST_CHARS and (first.isupper() or first.isdigit() or is_masked):
        return _bare_header(content, text, lines, index, shouted)
    return None


def _soap_letters(text: str, lines: Sequence[Line]) -> frozenset[str]:
    """The letters that head sections, of a note that has both `S` and `O`, and an assessment or a plan."""
    found: set[str] = set()
    for line in lines:
        if line.end - line.start < 3 or text[line.start] in "SOAP":
            mark = _SOAP.match(text, line.start, line.end)
            if mark is not None:
                found.add(mark["letter"].replace(" ", ""))
    return frozenset(found) if {"S", "O"} <= found and not found.isdisjoint({"A", "P", "A/P"}) else frozenset()


def _soap_header(content: str, letters: frozenset[str]) -> _Found | None:
    """`S> no events`, or a letter alone on its line; letters with a colon are known anyway."""
    mark = _SOAP.match(content) if letters else None
    if mark is None or mark["letter"].replace(" ", "") not in letters or content[mark.end() - 1] == ":":
        return None
    if mark.end() < len(content) and content[mark.end()] not in " \t":
        return None
    return mark.end(), mark["letter"], _MAJOR


def _framed_header(content: str) -> _Found | None:
    """`== Plan ==`, `*** ALLERGIES ***`, `__Retorno__`; in square brackets only a known header."""
    framed = _FRAMED.fullmatch(content)
    if framed is None or framed["close"][0] != {"[": "]"}.get(framed["open"][0], framed["open"][0]):
        return None
    title = framed["title"].rstrip(": ")
    known = _known_rank(title, alone=True)
    is_name = not (framed["open"] == "[" or _DIGIT.search(title) or title.endswith(_TERMINAL))
    if known is None and not (is_name and len(title.split()) <= _LONGEST_WORDS):
        return None
    return len(content), title, known or _MAJOR


def _markdown_header(content: str) -> _Found | None:
    mark = _MARKDOWN.match(content)
    if mark is None or len(content) > 2 * _LONGEST_CHARS:
        return None
    title = content[mark.end() :].rstrip("# ")
    level = len(mark[1])
    if not title:
        return None
    colon = title.find(":")
    if 0 < colon < len(title) - 1 and title[colon + 1] == " ":
        return mark.end() + colon + 1, title[:colon].strip("* "), level
    if len(title.split()) > _LONGEST_WORDS + 3 or title.endswith((".", ";", ",")):
        return None
    return len(content), title.strip("*: "), level


def _bold_header(content: str) -> _Found | None:
    """`**Plan**` or `**Plan:** text`: bold words that are a known header, or stand alone with a colon."""
    close = content.find("**", 2, _LONGEST_CHARS)
    if not content.startswith("**") or close < 3:
        return None
    title = content[2:close].strip()
    end = close + 2
    if content[end : end + 1] == ":":
        end += 1
    known = _known_rank(title.rstrip(":"), alone=end == len(content))
    if known is None and (end < len(content) or not title or title.endswith(_TERMINAL)):
        return None
    return end, title.rstrip(": "), known or _MINOR


def _colon_header(content: str, colon: int, text: str, lines: Sequence[Line], index: int) -> _Found | None:
    name = content[:colon].rstrip()
    rest = content[colon + 1 :]
    alone = not rest.strip()
    if not alone and content[colon + 1 : colon + 2] not in (" ", "\t", "[") and not name.isupper():
        return None  # `pH:7` and `http://` are no headers
    if len(name) == 1 and rest.lstrip()[:1].isdigit():
        return None  # `P: 88` is a pulse, `P: stop heparin` a plan
    rank = _known_rank(name, alone=alone)
    if rank is None and name in load_words("section_headers.txt", "portuguese") and detect(text) == "pt":
        rank = _MAJOR
    if name == "A" and index and _QUESTION.match(text, lines[index - 1].start, lines[index - 1].end):
        rank = None
    if rank is not None:
        # Only a name alone is worth a digit in front: `1. Plan:` heads a section, `1. Plan: rest` is a list item.
        return (colon + 1, _plain_title(name), rank) if alone or not name[0].isdigit() else None
    if alone:
        return _unknown_alone(name, colon, text, lines, index)
    bare = _MASK.sub(" ", name)
    is_long = len(bare.split()) > 1 and len(bare) > 9
    if bare.isupper() and is_long and _is_caps_title(bare) and len(rest.split()) > 4:
        return colon + 1, name, _MAJOR
    return None


def _unknown_alone(name: str, colon: int, text: str, lines: Sequence[Line], index: int) -> _Found | None:
    """`Xyz abc:` alone on its line, unless it is the start of a sentence that a list completes."""
    bare = _MASK.sub(" ", name).strip()
    # `1. HYPERTENSION:` stays an item: a diagnosis that stands nowhere else must be evidence.
    if index + 1 >= len(lines) or not bare[:1].isupper() or _DIGIT.search(bare):
        return None
    if bare.isupper():
        return (colon + 1, name, _MAJOR) if _is_caps_title(bare) else None
    words = name.lower().split()
    if len(words) > 5 or words[0] in load_words("line_words.txt", "sentence-start"):
        return None
    if not load_words("line_words.txt", "sentence-verb").isdisjoint(words):
        return None
    if not lines[index].gap and index and _runs_on(text[lines[index - 1].start : lines[index - 1].end]):
        return None
    return colon + 1, name, _MINOR


def _bare_header(content: str, text: str, lines: Sequence[Line], index: int, shouted: bool) -> _Found | None:
    """A line without a colon: a known header, or a line of capitals that stands apart."""
    if content.endswith(_TERMINAL) or len(content.split()) > _LONGEST_WORDS:
        return None
    rank = _known_rank(content, alone=True)
    line = lines[index]
    upper = content.isupper()
    follows_break = line.gap or index == 0 or not _runs_on(text[lines[index - 1].start : lines[index - 1].end])
    if rank is not None:
        # Without colon and capitals, one letter or a word like `Back` needs a line to itself and a text below.
        sure = upper or len(content.split()) > 1 or line.gap
        sure = sure or (rank == _MAJOR and len(content) > 3 and index > 0 and _is_ended(text, lines[index - 1]))
        return (len(content), _plain_title(content), rank) if sure and len(content) > 2 and follows_break else None
    if not upper or shouted or index + 1 >= len(lines) or not _is_caps_title(content):
        return None
    if not (line.gap or index == 0) or _is_row_like(content):
        return None
    return len(content), content, _MAJOR


def _is_ended(text: str, line: Line) -> bool:
    return text[line.end - 1] in ".!?"


def _is_caps_title(name: str) -> bool:
    """Capitals that name something: no numbers, no finding, more than a short code."""
    words = name.split()
    if len(words) > _LONGEST_WORDS or _DIGIT.search(name):
        return False
    if words[0].lower() in load_words("line_words.txt", "not-caps-header"):
        return False
    letters = sum(map(str.isalpha, name))
    return letters > 3 and letters >= 0.6 * len(name) and (len(words) > 1 or letters > 5 or name.endswith(":"))


def _is_row_like(content: str) -> bool:
    return "  " in content or "\t" in content or "|" in content


def _runs_on(previous: str) -> bool:
    """Whether a line before stops in the middle of a sentence, judged by its last word only."""
    last = previous.rsplit(None, 1)[-1].lower()
    return last in load_words("line_words.txt", "open-end") or previous.endswith(",")


def _underline_below(text: str, lines: Sequence[Line], index: int) -> str:
    if index + 1 >= len(lines) or lines[index + 1].gap:
        return ""
    start, end = lines[index + 1].start, lines[index + 1].end
    if text[start] not in "=-" or end - start < 3:
        return ""
    return text[start] if _UNDERLINE.fullmatch(text, start, end) else ""


def _can_be_underlined(content: str) -> bool:
    return (
        len(content) <= _LONGEST_CHARS
        and content[0].isalpha()
        and not content.endswith(_TERMINAL)
        and not _is_row_like(content)
        and ": " not in content
    )


def _is_shouted(text: str) -> bool:
    """Whether most of the text is in capitals, so that capitals say nothing about headers."""
    sample = text[:20_000]
    lower = sum(map(str.islower, sample))
    return lower < 0.4 * sum(map(str.isalpha, sample))


def _plain_title(name: str) -> str:
    return _NUMBERING.sub("", name, count=1).strip(" :*") or name


def _known_rank(name: str, *, alone: bool) -> int | None:
    """The rank of a listed header, or None. `alone`: nothing else on its line."""
    if not name or len(name) > _LONGEST_CHARS:
        return None
    known = _known()
    key = _key(name)
    rank = known.get(key)
    if rank is None and ("[**" in name or "___" in name):
        key = _key(_TRAILING.sub("", _TRAILING.sub("", _MASK.sub(" ", name).strip())))
        rank = known.get(key)
    if rank is None and ("(" in name or name[0].isdigit() or name[0] in "IVX"):
        key = _key(_NUMBERING.sub("", _PARENTHESIS.sub("", name), count=1))
        rank = known.get(key)
    if rank is None:
        rank = _MAJOR if _bare_key(key) in known else None
        # "Home: two children" is not the header "Home ...": what is left must be a header of the first list.
        if rank is not None and known[_bare_key(key)] != _MAJOR:
            rank = None
    if rank == _MINOR and not alone:
        return None
    return rank


@cache
def _known() -> dict[str, int]:
    groups = load_groups("section_headers.txt")
    known = {_key(name): _MINOR for name in groups["alone"]}
    return known | {_key(name): _MAJOR for name in groups["inline"]}


@cache
def _affixes() -> tuple[tuple[str, ...], tuple[str, ...]]:
    groups = load_groups("section_headers.txt")
    before = tuple(_key(word) + " " for word in groups["before"])
    return before, tuple(" " + _key(phrase) for phrase in groups["after"])


def _bare_key(key: str) -> str:
    """The header without one leading and one trailing word group (`discharge medications`, `labs on admission`)."""
    before, after = _affixes()
    for phrase in after:
        key = key.removesuffix(phrase)
    for word in before:
        if key.startswith(word):
            return key[len(word) :]
    return key


def _key(name: str) -> str:
    folded = name.lower() if name.isascii() else _fold(name)
    return " ".join(folded.replace("&", " and ").replace("/", " / ").split())


def _fold(name: str) -> str:
    plain = unicodedata.normalize("NFD", name.casefold())
    return "".join(char for char in plain if not unicodedata.combining(char))
