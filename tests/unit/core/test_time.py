"""When: as precise as its source, never more, and sortable."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.core.time import When


@pytest.mark.parametrize(
    ("text", "shown", "precision", "sort_key"),
    [
        ("2021", "2021", "year", "2021-01-01T00:00:00"),
        ("2021-03", "2021-03", "month", "2021-03-01T00:00:00"),
        ("202103", "2021-03", "month", "2021-03-01T00:00:00"),
        ("2021-03-02", "2021-03-02", "day", "2021-03-02T00:00:00"),
        ("20210302", "2021-03-02", "day", "2021-03-02T00:00:00"),
        ("2020-02-29", "2020-02-29", "day", "2020-02-29T00:00:00"),
        (" 2021-03-02\n", "2021-03-02", "day", "2021-03-02T00:00:00"),
        ("2021-03-02T10:30", "2021-03-02T10:30", "minute", "2021-03-02T10:30:00"),
        ("2021-03-02 10:30:05", "2021-03-02T10:30:05", "second", "2021-03-02T10:30:05"),
        ("20210302T103005", "2021-03-02T10:30:05", "second", "2021-03-02T10:30:05"),
        ("2021-03-02T10:30:05.999999", "2021-03-02T10:30:05", "second", "2021-03-02T10:30:05"),
        ("2021-03-02T10:30:05,5Z", "2021-03-02T10:30:05Z", "second", "2021-03-02T10:30:05"),
        ("2021-03-02T10:30:00+02:00", "2021-03-02T10:30:00+02:00", "second", "2021-03-02T08:30:00"),
        ("2021-03-02T00:30:00+0530", "2021-03-02T00:30:00+05:30", "second", "2021-03-01T19:00:00"),
        ("2020-12-31T23:30-02:00", "2020-12-31T23:30-02:00", "minute", "2021-01-01T01:30:00"),
        ("0987-01-02", "0987-01-02", "day", "0987-01-02T00:00:00"),
        ("2180-05-07", "2180-05-07", "day", "2180-05-07T00:00:00"),
    ],
)
def test_a_date_keeps_its_precision(text: str, shown: str, precision: str, sort_key: str) -> None:
    when = When.parse(text)
    assert (when.text, when.precision, when.sort_key) == (shown, precision, sort_key)
    assert str(when) == when.text
    assert when.date == shown[:10]
    assert When.parse(when.text) == when


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "yesterday", "21-03-02", "2021-13", "2021-00", "2021-02-30", "2021-02-29", "2021-04-31", "2021-03-00",
        "0000-01-01", "2021-03-02T10", "2021-03-02T24:01", "2021-03-02T10:60", "2021-03-02T10:30:61", "2021-3-2",
        "2021-03-02T10:30+99:00", "02/03/2021", "2021-03-02 or so", "２０２１-03-02", "2021-W09-2", "-2021-03-02",
        "2021-03-02T", "2021-03-02Z", "2021-03-02T10:30:00 Europe/Lisbon", "12021-01-01",
    ],
)  # fmt: skip
def test_what_is_not_a_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  (any text will do; nothing else may come)
        When.parse(text)


def test_the_day_of_the_source_is_shown_whatever_its_zone() -> None:
    assert When.parse("2021-03-02T00:30:00+05:30").date == "2021-03-02"


def test_order() -> None:
    ordered = [
        "0987", "2020-12-31T23:59:59", "2021", "2021-01-01T00:00:01", "2021-02-28T23:00-02:00", "2021-03-02",
        "2021-03-02T10:30+02:00", "2021-03-02T09:30Z",
    ]  # fmt: skip
    keys = [When.parse(text).sort_key for text in ordered]
    assert all(a < b for a, b in pairwise(keys))


@given(
    st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 12, 31)),
    st.sampled_from(["", "Z", "+00:00", "-05:00", "+14:00"]),
)
def test_every_moment_of_the_calendar_is_read(moment: datetime, zone: str) -> None:
    when = When.parse(moment.isoformat(timespec="seconds") + zone)
    assert len(when.sort_key) == 19
    assert When.parse(when.sort_key).sort_key == when.sort_key


@pytest.mark.parametrize("text", ["0001-01-01T00:00+14:00", "9999-12-31T23:59-14:00"])
def test_a_zone_that_leads_out_of_the_calendar(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        When.parse(text)
