"""What quantities that stand side by side lend each other, and which of them are one: ranges, `34 weeks 2 days`."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from chartcite.core.documents import Span
from chartcite.facts.quantities import Quantity

_AND, _OR_NEXT = re.compile(r"\s+and\s+", re.IGNORECASE), re.compile(r"\s+or\s+", re.IGNORECASE)


def join_ranges(text: str, found: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    """`Between 88 and 94` and `three or four` are ranges."""
    out: list[Quantity] = []
    for here in found:
        last = out[-1] if out else None
        if last is not None and _is_one_range(text, last, here):
            span = Span(last.span.start, here.span.end)
            out[-1] = replace(here, span=span, low=last.low, comparator=last.comparator, is_word=last.is_word)
        else:
            out.append(here)
    return tuple(out)


def _is_one_range(text: str, last: Quantity, here: Quantity) -> bool:
    is_plain = last.kind == here.kind in ("value", "duration") and last.low == last.high < here.low == here.high
    if not is_plain or here.comparator or last.unit.name != here.unit.name:
        return False
    if _BETWEEN.search(text, 0, last.span.start):
        return _AND.fullmatch(text, last.span.end, here.span.start) is not None
    is_next = last.is_word and here.is_word and here.low == last.low + 1
    return is_next and _OR_NEXT.fullmatch(text, last.span.end, here.span.start) is not None


_BETWEEN = re.compile(r"\bbetween\s+$", re.IGNORECASE)
_LINK = re.compile(r"\s*(?:->|=>|→|\bto\b|\band\b|\bor\b)\s*(?:then\s*)?", re.IGNORECASE)
_SIDES = re.compile(r"\s*(?:\bx\b|×|\bby\b)\s*", re.IGNORECASE)
_BOUNDS = frozenset(("<", "<=", ">", ">="))
# "more than 3 lb in a day or 5 lb in a week"
_OR = re.compile(r"(?:\s+(?:in|per|a|an|day|week|night|hour|each)\b)*\s+or\s+", re.IGNORECASE)


def lend_units(text: str, found: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    """In `from 5 to 10 mg` the first value has the second one's unit; `about 4 x 3 cm` is about in both."""
    out = list(found)
    lent: set[int] = set()
    for i in range(len(out) - 2, -1, -1):
        here, after = out[i], out[i + 1]
        if here.kind != "value" or here.unit.name or not after.unit.name or after.kind not in ("value", "duration"):
            continue
        between = text[here.span.end : after.span.start]
        # "16 x 500 mg" counts what "4 x 3 cm" measures.
        is_size = after.unit.dimension == "length" and _SIDES.fullmatch(between)
        if is_size or _LINK.fullmatch(between) or (i + 1 in lent and _ITEM.fullmatch(between)):
            out[i] = replace(here, kind=after.kind, unit=after.unit)
            lent.add(i)
    out = _lend_asides(text, out)
    values = [i for i, q in enumerate(out) if q.kind == "value"]
    for at, i in pairwise(values):
        before, here = out[at], out[i]
        if here.comparator or here.unit.name != before.unit.name:
            continue
        link = _OR if before.comparator in _BOUNDS else _SIDES if before.comparator == "~" else None
        if link is not None and link.fullmatch(text, before.span.end, here.span.start):
            out[i] = replace(here, comparator=before.comparator)
    return tuple(out)


_ITEM = re.compile(r",\s*")
# "100 mg IV x1 then 50 q8h".
_NEXT_DOSE = re.compile(r"[^.;:()]{0,24}?(?:\bthen\b|\bfollowed\s+by\b|->|=>|→)\s*", re.IGNORECASE)
# "2.1 cm (prev 3.4)", "7.9 kg (8.3 last wk)", but not "2.1 cm (4 slices)".
_IN_BRACKETS = re.compile(
    r"[,;]?\s*[(,]\s*(?:(?:was|prev(?:ious(?:ly)?)?|prior|baseline|base|from|bl|last\s+\w+|usual(?:ly)?|goal|target|adm(?:ission)?|"
    r"dry|nadir|peak|max|min|yesterday|initial(?:ly)?)\.?\s*:?\s*(?:was\s+)?)",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"\s*(?:\)|(?:last|prev|prior|in|at|on|yesterday|adm|baseline|usual|a\s+\w+\s+ago|before|pre)\b)",
    re.IGNORECASE,
)
_OPENS = re.compile(r"\s*\(\s*")


def _lend_asides(text: str, found: list[Quantity]) -> list[Quantity]:
    """A bare value in brackets behind another one, said of another time, has that one's unit."""
    out = list(found)
    for i, here in enumerate(found[1:], start=1):
        before = out[i - 1]
        if here.kind != "value" or here.unit.name or not before.unit.name or before.kind != "value":
            continue
        between = text[before.span.end : here.span.start]
        is_told = _IN_BRACKETS.fullmatch(between) or (
            _OPENS.fullmatch(between) and _DATED.match(text, here.span.end) is not None
        )
        if is_told:
            out[i] = replace(here, unit=before.unit)
    for i, here in enumerate(out):
        dose = next((q for q in reversed(out[:i]) if q.kind not in ("frequency", "count")), None)
        if here.kind != "value" or here.unit.name or dose is None or dose.unit.dimension not in ("mass", "unit"):
            continue
        if dose.kind == "value" and _NEXT_DOSE.fullmatch(text, dose.span.end, here.span.start):
            out[i] = replace(here, unit=dose.unit)
    return out


_JOINT = re.compile(r"\s*(?:,|\band\b|\be\b)?\s*", re.IGNORECASE)
_SMALLER = {
    "[stone_av]": "[lb_av]", "wk": "d", "[ft_i]": "[in_i]", "h": "min", "a": "mo", "kg": "g", "[lb_av]": "[oz_av]",
    "min": "s",
}  # fmt: skip


def join_composites(text: str, found: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    """`34 weeks and 2 days`, `5 ft 10 in`, `1 h 30 min` are one quantity, in the smaller unit."""
    out: list[Quantity] = []
    for here in found:
        last = out[-1] if out else None
        if (
            last is not None
            and _SMALLER.get(last.unit.name) == here.unit.name
            and last.low == last.high
            and here.low == here.high
            and not here.comparator
            and _JOINT.fullmatch(text[last.span.end : here.span.start])
        ):
            total = last.low * last.unit.factor / here.unit.factor + here.low
            span = Span(last.span.start, here.span.end)
            out[-1] = replace(here, span=span, low=total, high=total, comparator=last.comparator)
        else:
            out.append(here)
    return tuple(out)
