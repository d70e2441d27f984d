"""Interpretation by rules: the question itself when it is short, else its asking sentence cut to content words.

It adds no word of its own, so it can add no diagnosis.
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
_YEAR = re.compile(r"\b(?:in|during|of|since|from|by) ((?:19|20)\d\d)\b")
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
    asked = cues.named.sub(r"\1 the patient ", _asking(question.strip() or narrative.strip()))
    period, dated = _period(asked)
    low = " ".join(asked.lower().split())
    words = _WORD.findall(low[: dated[0]] + " " + low[dated[1] :] if dated else low)
    query = asked if len(asked.split()) <= MAX_QUERY_WORDS else _content_words(asked, cues)
    focus = tuple(dict.fromkeys(w for w in words if w not in cues.generic))
    return Interpretation(query, _kind(low, cues), focus, bool(cues.number.search(low)), period)


def _asking(text: str) -> str:
    """The sentence that asks, without greeting or preamble."""
    sentences = [" ".join(text[s.start : s.end].split()) for s in split_sentences(text)]
    asking = [s for s in sentences if s.endswith("?")] or sentences[:1] or [text]
    chosen = asking[-1]
    while True:
        shorter = _cues().preamble.sub("", chosen, count=1).lstrip(" ,:;-")
        if shorter == chosen or not shorter:
            break
        chosen = shorter
    return " ".join((chosen.strip().strip("\"“”'").rstrip("?!. ") or text).split())


def _period(asked: str) -> tuple[str, tuple[int, int] | None]:
    """The day, month or year that a question names, as the start of an ISO date; and where it stands."""
    for start, end, form in find_dates(asked):
        if _ISO_DATE.fullmatch(form):
            return form, (start, end)
    year = _YEAR.search(asked)
    return (year[1], year.span(1)) if year else ("", None)


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
        # `Does Walter Osei have`: a name is not what is asked for, and it stands in every note's head.
        named=re.compile(r"^(Does|Did|Do|Has|Is|Was|Had)(?: (?:Mr|Mrs|Ms|Dr)\.?)?(?: [A-Z][\w’'-]+){1,3} (?=[a-z])"),
        preamble=re.compile(rf"^(?:{'|'.join(data['preamble_patterns'])})", re.IGNORECASE),
        generic=frozenset(data["generic"]),
    )
