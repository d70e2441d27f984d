"""Which of a sentence's counted days a number belongs to: `1.9 on admission`, `On POD#1 hemoglobin was 8.2`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chartcite.records.when.resolved import Resolved

_BEHIND = re.compile(r"[^;.,:\d]{0,24}")
_BEFORE = re.compile(r"[^;.\d]{0,40}")
_BREAK = re.compile(r";|[.!?]\s")
_AT_THE_HEAD = re.compile(r"[\s*#>-]*(?:(?:labs?|vitals?|exames|her|his|the|no|na|em|on|by|at)\s+)?", re.IGNORECASE)


def day_beside(text: str, start: int, end: int, days: Sequence[Resolved]) -> Resolved | None:
    """The counted day of a number, resolved or not; None where none is.

    Right behind it first; else what leads the sentence holds for all numbers until another day is named; else what
    stands right before it, if no number stands before that.

    Args:
        text: the sentence.
        start: where the number begins.
        end: where it ends.
        days: all days of the sentence, in order; those that name themselves end what leads it.
    """
    behind = next((one for one in days if one.span.start >= end), None)
    if behind and _BEHIND.fullmatch(text, end, behind.span.start):
        return behind if behind.basis != "words" else None
    before = next((one for one in reversed(days) if one.span.end <= start), None)
    if before is None or before.basis == "words":
        return None
    if _AT_THE_HEAD.fullmatch(text, 0, before.span.start):
        return None if _BREAK.search(text, before.span.end, start) else before
    is_near = _BEFORE.fullmatch(text, before.span.end, start) is not None
    return before if is_near and not any(char.isdigit() for char in text[: before.span.start]) else None


def leads_alone(text: str, one: Resolved) -> bool:
    """Whether a counted day is the label of its line: `POD#3: afebrile`, the day of the note itself."""
    return (
        not text[: one.span.start].strip(" \t*#>-\n")
        and re.match(r"\s*(?:[:,;-]|s/p)", text[one.span.end :]) is not None
    )
