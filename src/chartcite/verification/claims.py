"""Cuts a text into claims: one assertion each, with its span, and says which pieces are none.

A fragment (`Cycle 3.`) and a sentence that says there is no answer (`The record does not say.`) make no claim; they are
counted, never silently left out, since leaving them out makes every share of supported claims look better than it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from chartcite.core.documents import Span
from chartcite.core.unseen import seen
from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed, analyse
from chartcite.verification.clauses import BREAKS, binds, units
from chartcite.verification.sentences import pieces

ClaimSort = Literal["assertion", "fragment", "no_answer"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A piece of a text: `text[span.start:span.end]`, and what it is."""

    span: Span
    sort: ClaimSort


_NO_ANSWER = re.compile(
    r"\b(?:(?:not|no|n't|insufficient|in|lacks?)\s+(?:enough\s+|sufficient\s+)?(?:evidence|information|data)\b(?!\s+of\b|\s+for\b)"
    r"|cannot\s+be\s+(?:answered|determined)|can't\s+(?:say|tell)|(?:is|are|was|were)\s+not\s+(?:mentioned|documented|stated|specified)"
    r"|(?:record|records|chart|notes?|documents?|text|sources?)\s+do(?:es)?\s+not\s+(?:say|mention|state|specify|contain)"
    r"|não\s+há\s+(?:evidências?|informaç\w+)\s+suficientes?|não\s+(?:é|foi)\s+(?:mencionad|informad|descrit)\w+)",
    re.IGNORECASE,
)
_STATES = word_set(
    "is are was were has have had denies denied reports reported shows showed takes tem teve é foi está nega"
)


def split_claims(text: str) -> tuple[Claim, ...]:
    """The claims of a text, in order. Spans do not overlap; marks and conjunctions between them belong to none."""
    text = seen(text)
    return tuple(claim for start, end, _ in pieces(text) for claim in _of_sentence(text, start, end))


def count_claims(text: str) -> Mapping[ClaimSort, int]:
    """How many pieces of each sort a text has, all sorts named."""
    found = Counter(claim.sort for claim in split_claims(text))
    return {sort: found[sort] for sort in ("assertion", "fragment", "no_answer")}


def _of_sentence(text: str, start: int, end: int) -> Iterator[Claim]:
    if _NO_ANSWER.search(text, start, end):
        yield Claim(_trimmed(text, start, end), "no_answer")
        return
    sentence = analyse(text, start, end)
    spans = [span for unit in units(sentence.tokens, sentence.layout) if (span := _span(sentence, unit)) is not None]
    whole = _trimmed(text, start, end)
    if len(spans) < 2 or not all(_stands_alone(sentence, span) for span in spans):
        yield Claim(whole, "assertion" if _asserts(sentence, whole) else "fragment")
        return
    for span in spans:
        yield Claim(span, "assertion")


def _span(sentence: Analysed, unit: frozenset[int]) -> Span | None:
    """From the first to the last word of some segments; None when another part lies between them."""
    segments, tokens = sentence.layout.segments, sentence.tokens
    at = [i for i, s in enumerate(segments) if s in unit and not tokens[i].is_mark and tokens[i].text not in BREAKS]
    if not at or any(s not in unit for s in segments[at[0] : at[-1] + 1]):
        return None
    first, last = tokens[at[0]], tokens[at[-1]]
    base = sentence.span.start
    return Span(base + first.start, base + last.end)


def _stands_alone(sentence: Analysed, span: Span) -> bool:
    """Whether a part has something it speaks of and a word that says something of it."""
    inside = [w for w in sentence.words if span.start <= w.span.start and w.span.end <= span.end]
    verbs = [w for w in inside if binds(w.text) or w.text in _STATES]
    return bool(verbs) and any(w.is_content and w not in verbs and w.span < verbs[0].span for w in inside)


def _asserts(sentence: Analysed, span: Span) -> bool:
    said = sum(span.start <= word.span.start for word in sentence.content) + len(sentence.measures)
    return (
        said >= 2 or bool(sentence.assertions.cues) or any(binds(w.text) or w.text in _STATES for w in sentence.words)
    )


def _trimmed(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    return Span(start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip()))
