"""All quantities of a sentence: each kind is looked for in turn, and what one has found is not looked at again.

So a date, a clock time or an age is never a plain value.
"""

from __future__ import annotations

import re

from chartcite.core.documents import Span
from chartcite.facts.ages import find_ages
from chartcite.facts.counts import find_counts, find_ordinals
from chartcite.facts.dates import find_dates
from chartcite.facts.durations import (
    find_gestations,
    find_numbered_days,
    find_slashed_durations,
    find_worded_durations,
)
from chartcite.facts.frequencies import find_frequencies, find_paces
from chartcite.facts.joined_quantities import join_composites, join_ranges, lend_units
from chartcite.facts.language import with_english_numbers
from chartcite.facts.plain_values import find_values
from chartcite.facts.pressures_and_heights import find_heights, find_pressures
from chartcite.facts.quantities import Quantity
from chartcite.facts.rates import as_frequencies, find_weekdays, with_rates
from chartcite.facts.shares import find_ratios, find_shares
from chartcite.facts.taken import free

_HINT = re.compile(r"[0-9]")
# Patterns that ignore case take these letters for plain ones; no word list has them.
_PLAIN_LETTERS = str.maketrans("ſıİ", "siI")


def find_quantities(text: str) -> tuple[Quantity, ...]:
    """All quantities of a sentence, left to right, without overlaps."""
    text = with_english_numbers(text.translate(_PLAIN_LETTERS))
    taken = bytearray(len(text))
    found = [Quantity(Span(start, end), "date", when=form) for start, end, form in free(find_dates(text), taken)]
    found += find_weekdays(text, taken)
    found += as_frequencies(text, taken, find_frequencies(text))
    found += find_ages(text, taken)
    found += find_shares(text, taken)
    if _HINT.search(text):
        found += find_gestations(text, taken)
        found += find_numbered_days(text, taken)
        found += find_slashed_durations(text, taken)
        found += find_pressures(text, taken)
        found += find_heights(text, taken)
    found += find_ratios(text, taken)
    found += find_counts(text, taken)
    found += find_ordinals(text, taken)
    found += find_worded_durations(text, taken)
    found += find_values(text, taken)
    found += as_frequencies(text, taken, find_paces(text))
    found.sort(key=lambda q: q.span)
    return with_rates(text, join_composites(text, join_ranges(text, lend_units(text, tuple(found)))))
