"""Our own wordings of questions over time: those of the development half are read as what they ask."""

from __future__ import annotations

import pytest

import over_time_wordings as bench
from chartcite.cascade.over_time.question import over_time

LEFT = (
    "What was his pre-{event} {analyte}?",
    "What was the post-{event} {analyte}?",
    "How many times did {analyte} drop below {limit} after {day1}?",
    "Quantas vezes o {analyte} caiu abaixo de {limit} depois de {day1}?",
    "Was he already on {drug} when the {event} took place?",
    "By {day1}, what was she prescribed?",
    "What is my {drug} dose?",
)
"""They ask something that the timeline does not answer, or can be meant in another way."""
ROWS = bench.wordings("odd")


@pytest.mark.parametrize(("kind", "lang", "wording"), ROWS, ids=[f"{lang}-{wording}" for _, lang, wording in ROWS])
def test_a_wording_is_read_as_what_it_asks(kind: str, lang: str, wording: str) -> None:
    found = over_time(wording.format(**bench.SLOTS[lang]), bench.TODAY)
    if wording in LEFT:
        assert found is None
    else:
        assert found is not None
        assert bench.is_right(found, kind, lang, wording)


def test_each_kind_has_wordings_of_both_languages() -> None:
    rows = bench.wordings("odd") + bench.wordings("even")
    assert len(rows) == len(set(rows))
    for kind in bench.KINDS:
        assert {lang for one, lang, _ in rows if one == kind} == {"en", "pt"}
        assert sum(one == kind for one, _, _ in rows) >= 20
