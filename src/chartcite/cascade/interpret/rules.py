"""Interpretation by rules: the question itself when it is short, else its asking sentence cut to content words.

It adds no word of its own, so it can add no diagnosis, and the query takes none away that it has room for.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from chartcite.core.answer import Interpretation, QuestionKind
from chartcite.facts.dates import find_dates
from chartcite.text.sentences import split_sentences

MAX_QUERY_WORDS = 15
_ISO_DATE = re.compile(r"\d{4}(?:-\d\d){0,2}")
_YEAR = re.compile(r"\b(?:in|during|of|for|since|from|by|after|before|until|till|between|and|to) ((?:19|20)\d\d)\b")
_OPEN = re.compile(
    r"\b(?:since|from|by|after|before|until|till|between|through|prior to|up to|as of)\s+(?:the\s+)?$", re.IGNORECASE
)
_WORD = re.compile(r"[^\W_](?:[\w.'’/%+-]*[\w%+])?", re.UNICODE)


@dataclass(frozen=True, slots=True)
class _Cues:
    latest: re.Pattern[str]
    first: re.Pattern[str]
    absence: re.Pattern[str]
    number: re.Pattern[str]
    preamble: re.Pattern[str]
    named: re.Pattern[str]
    generic: frozenset[str]


def interpret(question: str, narrative: str = "") -> Interpretation:
    """What a question asks for. `narrative` is the longer story around it, if there is one."""
    cues = _cues()
    asked, others = _asking(question.strip() or narrative.strip())
    period, dated, is_open = _period(asked)
    low = " ".join(asked.lower().split())
    named = cues.named.match(asked)
    words = _WORD.findall(_without(_without(asked, dated), named.span("name") if named else None).lower())
    query = asked if len(asked.split()) <= MAX_QUERY_WORDS else _content_words(asked, cues)
    focus = tuple(dict.fromkeys(w for w in words if w not in cues.generic))
    story = _content_words(narrative, cues) if narrative.strip() and question.strip() else ""
    return Interpretation(query, _kind(low, cues), focus, bool(cues.number.search(low)), period, is_open, story, others)


def _asking(text: str) -> tuple[str, int]:
    """The sentence that asks, without greeting or preamble; and how many others ask too."""
    sentences = [" ".join(text[s.start : s.end].split()) for s in split_sentences(text)]
    asking = [s for s in sentences if s.endswith("?")] or sentences[:1] or [text]
    chosen = asking[-1]
    while True:
        shorter = _cues().preamble.sub("", chosen, count=1).lstrip(" ,:;-")
        if shorter == chosen or not shorter:
            break
        chosen = shorter
    bare = chosen.strip().strip("\"“”'").rstrip("?!. ")
    return " ".join((bare or text).split()), len(asking) - 1


def _period(asked: str) -> tuple[str, tuple[int, int] | None, bool]:
    """The day, month or year that a question asks about, as the start of an ISO date; where it stands; if it is open.

    `since 2015` or `before March 2019` begin or end a range: no period, and the caller says so.
    """
    found = next(((s, e, form) for s, e, form in find_dates(asked) if _ISO_DATE.fullmatch(form)), None)
    if found is None:
        year = _YEAR.search(asked)
        found = (*year.span(1), year[1]) if year else None
    if found is None:
        return "", None, False
    start, end, form = found
    is_open = bool(_OPEN.search(asked[:start]))
    return ("" if is_open else form), (start, end), is_open


def _without(text: str, span: tuple[int, int] | None) -> str:
    """The text with a span blanked."""
    return text if span is None else text[: span[0]] + " " * (span[1] - span[0]) + text[span[1] :]


def _content_words(text: str, cues: _Cues) -> str:
    words = [w for w in _WORD.findall(text) if w.lower() not in cues.generic]
    return " ".join(list(dict.fromkeys(words or _WORD.findall(text)))[:MAX_QUERY_WORDS])


def _kind(low: str, cues: _Cues) -> QuestionKind:
    if cues.latest.search(low):
        return "latest"
    if cues.first.search(low):
        return "first"
    return "absence" if cues.absence.search(low) else "fact"


@lru_cache(maxsize=1)
def _cues() -> _Cues:
    data: dict[str, Any] = tomllib.loads(
        files("chartcite.cascade.interpret").joinpath("data/en.toml").read_text("utf-8")
    )

    def pattern(words: list[str], patterns: list[str]) -> re.Pattern[str]:
        parts = [rf"\b{re.escape(w)}\b" for w in words]
        return re.compile("|".join(parts + patterns))

    return _Cues(
        latest=pattern(data["latest"], data["latest_patterns"]),
        first=pattern(data["first"], data["first_patterns"]),
        absence=pattern([], data["absence_patterns"]),
        number=pattern(data["number"] + data["when"], []),
        # `Does Walter have`: a name stands in every note's head and is not what is asked for. Only before these verbs,
        # since `Has Warfarin been stopped` asks for warfarin; and only the focus leaves it out, never the query.
        named=re.compile(
            r"(?:Does|Did|Has|Had|Is|Was)(?P<name>(?: (?:Mr|Mrs|Ms|Dr|Miss)\.?)?(?: [A-Z][a-zà-ÿ’'-]+){1,3})"
            r" (?=(?:ever|also|still|have|had|take|takes|smoke|smoked|drink|suffer|need|allergic|on|taking)\b)"
        ),
        preamble=re.compile(rf"^(?:{'|'.join(data['preamble_patterns'])})", re.IGNORECASE),
        generic=frozenset(data["generic"]),
    )
