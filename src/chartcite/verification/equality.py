"""Whether a quantity of the claim is entailed by one of the evidence: equal, converted, rounded, or within a bound."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction

from chartcite.facts.analytes import convert
from chartcite.facts.dates import covers, short_date
from chartcite.facts.lexicon import word_set
from chartcite.facts.quantities import Quantity
from chartcite.facts.units import parse_unit
from chartcite.verification.analysis import Measure
from chartcite.verification.bare_doses import dose_without_unit
from chartcite.verification.clauses import binds

_ROUNDED = Fraction(2, 25)
"""How far "about" reaches, as a share of the value."""
_FIVES = Fraction(1, 20)
"""The same where it is rounded to fives."""
_SMALL = Fraction(3, 25)
"""The same where it is rounded to a single digit: about 3 from 2.7."""
_BESIDE = Fraction(1, 10)
"""How far "just over" and "nearly" reach."""
_BESIDE_ONE = Fraction(4, 25)
"""The same beside a single digit: a little over 2 from 2.3."""
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
        return _same_date(ours, theirs)
    if _same_dose(ours, theirs) or _is_postoperative_day(claimed, stated) or _is_nightly(claimed, stated):
        return True
    if not _same_sort(claimed, stated):
        return False
    if ours.kind == "ratio" and theirs.kind == "ratio":
        return (ours.low, ours.high, ours.unit.name) == (theirs.low, theirs.high, theirs.unit.name)
    if ours.sort == "decade" != theirs.sort:
        return theirs.low == theirs.high and ours.low <= theirs.low <= ours.high
    return _same_amount(claimed, stated)


def _same_amount(claimed: Measure, stated: Measure) -> bool:
    ours, theirs = claimed.quantity, stated.quantity
    if theirs.kind == "pressure" != ours.kind:
        one = theirs.low if _one_pressure(claimed) == "low" else theirs.high
        theirs = replace(theirs, low=one, high=one, unit=ours.unit)
    dose = dose_without_unit(claimed, stated)
    names = {word.text for m in (claimed, stated) for word in m.owners}
    converted = _converted(ours, theirs, names) if dose is None else (*dose, False)
    if converted is None:
        return False
    low, high, is_converted = converted
    if ours.comparator == theirs.comparator:
        return _equal(ours, low, high, is_converted, ours.comparator == "~")
    if ours.comparator.startswith("~"):
        return is_about(ours, low, high) if not theirs.comparator else _is_about_too(ours, theirs, low, high)
    if not ours.comparator or theirs.comparator or (theirs.unit.name and not ours.unit.name):
        return False
    # "Below 100" is not "the second".
    return (ours.kind == theirs.kind or "ordinal" not in (ours.kind, theirs.kind)) and _within(ours, low, high)


def _is_about_too(ours: Quantity, theirs: Quantity, low: Fraction, high: Fraction) -> bool:
    return theirs.comparator.startswith("~") and (ours.low, ours.high) == (low, high)


_POSTOPERATIVE = word_set("pod pod# postoperative post-operative postop post-op")


def _is_postoperative_day(claimed: Measure, stated: Measure) -> bool:
    """`Three days after` from `POD 3`."""
    ours, theirs = claimed.quantity, stated.quantity
    if ours.kind != "duration" or ours.unit.name != "d" or theirs.kind != "value" or theirs.unit.name:
        return False
    is_day = bool(stated.owners) and bool(set(stated.owners[-1].text.split()) & _POSTOPERATIVE)
    return is_day and ours.low == ours.high == theirs.low == theirs.high


def _is_nightly(claimed: Measure, stated: Measure) -> bool:
    """`Four times a night` from `nocturia x4`."""
    ours, theirs = claimed.quantity, stated.quantity
    is_night = any("nocturia" in word.text.split() for word in stated.owners)
    return (
        is_night and ours.kind == "frequency" and theirs.kind == "count" and ours.low == theirs.low == theirs.high
        and ours.high == ours.low
    )  # fmt: skip


def _same_date(ours: Quantity, theirs: Quantity) -> bool:
    if ours.kind == theirs.kind:
        # "arrived 1930" may be a year or a clock time.
        return covers(ours.when, theirs.when) or _digits(ours.when) == _digits(theirs.when)
    date, other = (ours, theirs) if ours.kind == "date" else (theirs, ours)
    if other.kind == "ratio":
        # "cardiology 3/5" is a date when the other side says so, "cultures 2/4" a share.
        is_date = bool(other.when) and covers(date.when, other.when)
        return is_date or date.when == short_date(int(other.low), int(other.high))
    return ":" in date.when and _clock(other) == date.when


def _digits(when: str) -> str:
    return when.replace(":", "") if len(when) in (4, 5) else when


def _clock(quantity: Quantity) -> str:
    """`2100` read as a clock time."""
    hour, minute = divmod(int(quantity.low), 100)
    is_plain = quantity.kind == "value" and quantity.low == quantity.high and not quantity.unit.name
    if not is_plain or quantity.is_word or quantity.comparator or not 1000 <= quantity.low < 2400 or minute > 59:
        return ""
    return f"{hour:02}:{minute:02}"


def _same_pace(ours: Quantity, theirs: Quantity) -> bool:
    """The frequency of an amount a day, of something counted a week, or of a total, which leaves it open."""
    if theirs.kind != "value":
        return ours.sort == "total" and theirs.kind == "frequency" and theirs.sort != "total"
    if theirs.unit.name.endswith("/d"):
        return ours.low == ours.high == 1
    # "Two episodes a week" is twice a week.
    is_counted = not theirs.unit.name and theirs.rate > 0 and theirs.low == theirs.high and not theirs.comparator
    return is_counted and ours.low == ours.high == theirs.low * theirs.rate


def _same_dose(ours: Quantity, theirs: Quantity) -> bool:
    """An amount a day against an amount at a time: `2 g a day` is `500 mg QID`, `75 mg daily` is `75 mg/day`."""
    if ours.kind == "frequency":
        return _same_pace(ours, theirs)
    if not {ours.kind, theirs.kind} <= {"value", "duration"} or ours.comparator or theirs.comparator:
        return False
    for daily, single in ((ours, theirs), (theirs, ours)):
        if daily.unit.name.endswith("/d") and single.rate and not single.unit.name.endswith("/d"):
            if daily is theirs and single.rate != 1:
                return False
            ratio = daily.unit.factor * parse_unit("d").factor / (single.unit.factor * single.rate)
            return daily.unit.dimension == f"{single.unit.dimension}/time" and (
                daily.low * ratio,
                daily.high * ratio,
            ) == (single.low, single.high)
    return False


def _same_sort(claimed: Measure, stated: Measure) -> bool:
    ours, theirs = claimed.quantity, stated.quantity
    if ours.kind == theirs.kind == "value" and theirs.unit.name and not ours.unit.name and claimed.next_word:
        # "3 falls" may not be cited from "3 mg".
        return False
    if ours.kind == theirs.kind:
        # "On Mondays" may not be cited from "weekly".
        return ours.when in ("", theirs.when)
    kinds = {ours.kind, theirs.kind}
    if kinds == {"value", "count"}:
        value = claimed if ours.kind == "value" else stated
        # "two falls" and "fell twice", "a single dose" and "x1".
        return not value.quantity.unit.name
    if kinds == {"value", "ordinal"}:
        # "Cycle 3" is the third cycle.
        return not ours.unit.name and not theirs.unit.name
    if ours.kind == "value" and theirs.kind in ("ratio", "pressure"):
        return _is_part_of(claimed, stated) if theirs.kind == "ratio" else _one_pressure(claimed) is not None
    return kinds in ({"age", "duration"}, {"value", "age"})


def _is_part_of(claimed: Measure, stated: Measure) -> bool:
    """`pain 6` out of `6/10`, `three nodes` out of `0/3 nodes`; `completed 30 of 33` completes no 33."""
    ours, ratio = claimed.quantity, stated.quantity
    if ours.unit.name or ours.low != ours.high:
        return False
    is_whole = claimed.next_word is not None and not any(binds(word.text) for word in stated.owners)
    return ours.low == ratio.low or (is_whole and ours.low == ratio.high)


_SYSTOLIC, _DIASTOLIC = word_set("systolic sbp systolics"), word_set("diastolic dbp diastolics")


def _one_pressure(measure: Measure) -> str | None:
    """Which of the two pressures is meant."""
    around = {word for owner in measure.owners for word in owner.text.split()}
    if measure.next_word:
        around |= set(measure.next_word.text.split())
    if measure.quantity.unit.name not in ("", "mm[Hg]") or bool(around & _SYSTOLIC) == bool(around & _DIASTOLIC):
        return None
    return "low" if around & _SYSTOLIC else "high"


def _converted(ours: Quantity, theirs: Quantity, names: Collection[str]) -> tuple[Fraction, Fraction, bool] | None:
    """The stated value in the claim's unit, and whether it had to be converted."""
    if "ratio" in (ours.kind, theirs.kind):
        return ours.low, ours.high, False
    if ours.unit.name == theirs.unit.name:
        return theirs.low, theirs.high, False
    if not ours.unit.name:
        return None if ours.is_word and ours.kind == "value" else (theirs.low, theirs.high, False)
    if not theirs.unit.name:
        return _assumed(ours, theirs, names)
    low = convert(theirs.low, theirs.unit, ours.unit, names)
    high = convert(theirs.high, theirs.unit, ours.unit, names)
    return None if low is None or high is None else (low, high, True)


