"""What a drug is taken for, where it is said plainly: `for hypertension`, `PRN nausea`, `para dor`."""

from __future__ import annotations

import re

from chartcite.core.documents import Span
from chartcite.facts.lexicon import word_set
from chartcite.facts.line import Line, tokens_between

_FOR = re.compile(
    r"[\s,)]*(?:for|to\s+treat|to\s+control|to\s+prevent|para|p/)\s+(?:(?:the|his|her|their|a|o)\s+)?", re.IGNORECASE
)
_NEEDED = re.compile(
    r"[\s,:(]*(?:(?:for|para|de|if|se|em\s+caso\s+de)\s+)?(?:(?:the|his|her|their)\s+)?", re.IGNORECASE
)
_ENDS = word_set(
    "isso isto that these those , ; : . ( ) ? ! and but which who with after before when if since until due because "
    "at on in over to from was is were has had have then while per about a an e mas com apos antes ate quando foi em "
    "no na x prn daily given as so now next last this another total more less up down today"
)
_MOST_WORDS = 5


def find_indication(line: Line, behind: Span, limit: int, *, is_needed: bool) -> Span | None:
    """The words that say what for, right behind a span.

    Args:
        line: the sentence.
        behind: the dose, or its `PRN`.
        limit: where to stop looking.
        is_needed: behind `PRN` no `for` is needed.
    """
    lead = (_NEEDED if is_needed else _FOR).match(line.text, behind.end)
    if lead is None or lead.end() >= limit:
        return None
    start = end = lead.end()
    quantities = [q.span for q in line.quantities if start <= q.span.start < start + 80]
    for n, token in enumerate(tokens_between(line, start, limit)):
        is_end = token.text in _ENDS or n >= _MOST_WORDS or any(q.start <= token.start < q.end for q in quantities)
        if is_end:
            break
        end = token.end
    return Span(start, end) if end > start else None
