"""The latest, first or dated statement among many."""

from __future__ import annotations

from chartcite.cascade.dated import statements
from chartcite.cascade.score.rules import Scored
from chartcite.cascade.statements import NOTHING, wanted
from chartcite.core.answer import Interpretation
from chartcite.core.documents import Sentence
from chartcite.retrieval.candidates import Candidate


def scored(text: str, date: str, probability: float = 0.5, coverage: float = 1.0) -> Scored:
    order = int(date.replace("-", "")) if date else 0
    place = Candidate(
        text, "", Sentence(1, 0, len(text)), order, 0, len(text), date, hit_rank=1, date=date, order=order,
        coverage=coverage,
    )  # fmt: skip
    return Scored(place, 5, probability, 0.0)


POOL = [
    scored("Creatinine 1.1 mg/dL.", "2019-02-01"),
    scored("Creatinine 1.4 mg/dL.", "2020-03-01", 0.01),
    scored("Creatinine goal below 1.5 mg/dL.", "2021-05-01", 0.9),
    scored("Creatinine was 1.1 mg/dL on 2019-02-01.", "2021-06-01", 0.9),
    scored("In 2017 it was measured elsewhere; creatinine was 0.9 mg/dL on 2017-04-04.", "2021-06-02"),
    scored("Creatinine 9.9 mg/dL.", ""),
]


def found(kind: str, query: str, pool: list[Scored], period: str = "") -> tuple[list[str], list[str]]:
    told: list[str] = []
    asked = Interpretation(query, kind, period=period)  # type: ignore[arg-type]
    return [s.candidate.text for s in statements(asked, pool, wanted(query), lambda _: True, told.append)], told


def test_the_latest_is_neither_a_goal_nor_retold() -> None:
    assert found("latest", "latest creatinine", POOL)[0][0] == "Creatinine 1.4 mg/dL."


def test_the_first_may_be_told_later() -> None:
    first, _ = found("first", "first creatinine", POOL)
    assert first[0].startswith("In 2017")
    assert first[1] == "Creatinine was 1.1 mg/dL on 2019-02-01."  # of the same day as its source, and likelier
    assert first[2] == "Creatinine 1.1 mg/dL."


def test_a_named_day_takes_what_was_measured_then_whenever_it_was_written() -> None:
    both = ["Creatinine was 1.1 mg/dL on 2019-02-01.", "Creatinine 1.1 mg/dL."]
    assert sorted(found("fact", "creatinine", POOL, "2019-02-01")[0]) == sorted(both)


def test_a_value_of_another_day_is_none_of_this_one() -> None:
    assert found("fact", "creatinine", POOL, "2019-02-03") == ([], [])


def test_the_latest_known_on_a_day_may_be_older_and_is_said_to_be() -> None:
    texts, told = found("latest", "latest creatinine", POOL, "2019-12-24")
    assert texts[0] == "Creatinine 1.1 mg/dL."
    assert told == ["before_the_period"]


def test_a_dose_goes_on_until_it_is_changed() -> None:
    doses = [
        scored("Gabapentin 100 mg at night.", "2018-01-01"),
        scored("Gabapentin 300 mg at night.", "2019-01-01"),
        scored("Gabapentin 600 mg at night.", "2020-01-01"),
    ]
    assert found("fact", "what dose of gabapentin", doses, "2019-06")[0][0] == "Gabapentin 300 mg at night."


def test_other_questions_are_not_answered_here() -> None:
    assert found("fact", "creatinine", POOL) == ([], [])
    assert found("latest", "last creatinine before the start of warfarin", POOL) == ([], [])
    assert statements(Interpretation("x", "latest"), POOL, NOTHING, lambda _: True, lambda _: None) == []
