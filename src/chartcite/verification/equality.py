"""Whether a quantity of the claim is entailed by one of the evidence: equal, converted, rounded, or within a bound."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from chartcite.facts.analytes import convert
from chartcite.facts.dates import covers
from chartcite.facts.lexicon import word_set
from chartcite.facts.quantities import Quantity
from chartcite.verification.analysis import Measure

_ROUNDED = Fraction(1, 20)
"""How far "about" reaches, as a share of the value."""
_CONVERTED = Fraction(1, 40)
"""How far a rounded conversion may be off, as a share of the value."""
_COUNTED = word_set("doses dose times occasions occasion episodes episode pills tablets tablet")
_THOUSANDS = word_set(
    "platelet platelets plt wbc leukocyte leukocytes neutrophil neutrophils anc lymphocytes count white"
)


def entails(claimed: Measure, stated: Measure) -> bool:
    """Whether the claim's quantity may be cited from the evidence's one, owners left aside."""
    ours, theirs = claimed.quantity, stated.quantity
    if ours.kind == "date" or theirs.kind == "date":
        return ours.kind == theirs.kind and covers(ours.when, theirs.when)
    if not _same_sort(claimed, stated):
        return False
    if ours.kind == "ratio" and theirs.kind == "ratio":
        return (ours.low, ours.high, ours.unit.name) == (theirs.low, theirs.high, theirs.unit.name)
    names = {word.text for m in (claimed, stated) for word in m.owners}
    converted = _converted(ours, theirs, names)
    if converted is None:
        return False
    low, high, is_converted = converted
    if ours.comparator == theirs.comparator:
        return _equal(ours, low, high, is_converted, ours.comparator == "~")
    if ours.comparator == "~":
        return not theirs.comparator and _equal(ours, low, high, is_converted, True)
    return _within(ours, low, high) if ours.comparator and not theirs.comparator else False


def _same_sort(claimed: Measure, stated: Measure) -> bool:
    ours, theirs = claimed.quantity, stated.quantity
    if ours.kind == theirs.kind == "value" and theirs.unit.name and not ours.unit.name and claimed.next_word:
        # "3 falls" may not be cited from "3 mg".
        return False
    if ours.kind == theirs.kind:
        return True
    kinds = {ours.kind, theirs.kind}
    if kinds == {"value", "count"}:
        value = claimed if ours.kind == "value" else stated
        # "two falls" and "fell twice", "a single dose" and "x1".
        return not value.quantity.unit.name
    if kinds == {"value", "ordinal"}:
        # "Cycle 3" is the third cycle.
        return not ours.unit.name and not theirs.unit.name
    if kinds == {"value", "ratio"}:
        # "pain 6" out of "pain 6/10".
        if ours.kind != "value" or ours.unit.name or ours.low != ours.high:
            return False
        # "pain 6" out of "6/10", "three nodes" out of "0/3 nodes".
        return ours.low == theirs.low or (claimed.next_word is not None and ours.low == theirs.high)
    if kinds == {"age", "duration"} or kinds == {"value", "age"}:
        return True
    return False


def _converted(ours: Quantity, theirs: Quantity, names: Iterable[str]) -> tuple[Fraction, Fraction, bool] | None:
    """The stated value in the claim's unit, and whether it had to be converted."""
    if "ratio" in (ours.kind, theirs.kind):
        return ours.low, ours.high, False
    if ours.unit.name == theirs.unit.name:
        return theirs.low, theirs.high, False
    if not ours.unit.name:
        if ours.is_word and ours.kind == "value":
            return None
        return theirs.low, theirs.high, False
    if not theirs.unit.name:
        if {ours.kind, theirs.kind} == {"value", "age"}:
            return theirs.low, theirs.high, False
        return _assumed(ours, theirs, names)
    low = convert(theirs.low, theirs.unit, ours.unit, names)
    high = convert(theirs.high, theirs.unit, ours.unit, names)
    return None if low is None or high is None else (low, high, True)


_ASSUMED = {
    "Cel": (30, 43), "[degF]": (86, 110), "%": (0, 100), "/min": (5, 300), "mm[Hg]": (5, 300),
}  # fmt: skip


def _assumed(ours: Quantity, theirs: Quantity, names: Iterable[str]) -> tuple[Fraction, Fraction, bool] | None:
    """`88 beats per minute` from `HR 88`: units that the name implies. All others must be written."""
    implied = {
        "/min": word_set("hr heart pulse p rr respiratory respirations respiration rate fc fr"),
        "%": word_set("spo2 sat sats saturation o2 ef lvef hct hematocrit a1c hba1c ejection fraction fraction"),
        "Cel": word_set("temp temperature t tmax"),
        "[degF]": word_set("temp temperature t tmax"),
        "mm[Hg]": word_set("bp pressure systolic diastolic sbp dbp map"),
    }.get(ours.unit.name)
    if implied is None or not implied & set(names):
        return None
    low, high = _ASSUMED[ours.unit.name]
    return (theirs.low, theirs.high, False) if low <= theirs.low <= theirs.high <= high else None


def _equal(ours: Quantity, low: Fraction, high: Fraction, is_converted: bool, is_about: bool) -> bool:
    if (ours.low, ours.high) == (low, high):
        return True
    if ours.low != ours.high and not is_converted:
        return False
    if is_about and low == high:
        return _near(ours.low, low, _ROUNDED * abs(low)) and abs(ours.low - low) <= _digit(ours) / 2
    if is_converted:
        pairs = ((ours.low, low), (ours.high, high))
        return all(_near(a, b, min(ours.step * Fraction(51, 100), _CONVERTED * abs(b))) for a, b in pairs)
    return False


def _digit(quantity: Quantity) -> Fraction:
    """What "about" is rounded to: the last digit that is not zero, so 10 for `about 150`."""
    value, step = quantity.low, quantity.step
    while value and step < abs(value) and (value / (step * 10)).denominator == 1:
        step *= 10
    return max(step, Fraction(0))


def _near(first: Fraction, second: Fraction, reach: Fraction) -> bool:
    return abs(first - second) <= reach


def _within(ours: Quantity, low: Fraction, high: Fraction) -> bool:
    """`above 38` is entailed by `38.6`."""
    bound = ours.low
    return {
        ">": low > bound, ">=": low > bound, "<": high < bound, "<=": high < bound,
    }.get(ours.comparator, False)  # fmt: skip


def counts(measure: Measure) -> bool:
    """Whether a plain number counts doses or times rather than measures something."""
    return measure.next_word is not None and measure.next_word.text in _COUNTED


def in_thousands(measure: Measure) -> bool:
    """Whether a blood count is meant, which is often written in thousands."""
    return any(word.text in _THOUSANDS for word in measure.owners)
