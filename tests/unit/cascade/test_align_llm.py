"""Links in a model's reply: closed ids; votes of several runs."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.cascade.align.llm import fits_links, read_links
from chartcite.cascade.align.votes import Links, elect
from chartcite.models.replies import read_json

READ: list[tuple[str, set[tuple[int, int]], int]] = [
    ('{"links": [{"answer": "A1", "sources": ["E2", "E3"]}]}', {(1, 2), (1, 3)}, 0),
    ('{"links": [{"answer": "A1", "sources": []}, {"answer": 2, "sources": "E1, E3"}]}', {(2, 1), (2, 3)}, 0),
    ('[{"answer_id": "1", "evidence_id": ["2-4"]}]', {(1, 2), (1, 3), (1, 4)}, 0),
    ('[{"answer_id": "1", "evidence_id": ["S3", "[4]", "(5)"]}]', {(1, 3), (1, 4), (1, 5)}, 0),
    ('{"links": [{"answer": "A4", "sources": ["E1"]}, {"answer": "A0", "sources": ["E1"]}]}', set(), 2),
    ('{"links": [{"answer": "E1", "sources": ["E1"]}, {"answer": "A1", "sources": ["A2"]}]}', set(), 2),
    ('{"links": [{"answer": "A1-A2", "sources": ["E1"]}, {"answer": null, "sources": ["E1"]}]}', set(), 2),
    ('{"links": [{"answer": "A1", "sources": ["E6", "E0", "-1", "x", null, 2.5, true, "E2"]}]}', {(1, 2)}, 7),
    ('{"links": [{"answer": "A1"}, {"answer": "A2", "sources": null}]}', set(), 0),
    ('{"links": []}', set(), 0),
]


@pytest.mark.parametrize(("raw", "links", "unknown"), READ, ids=[str(n) for n in range(len(READ))])
def test_only_what_was_given_is_linked(raw: str, links: set[tuple[int, int]], unknown: int) -> None:
    value = json.loads(raw)
    assert read_links(value, 3, 5) == (frozenset(links), unknown)
    assert read_json(raw, fits_links).value == value


@pytest.mark.parametrize(
    "raw", ["[]", "{}", '{"links": 5}', '{"links": [1]}', '{"sentences": []}', '[{"id": 1}]', "no", ""], ids=str
)
def test_another_shape_is_no_alignment(raw: str) -> None:
    assert read_json(raw, fits_links).value is None


@st.composite
def _runs(draw: st.DrawFn) -> list[Links]:
    link = st.tuples(st.integers(1, 4), st.integers(1, 4))
    return draw(st.lists(st.frozensets(link, max_size=8), min_size=1, max_size=5))


@given(_runs(), st.integers(1, 5))
def test_what_is_kept_has_its_votes_or_stands_alone(runs: list[Links], needed: int) -> None:
    elected = elect(runs, needed, range(1, 5))
    votes = Counter(link for run in runs for link in run)
    enough = {link for link, count in votes.items() if count >= needed}
    assert enough <= elected.links <= set(votes)
    alone = {answer for answer, _ in elected.links - enough}
    assert len(alone) == elected.from_single_run
    assert not alone & {answer for answer, _ in enough}
    for answer in alone:  # all of one run's, and nothing of another
        own = {link for link in elected.links if link[0] == answer}
        assert any(own == {link for link in run if link[0] == answer} for run in runs)
    linked = {answer for answer, _ in elected.links}
    assert linked == {answer for answer, _ in votes}


def test_the_run_that_the_others_share_most_fills_a_gap() -> None:
    odd, shared = frozenset({(1, 4), (2, 4)}), frozenset({(1, 1), (2, 2)})
    assert elect([odd, shared, frozenset({(1, 1)})], 2, [1, 2]).links == {(1, 1), (2, 2)}


def test_of_equal_runs_the_first_fills_a_gap() -> None:
    assert elect([frozenset({(1, 3)}), frozenset({(1, 2)})], 2, [1]).links == {(1, 3)}
