"""A question as one for the timeline: which of the kinds it is, if any."""

from __future__ import annotations

from chartcite.cascade.over_time.asked import OverTime, of_both_doses, of_doses, of_medicines, of_start, of_values, tied
from chartcite.cascade.over_time.asked_counts import of_count, of_length, of_order
from chartcite.cascade.over_time.asked_extremes import asks_extreme, of_extreme
from chartcite.cascade.over_time.cues import says
from chartcite.cascade.over_time.marked import Marked, marked

# A longer sentence is no question of one value or drug; reading it costs more than twice as much for twice the length.
_MOST_CHARS = 1_000


def over_time(question: str, today: str) -> OverTime | None:
    """The question as one for the timeline; None if it is none, or longer than 1,000 characters.

    Args:
        question: one sentence.
        today: the last day that counts, for dates without a year.
    """
    read = marked(question if len(question) <= _MOST_CHARS else "", today)
    if not read.tokens or len(read.of("PERIOD")) > 1 or says("why", read.text):
        return None
    found = of_order(read)
    if found is not None:
        return found
    found = of_start(read) or of_both_doses(read)
    if found is not None:
        return found
    if says("long", read.text) and not read.of("LIMIT"):  # `on how many days was it above 40` is a count
        return of_length(read)
    if says("times", read.text):
        found = of_count(read)
        if found is not None or read.of("LIMIT"):
            return found
    return _of_one_thing(read)


def _of_one_thing(read: Marked) -> OverTime | None:
    one = tied(read)
    if one is None or one.rest.of("LIMIT"):
        return None
    things, drugs = one.rest.of("THING"), one.rest.of("DRUG")
    if things and not drugs:
        return (of_extreme(one) if asks_extreme(one.rest.text) else None) or of_values(one)
    if things:
        return None
    return of_doses(one) if drugs else of_medicines(one)
