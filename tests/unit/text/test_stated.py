"""Units where the source states its own sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.core.documents import Span
from chartcite.core.errors import CorruptSource
from chartcite.text.sentences import split_sentences
from chartcite.text.stated import units_of


def _shown(text: str, *stated: tuple[int, int]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(u.kind, text[u.start : u.end], u.section) for u in units_of(text, [Span(*s) for s in stated])]


def test_without_stated_units_ours_are_made() -> None:
    text = "PLAN: Aspirin 81 mg. Home.\n- call if worse"
    assert units_of(text) == split_sentences(text)


def test_a_stated_unit_may_hold_what_we_would_cut_and_takes_the_section_it_stands_in() -> None:
    text = "COURSE:\nSeen by Dr. Po. INR 4.2.\nPLAN:\nStop warfarin."
    assert _shown(text, (8, 32), (39, 53)) == [
        ("header", "COURSE:", ("COURSE",)),
        ("stated", "Seen by Dr. Po. INR 4.2.", ("COURSE",)),
        ("header", "PLAN:", ("PLAN",)),
        ("stated", "Stop warfarin.", ("PLAN",)),
    ]


def test_a_stated_header_stays_a_header() -> None:
    text = "Brief Hospital Course:\nHe was well."
    assert [kind for kind, _, _ in _shown(text, (0, 22), (23, 35))] == ["header", "stated"]


def test_what_the_source_cuts_in_two_are_two_units() -> None:
    text = "He was well; he went home."
    assert [said for _, said, _ in _shown(text, (0, 12), (13, 26))] == ["He was well;", "he went home."]


@pytest.mark.parametrize(
    "stated",
    [[(0, 0)], [(-1, 3)], [(0, 99)], [(0, 5), (4, 8)], [(4, 8), (0, 3)], [(2, 3)]],
    ids=["empty", "before", "beyond", "overlap", "order", "blank"],
)
def test_units_that_do_not_lie_in_a_row_are_refused(stated: list[tuple[int, int]]) -> None:
    with pytest.raises(CorruptSource):
        units_of("He was well.", [Span(*s) for s in stated])


@given(
    st.text(st.sampled_from("ab. \n:;-1Z"), min_size=1, max_size=60),
    st.lists(st.integers(0, 60), min_size=2, max_size=8, unique=True),
)
def test_every_character_is_in_exactly_one_unit(text: str, cuts: list[int]) -> None:
    ends = sorted(min(c, len(text)) for c in cuts)
    spans = [Span(a, b) for a, b in zip(ends[::2], ends[1::2], strict=False) if text[a:b].strip()]
    units = units_of(text, spans)
    seen = [i for u in units for i in range(u.start, u.end)]
    assert len(seen) == len(set(seen))
    assert {i for i, c in enumerate(text) if not c.isspace()} <= set(seen)
    assert [u.n for u in units] == list(range(1, len(units) + 1))
    stated = {(u.start, u.end) for u in units if u.kind == "stated"}
    assert stated <= set(spans)
