"""What a sentence states of the drug or analyte that a question names, and whether an option says the same.

Facts only: the new dose of a change, a result and no goal, range or earlier value. An amount is compared in the units
of its dimension, exactly, and in units that the analyte links as closely as they are rounded; how often a drug is
taken must agree where both say it. What would have to be multiplied, tablets or times a day, is unclear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from chartcite.cascade.choose.tied import Action
from chartcite.cascade.statements import NOTHING, Wanted
from chartcite.core.documents import Span
from chartcite.facts.analytes import convert
from chartcite.facts.doses import Dose
from chartcite.facts.drug_mentions import find_drugs
from chartcite.facts.line import overlap, read_line
from chartcite.facts.measurements import find_names
from chartcite.facts.read import SentenceFacts, read_facts
from chartcite.facts.units import NO_UNIT, Unit, parse_unit
from chartcite.records.refused import is_not_taken

Agreement = Literal["same", "other", "unclear"]
_LEADER = re.compile(r"\.{4,}")
"""`Calcium ........ 8.5 mg/dL`"""
_ROUNDED, _FAR = Fraction(1, 100), Fraction(5, 100)
"""In units that only the analyte links, so near is the same but for rounding, and beyond the second another value."""
_DONE: dict[str, Action] = {"stop": "stop", "hold": "stop", "start": "start", "increase": "raise", "decrease": "lower"}
_OTHERS = frozenset(("family", "hypothetical", "absent"))
_A_DAY = {
    "at bedtime": 1, "in the morning": 1, "at noon": 1, "with one meal": 1, "morning and evening": 2,
}  # fmt: skip
"""How often a day a time of taking is, where nothing else says it."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A value with its unit, `NO_UNIT` where none is written.

    `times` is how often a day and `when` at what time of it; None and empty where nothing says so. `count` is how many
    tablets of it are taken, 1 where nothing says so, and `name` the analyte.
    """

    low: Fraction
    high: Fraction
    unit: Unit
    comparator: str = ""
    times: tuple[Fraction, Fraction] | None = None
    when: str = ""
    count: Fraction = Fraction(1)
    name: str = ""


def amounts(text: str, want: Wanted) -> tuple[Amount, ...]:
    """The patient's own results and doses of what is wanted that a sentence states."""
    text = _LEADER.sub(lambda dots: " " * len(dots[0]), text)
    facts = read_facts(text, 0, len(text))
    return (*_results(facts, want), *_doses(facts, want))


def option_amounts(text: str, want: Wanted) -> tuple[Amount, ...]:
    """The same of an option, which need not name what was asked for: `4 mg every evening`."""
    found = amounts(text, want)
    for name in sorted(want.drugs | want.analytes):
        found = found or amounts(f"{name} {text}", want) or amounts(f"{name}: {text}", want)
    return found


def agreement(option: Sequence[Amount], sentence: Sequence[Amount], *, is_daily: bool = False) -> Agreement:
    """Whether a sentence states the option's amount, or only others of the same kind.

    Args:
        option: what it says.
        sentence: what it states.
        is_daily: the amount of a whole day is asked for; one that is taken several times a day is not it.
    """
    pairs = [_agree(one, other, is_daily=is_daily) for one in option for other in sentence]
    if "same" in pairs:
        return "same"
    return "other" if pairs and all(pair == "other" for pair in pairs) else "unclear"


def drug_of(option: str) -> Wanted:
    """The drug that an option names and nothing else; nothing for any other option."""
    found = find_drugs(read_line(option))
    is_whole = len(found) == 1 and option[slice(*found[0].span)].strip() == option.strip().rstrip(".")
    return Wanted(frozenset(), frozenset({found[0].name})) if is_whole else NOTHING


def is_taken(text: str, drug: Wanted) -> bool:
    """Whether a sentence states a dose of the patient's of a drug, and neither a stop nor another person's bottle."""
    if is_not_taken(text) or not amounts(text, drug):
        return False
    changes = read_facts(text, 0, len(text)).changes
    return not any(c.kind in ("stop", "hold") and c.drug.name in drug.drugs for c in changes)


