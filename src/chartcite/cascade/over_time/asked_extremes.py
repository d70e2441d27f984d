"""The lowest or the highest value of something, from a question's words."""

from __future__ import annotations

from chartcite.cascade.over_time.asked import OverTime, Side, Tied, is_plain, named_days, named_period
from chartcite.cascade.over_time.cues import says


def asks_extreme(text: str) -> bool:
    """Whether a question has a word of the lowest or the highest."""
    return says("lowest", text) or says("highest", text)


def of_extreme(one: Tied) -> OverTime | None:
    """The lowest or the highest value of one thing: of the record, a period, between two days, or since one."""
    read, things, days = one.rest, one.rest.of("THING"), named_days(one.rest)
    lowest, highest = says("lowest", read.text), says("highest", read.text)
    if lowest == highest or one.at or one.event or len(things) != 1 or not is_plain(read, "extreme"):
        return None
    if len(days) > 2 or (len(days) == 1 and not says("since", read.text)) or len(set(days)) < len(days):
        return None
    if days and named_period(read):
        return None
    side: Side = "below" if lowest else "above"
    return OverTime("extreme", "", tuple(sorted(days)), named_period(read), things=things, side=side)
