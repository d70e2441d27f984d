"""Topics: what a person may call a thing, and the sieve that must let all of it through."""

from __future__ import annotations

import pytest
from tests.unit.records.reading import Notes

from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.records.encounters import encounters
from chartcite.records.topic import UnknownTopic, topic_of, values_sieve


def test_names_of_all_kinds() -> None:
    assert topic_of("Hb").analytes == {"hemoglobin"}
    assert topic_of("creatinina").analytes == {"creatinine"}
    assert topic_of("Zestril").drugs == {"lisinopril"}
    both = topic_of("HbA1c and metformin")
    assert both.analytes == {"HbA1c"}
    assert both.drugs == {"metformin"}


def test_an_unknown_name_is_refused_without_repeating_it() -> None:
    with pytest.raises(UnknownTopic) as caught:
        topic_of("the patient's secret")
    assert "secret" not in f"{caught.value} {caught.value.advice}"


@pytest.mark.parametrize("row", read_rows(FACTS, "measurements.tsv"), ids=lambda row: row[0])
def test_the_sieve_lets_every_spelling_through(row: tuple[str, ...]) -> None:
    sieve = values_sieve(frozenset([row[0]]))
    for spelling in row[3].split("|"):
        assert sieve.lets_through(f"on Monday: {spelling.removesuffix('*')} 3.1"), spelling


def test_the_sieve_holds_the_rest_back() -> None:
    assert not values_sieve(frozenset(["creatinine"])).lets_through("BP 120/80, weight 70 kg")
    assert values_sieve(frozenset(["blood pressure"])).lets_through("120/80")
    assert values_sieve(frozenset()).lets_through("120/80")


def test_notes_without_an_encounter_belong_to_none() -> None:
    assert encounters(Notes([("2020-01-01", "x")]).documents()) == []
