"""Decides where a sentence ends inside a block of text. Knows neither lines nor sections."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from chartcite.text.around import CLOSERS, UNSEEN, crosses_line, is_small, skip_back, word_before
from chartcite.text.glued import FULL_WIDTH, glued_end
from chartcite.text.stops import word_ends
from chartcite.text.wordlists import load_words

# Runs are matched whole, so that no run is tried twice: a million full stops cost linear time.
_RUN = re.compile(rf"[.!?…。！？؟۔।]++[)\]}}\"'”’»{UNSEEN}]*+")


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
            stop = glued_end(text, begin, at, stop, end)
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
    word = word_before(
        text, begin, len(text[begin:first].rstrip()) + begin if first - begin < 80 else skip_back(text, first)
    )
    if number == 1 and word.endswith(":"):
        return begin
    if not point or number != point + 1 or word.lower() in load_words("abbreviations.txt", "value-words"):
        return -1
    return -1 if word.endswith((",", "/", "-", "–", "(")) or word[-1:].isdigit() else skip_back(text, first)


def _ends(text: str, begin: int, at: int, stop: int, following: int) -> bool:
    """Whether the run of marks `text[at:stop]` ends the sentence that began at `begin`."""
    char = text[following]
    if char in ",;:)]}/%" or (char in ".!…" and text[following + 1 : following + 2].isspace()):
        return False
    mark = text[at]
    marks = text[at:stop].rstrip(CLOSERS + UNSEEN)
    if mark in FULL_WIDTH or (mark == "." and _is_leader(text, begin, at, marks, following)):
        return mark != "."
    if mark != "." or len(marks) > 1:
        # `?PE` and `? PE` mark a suspicion; a question or a pause ends only before a new beginning.
        alone = at == begin or text[at - 1].isspace()
        if alone and mark == "?":
            return False
        # `no driving!` + `pt agrees`: what follows a call on a new line is another remark, an answer is not.
        return not is_small(text, following) or (mark == "!" and crosses_line(text, stop, following))
    word = word_before(text, begin, at)
    if not word:
        return at > begin and not is_small(text, following)
    return word_ends(text, begin, at, following, word)


def _is_leader(text: str, begin: int, at: int, marks: str, following: int) -> bool:
    """Whether dots lead from a label to its value on the same line: `Sodium ..... 135`, `Sodium . . . . 135`."""
    if crosses_line(text, at, following):
        return False
    if len(marks) > 1:
        return marks.startswith(".....")
    return text[max(begin, at - 6) : at].endswith(". . . ")
