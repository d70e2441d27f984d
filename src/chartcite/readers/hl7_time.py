"""HL7's time stamps: `YYYY[MM[DD[HHMM[SS[.S...]]]]][+/-ZZZZ]`, as C-CDA and HL7 v2 write them."""

from __future__ import annotations

import re

from chartcite.core.time import When

_STAMP = re.compile(
    r"(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:\.\d{1,6})?)?)?)?)?)?([+-]\d{4})?", re.ASCII
)


def parse_stamp(text: str) -> When | None:
    """A time stamp as precise as it is written; None for an empty one, or one of zeros.

    Hours without minutes give the day. A stamp whose clock says nothing (`20310301000000`) keeps it.

    Raises:
        ValueError: not a time stamp, or not in the calendar.

    >>> str(parse_stamp("20310301113000-0500")), str(parse_stamp("203103")), parse_stamp("")
    ('2031-03-01T11:30:00-05:00', '2031-03', None)
    """
    text = text.strip()
    if not text.strip("0"):
        return None
    found = _STAMP.fullmatch(text)
    if found is None:
        raise ValueError("not a time stamp")
    year, month, day, hour, minute, second, zone = found.groups()
    date = "-".join(part for part in (year, month, day) if part)
    if not minute:
        return When.parse(date)
    return When.parse(f"{date}T{hour}:{minute}" + (f":{second}" if second else "") + (zone or ""))
