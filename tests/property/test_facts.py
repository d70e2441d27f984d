"""What must hold for the facts of any text: spans lie inside, reading twice gives the same, nothing raises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from chartcite.core.documents import Span
from chartcite.facts.read import read_facts

_FRAGMENTS = [
    "metformin", "500 mg", "Lasix", "40", "PO", "IV", "bid", "12/12h", "for pain", "prn", "increased", "from", "to",
    "was held", "K", "5.9", "Cr 2.4", "(baseline 1.1)", "| mmol/L |", "136-145", "BP 120/80", "left", "knee",
    "joelho direito", "no", "denies", "after", "due to", "since 2019", "3/4/2020", "->", ";", ".", ",", "(", ")",
    "\n", "\t", "|", "≥", "½", "µg", "١٢", "😀", "\0", "\u202e", "é", "e\u0301", "1,5", "1.000,5", "AST/ALT 45/60",
    "x5 days", "2 tabs", "resolved", "Father had", "%", "H", "L",
]  # fmt: skip
_texts = st.one_of(
    st.lists(st.sampled_from(_FRAGMENTS), max_size=30).map(" ".join),
    st.lists(st.sampled_from(_FRAGMENTS), max_size=30).map("".join),
    st.text(max_size=200),
)


def _spans_in(value: Any) -> Iterator[Span]:
    if isinstance(value, Span):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _spans_in(item)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from _spans_in(getattr(value, name))


@settings(max_examples=300, deadline=None)
@given(_texts, st.text(max_size=5))
def test_spans_lie_inside_and_reading_is_deterministic(text: str, before: str) -> None:
    found = read_facts(text, 0, len(text))
    assert found == read_facts(text, 0, len(text))
    assert all(0 <= span.start < span.end <= len(text) for span in _spans_in(found))
    whole, moved = before + text, read_facts(before + text, len(before), len(before + text))
    assert [whole[slice(*s)] for s in _spans_in(moved)] == [text[slice(*s)] for s in _spans_in(found)]


@settings(max_examples=100, deadline=None)
@given(_texts)
def test_a_number_belongs_to_one_thing_only(text: str) -> None:
    found = read_facts(text, 0, len(text))
    of_doses = {q.span for d in found.doses for q in (d.strength, d.earlier, d.count, d.volume) if q is not None}
    of_values = {value.quantity.span for one in found.measurements for value in one.values}
    assert not of_doses & of_values