_SHARES = word_set("fio2 oxygen o2 hct hematocrit haematocrit ef lvef")
_ASSUMED = {
    "Cel": (30, 43), "[degF]": (86, 110), "%": (0, 100), "/min": (5, 300), "mm[Hg]": (5, 300),
}  # fmt: skip


def _assumed(ours: Quantity, theirs: Quantity, names: Collection[str]) -> tuple[Fraction, Fraction, bool] | None:
    """`88 beats per minute` from `HR 88`: units that the name implies. All others must be written."""
    if {ours.kind, theirs.kind} == {"value", "age"}:
        return theirs.low, theirs.high, False
    if ours.unit.name == "%" and 0 < theirs.low <= theirs.high <= 1 and _SHARES & set(names):
        # FiO2 0.7 is 70 %.
        return theirs.low * 100, theirs.high * 100, False
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
    if low <= theirs.low <= theirs.high <= high:
        return theirs.low, theirs.high, False
    return _temperature(ours, theirs) if ours.unit.name in ("Cel", "[degF]") else None


def _temperature(ours: Quantity, theirs: Quantity) -> tuple[Fraction, Fraction, bool] | None:
    """`103.3 °F` from `T 39.6`: no body is as warm in the other scale."""
    written = parse_unit("°C" if ours.unit.name == "[degF]" else "°F")
    low, high = _ASSUMED[written.name]
    if not low <= theirs.low <= theirs.high <= high:
        return None
    ends = [convert(end, written, ours.unit, ()) for end in (theirs.low, theirs.high)]
    return None if ends[0] is None or ends[1] is None else (ends[0], ends[1], True)


