"""Scoring where it is known that the text answers: never nothing, graded by what the fitted model says."""

from __future__ import annotations

import numpy as np
import pytest
from tests.conftest import FakeEncoder
from tests.unit.lab.experiment.conftest import WordReranker

from chartcite.cascade.align.likeness import FEATURES, Likeness
from chartcite.cascade.score.known import USED, KnownModel, known_evidence, load_model
from chartcite.cascade.score.rules import Scored
from chartcite.core.documents import Sentence
from chartcite.retrieval.candidates import Candidate
from chartcite.text.analyser import Analyser

TEXTS = ("She came with melena.", "Apixaban was stopped for bleeding.", "Diet was advanced.", "The family was told.",
         "Apixaban may be resumed in two weeks.", "Code status is full.")  # fmt: skip


def _scored(texts: tuple[str, ...]) -> list[Scored]:
    made = []
    for n, text in enumerate(texts, start=1):
        candidate = Candidate(
            text=text, context="", sentence=Sentence(n, n * 100, n * 100 + len(text)), document=1, start=n * 100,
            end=n * 100 + len(text), sort_key="", hit_rank=1, title="", date="", order=0, coverage=0.0, late=0.0,
            same_text=0,
        )  # fmt: skip
        made.append(Scored(candidate, 1, 0.0, None))
    return made


def _likeness() -> Likeness:
    analyse = Analyser("en").terms
    return Likeness(analyse, lambda text: dict.fromkeys(analyse(text), 1.0), FakeEncoder(), WordReranker())


def test_as_many_as_the_model_says_and_never_fewer_likeliest_first() -> None:
    found = known_evidence("When may apixaban be resumed?", _scored(TEXTS), _likeness())
    assert len(found) >= load_model().fewest
    assert found[0].candidate.text == "Apixaban may be resumed in two weeks."
    probabilities = [s.probability for s in found]
    assert probabilities == sorted(probabilities, reverse=True)
    for s in found:
        assert (s.relevance >= 4) == (s.probability >= load_model().least)


def test_the_order_of_the_candidates_changes_nothing() -> None:
    scored = _scored(TEXTS)
    question = "Why was apixaban stopped?"
    assert known_evidence(question, scored, _likeness()) == known_evidence(question, scored[::-1], _likeness())


def test_a_short_text_gives_all_it_has_and_none_gives_none() -> None:
    assert len(known_evidence("Why?", _scored(TEXTS[:2]), _likeness())) == 2
    assert known_evidence("Why?", [], _likeness()) == []


@pytest.mark.parametrize("name", USED)
def test_more_likeness_is_more_probable(name: str) -> None:
    features = np.zeros((2, len(FEATURES)))
    features[1, FEATURES.index(name)] = 0.5
    less, more = KnownModel(load_model().weights, 0.3, 4).probabilities(features)
    assert more > less
