"""Alignment of given sentences: conservative, many to many, never to a header."""

from __future__ import annotations

import numpy as np
import pytest
from tests.conftest import FakeEncoder
from tests.unit.lab.experiment.conftest import WordReranker

from chartcite.cascade.align.given import MOST_LINKS, GivenModel, align_given, chosen_links, load_model
from chartcite.cascade.align.likeness import FEATURES, Likeness
from chartcite.text.analyser import Analyser

NOTE = (
    "Hospital course:", "She was admitted with melena.", "Apixaban was held because of bleeding.",
    "Hemoglobin fell to 6.8.", "Physical therapy saw her.", "Apixaban may be resumed in two weeks.",
)  # fmt: skip


def _likeness() -> Likeness:
    analyse = Analyser("en").terms
    return Likeness(analyse, lambda text: dict.fromkeys(analyse(text), 1.0), FakeEncoder(), WordReranker())


def test_a_sentence_is_linked_to_what_it_says_again() -> None:
    links = align_given(["Apixaban was held because of bleeding."], NOTE, _likeness())
    assert [link.unit for link in links[0]] == [2]
    assert 0.5 <= links[0][0].probability <= 1


def test_links_are_in_the_order_of_the_note_and_never_more_than_three() -> None:
    note = ["INR was 4.2."] * 5
    (links,) = align_given(["INR was 4.2."], note, _likeness())
    assert [link.unit for link in links] == [0, 1, 2][:MOST_LINKS]


def test_what_nothing_resembles_stays_without_a_link() -> None:
    model = load_model()
    low = np.zeros((1, 2, len(FEATURES)))
    low[..., 2], low[..., 3:] = 0.5, -0.6
    assert (model.probabilities(low) < model.least_alone).all()


def test_a_header_is_never_linked() -> None:
    (links,) = align_given(["Hospital course:"], ["Hospital course:", "She was well."], _likeness())
    assert 0 not in [link.unit for link in links]


def test_nothing_given_or_no_note_gives_no_link() -> None:
    assert align_given([], NOTE, _likeness()) == []
    assert align_given(["She was well."], [], _likeness()) == [()]


def test_line_ends_change_no_link() -> None:
    given = ["Apixaban was held\nbecause of bleeding."]
    wrapped = [text.replace(" ", "\n", 1) for text in NOTE]
    assert align_given(given, wrapped, _likeness()) == align_given([given[0].replace("\n", " ")], NOTE, _likeness())


@pytest.mark.parametrize("at", range(len(FEATURES)), ids=list(FEATURES))
def test_more_likeness_never_makes_a_link_less_likely(at: int) -> None:
    features = np.zeros((1, 2, len(FEATURES)))
    features[0, 1, at] = 0.5
    less, more = load_model().probabilities(features)[0]
    assert more > less


@pytest.mark.parametrize(
    ("p", "expected"),
    [((0.6, 0.55), [0, 1]), ((0.45, 0.4), [0]), ((0.4, 0.45), [1]), ((0.25, 0.2), []), ((0.5, 0.1), [0])],
    ids=["both", "best alone", "second alone", "none", "even chance"],
)
def test_from_an_even_chance_all_below_it_the_likeliest_alone(p: tuple[float, ...], expected: list[int]) -> None:
    links = chosen_links(np.array(p), GivenModel((), 0.5, 0.3))
    assert [link.unit for link in links] == expected
