"""Doses that are not one amount: by days of the week, in turn, at two times of a day, step by step down.

`5 mg Mon/Wed/Fri and 2.5 mg other days`, `40 mg x 5 d then 20 mg`, `50 mg in the morning and 25 mg at night`. No single
amount of such a sentence is the dose.
"""

from __future__ import annotations

import re

from chartcite.core.documents import Span
from chartcite.facts.doses import Dose
from chartcite.facts.read import SentenceFacts

_JOIN = re.compile(
    r"[\s,;:.&+/()-]*(?:\b(?:and|then|plus|followed by|alternat\w+|with|to|on|e|depois|ent[ãa]o|"
    r"seguid[oa]s? (?:de|por)|alternad[oa]s?|alternando|com|mais|by mouth|po|vo|"
    r"seg|ter|qua|qui|sex|s[áa]b|dom|daily|a day|day|\d+)\b"
    r"[\s,;:.&+/()-]*){0,6}",
    re.IGNORECASE,
)
"""What may stand between two amounts of one dose."""
_OTHER_DAYS = re.compile(
    r"[\s,;:.&+(-]*(?:(?:and|e|then)\s+)?\d+(?:[.,]\d+)?\s*(?:mc?g|µg|units?|mg|ui|u)\b[^.;]{0,16}?"
    r"\b(?:(?:all |on |the |nos |the rest|rest)[^.;]{0,14}?(?:other|rest|outros|demais|remaining)|other days|"
    r"outros dias|demais dias)[^.;,]{0,22}?(?:days?\b|week\b|dias\b|semana\b|(?=[.;,]|\Z))",
    re.IGNORECASE,
)
_ON_OTHER_DAYS = re.compile(
    r"\s+(?:on\s+|nos\s+)?(?:all\s+|the\s+)*(?:(?:other|remaining|outros|demais)\s+(?:days|dias)|rest\s+of\s+the\s+week)\b",
    re.IGNORECASE,
)
_NO_PART = ("kg", "%")


def schedule(text: str, first: Dose, facts: SentenceFacts) -> Span | None:
    """The whole of a dose that begins with `first` and has more than one amount; None for a plain one.

    Args:
        text: the sentence.
        first: the first dose of its drug in it.
        facts: of the sentence.
    """
    if first.earlier is not None or first.strength is None:
        return None
    end = first.span.end
    amounts = {first.strength.low}
    for dose in facts.doses:
        if dose.drug.name != first.drug.name or dose.span.start < end or dose.strength is None:
            continue
        if dose.earlier is not None or dose.strength.unit.name in _NO_PART:
            break
        if not _JOIN.fullmatch(text, end, dose.span.start):
            break
        end = dose.span.end
        amounts.add(dose.strength.low)
    rest = _OTHER_DAYS.match(text, end) or (_ON_OTHER_DAYS.match(text, end) if len(amounts) > 1 else None)
    if rest:
        return Span(first.span.start, rest.end())
    return Span(first.span.start, end) if len(amounts) > 1 else None
