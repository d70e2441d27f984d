"""What a quantity is: a value with comparator and unit, a pressure, an age, a duration, a frequency, a count, a date.

Knows nothing of what is measured: binding a value to its analyte is the reader's task.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from chartcite.core.documents import Span
from chartcite.facts.units import NO_UNIT, Unit

QuantityKind = Literal["value", "pressure", "age", "duration", "frequency", "count", "date", "ratio", "ordinal"]
Comparator = Literal["", "<", "<=", ">", ">=", "~", "~<", "~>"]
"""`~<` is just under, `~>` just over."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """One quantity. `low == high` unless it is a range; a pressure has the systolic in `low`, the diastolic in `high`.

    A frequency is in times a day; a count is in times; a ratio (`6/10`) has the part in `low`, the whole in `high`.
    `when` is set for dates (see `dates`), for a ratio that could be one, and names the days of a week. `step` is the
    worth of the last digit written: 0.1 in `1.5`. `rate` is how often a day an amount is given, 0 where nothing says
    so. `sort` tells apart what reads alike: `decade` (in his 70s), `total` (the daily of "total daily dose").
    """

    span: Span
    kind: QuantityKind
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(0)
    comparator: Comparator = ""
    unit: Unit = NO_UNIT
    when: str = ""
    is_word: bool = False
    step: Fraction = Fraction(1)
    rate: Fraction = Fraction(0)
    sort: Literal["", "decade", "total"] = ""