def changes_of(text: str, drug: Wanted) -> frozenset[Action]:
    """What a sentence says was done with a drug; empty where it says nothing."""
    found = (c for c in read_facts(text, 0, len(text)).changes if c.drug.name in drug.drugs)
    return frozenset(_DONE[c.kind] for c in found if c.kind in _DONE)


def names(text: str, want: Wanted) -> bool:
    """Whether a sentence names a drug or test that is asked of."""
    line = read_line(text)
    return any(d.name in want.drugs for d in find_drugs(line)) or any(
        v.name in want.analytes for m in find_names(line) for v in m.values
    )


def _agree(one: Amount, other: Amount, *, is_daily: bool) -> Agreement:
    if one.count != other.count or (is_daily and _is_several(other) and one.times != other.times):
        return "unclear"
    values = _same_value(one, other)
    if values == "unclear":
        return "unclear"
    if values == "other" or one.comparator != other.comparator:
        return "unclear" if _is_several(other) != _is_several(one) else "other"
    if (one.times and other.times and one.times != other.times) or (one.when and other.when and one.when != other.when):
        return "other"
    return "unclear" if one.times and not other.times else "same"


def _is_several(amount: Amount) -> bool:
    """Whether it is taken more or less often than once a day, so that its sum is another amount."""
    return amount.times is not None and amount.times != (Fraction(1), Fraction(1))


def _same_value(one: Amount, other: Amount) -> Agreement:
    if not (one.unit.name and other.unit.name) or one.unit.name == other.unit.name:
        return "same" if (one.low, one.high) == (other.low, other.high) else "other"
    if one.unit.dimension == other.unit.dimension:
        values = [(a.low * a.unit.factor, a.high * a.unit.factor) for a in (one, other)]
        return "same" if values[0] == values[1] else "other"
    around = (*one.name.lower().split(), *other.name.lower().split())
    low, high = (convert(value, one.unit, other.unit, around) for value in (one.low, one.high))
    if low is None or high is None:
        return "unclear"
    apart = max(abs(low - other.low), abs(high - other.high))
    if apart <= _ROUNDED * abs(other.high):
        return "same"
    return "other" if apart > _FAR * abs(other.high) else "unclear"


def _results(facts: SentenceFacts, want: Wanted) -> Iterator[Amount]:
    for measured in facts.measurements:
        if measured.name not in want.analytes or _is_of_others(facts, measured.span):
            continue
        results = [value for value in measured.values if value.role == "result"]
        for n, value in enumerate(results):
            if n and value.quantity.comparator:
                continue  # `| 52 | mg/dL | >40 |`: the range beside a result
            unit = parse_unit(value.unit) if value.unit else value.quantity.unit
            if unit.name == "L":
                unit = NO_UNIT  # `78  L  fL`: the flag of a low result
            yield Amount(value.quantity.low, value.quantity.high, unit, value.quantity.comparator, name=measured.name)


def _doses(facts: SentenceFacts, want: Wanted) -> Iterator[Amount]:
    for dose in facts.doses:
        strength = dose.strength
        if dose.drug.name in want.drugs and strength is not None and not _is_of_others(facts, dose.drug.span):
            when = dose.time.name if dose.time is not None and dose.time.name in _A_DAY else ""
            count = dose.count.low if dose.count is not None else Fraction(1)
            yield Amount(strength.low, strength.high, strength.unit, strength.comparator, _times(dose), when, count)


def _times(dose: Dose) -> tuple[Fraction, Fraction] | None:
    if dose.frequency is not None:
        return dose.frequency.low, dose.frequency.high
    a_day = _A_DAY.get(dose.time.name) if dose.time is not None else None
    return (Fraction(a_day), Fraction(a_day)) if a_day else None


def _is_of_others(facts: SentenceFacts, span: Span) -> bool:
    return any(overlap(span, s.span) and _OTHERS & set(s.names) for s in facts.standings)
