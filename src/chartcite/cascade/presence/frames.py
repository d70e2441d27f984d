"""The frame of a question of presence: who asks, of whom, where to look. What remains is the thing.

`data/frames.toml` has the pieces: what stands before the question itself (*check whether*), adverbs (*ever*),
what stands behind it (*in the chart*), and the few shapes of the rest.
A question of any other shape is none of presence.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from chartcite.core.presence import About

MOST_WORDS = 30
"""A longer question has more than one frame; the patterns take longer, too, the more words there are."""
_PAIR = "\N{SYMBOL FOR UNIT SEPARATOR}"
"""Stands for *the patient or a relative* while the rest is read."""
_THERE_IS = re.compile(r"^there (is|was|are|were|has|have)\b", re.IGNORECASE)


def by_frame(text: str, lang: str) -> Iterator[tuple[About, str]]:
    """In what sense and of what a question without end mark and date may ask, likeliest first.

    Nothing if its frame is none of presence. The thing is as it stands, articles before it included.

    >>> next(by_frame("Please check whether gout is mentioned anywhere in the chart", "en"))
    ('thing', 'gout')
    >>> list(by_frame("Tell me the dose of metoprolol", "en"))
    []
    """
    if len(text.split()) > MOST_WORDS:
        return
    frames = _frames(lang)
    if (pair := frames.pair.search(text)) and (thing := _of_pair(text, pair, frames)):
        yield "own_or_family", thing
    for shorter in reversed(_shorter(text, frames)):
        for about, row in frames.rows:
            found = row.fullmatch(shorter)
            if found and _may_be_thing(found["x"].strip(), frames):
                yield about, found["x"]


def _may_be_thing(thing: str, frames: _Frames) -> bool:
    return not (frames.not_thing.search(thing) or frames.ends.search(thing) or frames.is_who.fullmatch(thing))


def may_be_thing(thing: str, lang: str) -> bool:
    """Whether no word of a thing shows that it is no name.

    >>> may_be_thing("asthma", "en"), may_be_thing("asthma controlled", "en")
    (True, False)
    """
    return _may_be_thing(thing, _frames(lang))


def is_loose(thing: str) -> bool:
    """Whether a word of the frame is left at either end of a thing, or nothing but a word that names no thing.

    >>> is_loose("history of gout"), is_loose("gout")
    (True, False)
    """
    return bool(_loose().search(thing))


@lru_cache(maxsize=1)
def _loose() -> re.Pattern[str]:
    data = _data()
    start, end, alone = data["loose_start"], data["loose_end"], data["no_thing"]
    return re.compile(rf"^(?:{start})\s|(?:\s|^)(?:{end})$|^(?:{alone})$", re.IGNORECASE)


def _data() -> Mapping[str, Any]:
    return tomllib.loads(files("chartcite.cascade.presence").joinpath("data/frames.toml").read_text("utf-8"))


def _shorter(text: str, frames: _Frames) -> list[str]:
    """The question without front and adverbs, then also without each piece of its end."""
    text = _again(frames.fronts, " ".join(frames.adverbs.sub(" ", text).split()).strip(" ,"))
    text = _THERE_IS.sub(r"\1 there", text)
    found = [text]
    while (less := frames.ends.sub("", text).strip(" ,:")) != text and less:
        found.append(less)
        text = less
    return found


def _again(pattern: re.Pattern[str], text: str) -> str:
    """`text` without what `pattern` finds at its start, as often as it finds something."""
    while (less := pattern.sub("", text).strip(" ,:")) != text and less:
        text = less
    return text


def _of_pair(text: str, pair: re.Match[str], frames: _Frames) -> str:
    """The thing of a question that names the patient and a relative: what no word of the frame is."""
    rest = f"{text[: pair.start()]} {_PAIR} {text[pair.end() :]}"
    sides = [_again(frames.fill_end, _again(frames.fill_start, side.strip(" ,:;"))) for side in rest.split(_PAIR)]
    named = [side for side in sides if side and not frames.fill.fullmatch(side)]
    return named[0] if len(named) == 1 and not frames.not_thing.search(named[0]) else ""


@dataclass(frozen=True, slots=True)
class _Frames:
    fronts: re.Pattern[str]
    adverbs: re.Pattern[str]
    ends: re.Pattern[str]
    not_thing: re.Pattern[str]
    is_who: re.Pattern[str]
    pair: re.Pattern[str]
    fill: re.Pattern[str]
    fill_start: re.Pattern[str]
    fill_end: re.Pattern[str]
    rows: tuple[tuple[About, re.Pattern[str]], ...]


@lru_cache(maxsize=2)
def _frames(lang: str) -> _Frames:
    data: Mapping[str, Any] = _data()[lang]
    words: Mapping[str, str] = data["words"]

    def made(pattern: str) -> re.Pattern[str]:
        while re.search(r"\{[a-z_]+\}", pattern):
            pattern = re.sub(r"\{([a-z_]+)\}", lambda m: words[m[1]], pattern)
        return re.compile(pattern, re.IGNORECASE)

    return _Frames(
        fronts=made(_any(data["fronts"], "^", "")), adverbs=made(rf"(?:(?<=\s)|^){data['anywhere']}(?=\s|,|$)\s*"),
        ends=made(_any(data["ends"], "", "$")), not_thing=made(rf"\b{data['not_thing']}(?!\w)"), is_who=made("{who}"),
        pair=made(data["pair"]), fill=made(rf"(?:(?:{data['fill']})(?:\s+|$))+"),
        fill_start=made(rf"^(?:{data['fill']})\s+"), fill_end=made(rf"\s+(?:{data['fill']})$"),
        rows=_rows(data["about"], made),
    )  # fmt: skip


def _any(patterns: list[str], before: str, after: str) -> str:
    return f"{before}(?:{'|'.join(patterns)}){after}"


def _rows(
    by_about: Mapping[About, list[str]], made: Callable[[str], re.Pattern[str]]
) -> tuple[tuple[About, re.Pattern[str]], ...]:
    return tuple((about, made(row)) for about, rows in by_about.items() for row in rows)
