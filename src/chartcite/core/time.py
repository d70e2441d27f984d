"""When: a point in time as precise as its source, never more."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

Precision = Literal["year", "month", "day", "minute", "second"]

_ISO = re.compile(
    r"(?P<year>\d{4})(?:-?(?P<month>\d\d)(?:-?(?P<day>\d\d)"
    r"(?:[T ](?P<hour>\d\d):?(?P<minute>\d\d)(?::?(?P<second>\d\d)(?:[.,]\d+)?)?(?P<zone>Z|[+-]\d\d:?\d\d)?)?)?)?$",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class When:
    """A point in time with its precision; `text` is ISO 8601, cut to what the source says.

    Two values compare through `sort_key` (UTC; a partial date sorts at its start; no zone counts as UTC).
    """

    text: str
    precision: Precision

    @classmethod
    def parse(cls, text: str) -> When:
        """Read an ISO 8601 date or date-time, partial or whole, with or without zone.

        Raises:
            ValueError: not such a date, or not in the calendar.
        """
        found = _ISO.match(text.strip())
        if found is None:
            raise ValueError("not an ISO 8601 date")
        part = found.groupdict()
        precision: Precision = (
            "second" if part["second"] else "minute" if part["minute"] else
            "day" if part["day"] else "month" if part["month"] else "year"
        )  # fmt: skip
        when = cls(_canonical(part), precision)
        try:
            when.moment()  # refuses 2021-02-30
        except OverflowError as error:
            raise ValueError("its zone leads out of the calendar") from error
        return when

    def moment(self) -> datetime:
        """The earliest moment this may mean, in UTC."""
        padded = self.text + "0001-01-01"[len(self.text) :] if len(self.text) < 10 else self.text
        moment = datetime.fromisoformat(padded)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)

    @property
    def sort_key(self) -> str:
        """`YYYY-MM-DDTHH:MM:SS` in UTC; sorts as text."""
        return self.moment().strftime("%Y-%m-%dT%H:%M:%S").zfill(19)

    @property
    def date(self) -> str:
        """The date part as the source has it: `2021`, `2021-03` or `2021-03-02`."""
        return self.text[:10]

    def __str__(self) -> str:
        return self.text


def _canonical(part: dict[str, str | None]) -> str:
    date = "-".join(p for p in (part["year"], part["month"], part["day"]) if p)
    if not part["minute"]:
        return date
    clock = ":".join(p for p in (part["hour"], part["minute"], part["second"]) if p)
    zone = part["zone"] or ""
    if len(zone) == 5:
        zone = f"{zone[:3]}:{zone[3:]}"
    return f"{date}T{clock}{zone}"
