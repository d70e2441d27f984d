"""What the timeline tells of a question: the kind it is of, asked of the record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from chartcite.cascade.over_time.asked import Kind, OverTime
from chartcite.cascade.over_time.drugs import course, dose, dose_change, hold, holds, medicines
from chartcite.cascade.over_time.extremes import extreme
from chartcite.cascade.over_time.question import over_time
from chartcite.cascade.over_time.stays import order, procedures, stay, stays
from chartcite.cascade.over_time.told import Record, Told
from chartcite.cascade.over_time.values import about_values
from chartcite.cascade.over_time.years import with_years

_ANSWERS: Mapping[Kind, Callable[[OverTime, Record], Told | None]] = {
    "value": about_values, "change": about_values, "trend": about_values, "beyond": about_values,
    "extreme": extreme,
    "medicines": medicines, "dose": dose, "dose_change": dose_change, "course": course,
    "hold": hold, "holds": holds, "stay": stay, "stays": stays, "procedures": procedures, "order": order,
}  # fmt: skip


def told(questions: Sequence[str], record: Record) -> Told | None:
    """The answer to the only one of some sentences that asks the timeline; None for any other, or where it cannot.

    Args:
        questions: the sentences of a question, as its person put them.
        record: of a patient; without a dated document nothing is told.
    """
    if not record.today:
        return None
    days = [d.time.date for d in record.reader.documents() if d.time and len(d.time.date) == len("2020-01-01")]
    dated = [with_years(question, days) for question in questions]
    asked = [found for found in (over_time(q, record.today) for q in dated if q is not None) if found]
    return _ANSWERS[asked[0].kind](asked[0], record) if len(asked) == 1 else None
