"""Dates in sentences of ours stay whole, and whatever stands around them stays escaped."""

from __future__ import annotations

from chartcite.app.page.pages import environment


def test_dates_stay_whole_and_the_rest_escaped() -> None:
    made = environment().from_string("{{ said|whole_days }}").render(said="<b>2020-01-02</b> to 2021-03-04 & 12-3")
    assert made == (
        '&lt;b&gt;<span class="days">2020-01-02</span>&lt;/b&gt; to <span class="days">2021-03-04</span> &amp; 12-3'
    )