def _equal(ours: Quantity, low: Fraction, high: Fraction, is_converted: bool, is_rough: bool) -> bool:
    if (ours.low, ours.high) == (low, high):
        return True
    if ours.low != ours.high and not is_converted:
        return False
    if is_rough:
        return is_about(ours, low, high)
    if is_converted:
        pairs = ((ours.low, low), (ours.high, high))
        return all(_near(a, b, min(ours.step * Fraction(51, 100), _CONVERTED * abs(b))) for a, b in pairs)
    return False


def is_about(ours: Quantity, low: Fraction, high: Fraction) -> bool:
    """Whether the claim's "about" says a value: as near as half the last digit named, and near for its size."""
    if ours.kind == "pressure":
        return _near(ours.low, low, _ROUNDED * low) and _near(ours.high, high, _ROUNDED * high)
    if low != high or ours.low != ours.high:
        return (ours.low, ours.high) == (low, high)
    digit = _digit(ours)
    is_half = (ours.low / digit).numerator % 5 == 0 if digit else False
    if is_half and ours.comparator == "~" and abs(ours.low) >= 10 * digit:
        # "About 75" from 74, "roughly 2.5" from 2.4: rounded to fives.
        digit *= 5
        return _near(ours.low, low, _FIVES * abs(low)) and abs(ours.low - low) <= digit / 2
    is_one_digit = abs(ours.low) < 10 * digit
    if ours.comparator != "~":
        is_beyond = low <= ours.low if ours.comparator == "~<" else low >= ours.low
        reach = min(digit / 2, _BESIDE_ONE * abs(low)) if is_one_digit else _BESIDE * abs(low)
        return is_beyond and _near(ours.low, low, reach)
    share = _SMALL if is_one_digit else _ROUNDED
    return _near(ours.low, low, share * abs(low)) and abs(ours.low - low) <= digit / 2


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
