"""Drugs and illness move what is measured the way they should."""

from __future__ import annotations

import itertools
from datetime import date, datetime, timedelta

import pytest

from chartcite.lab.longchart.facts.body import Body, Surge, flag_of, per_day
from chartcite.lab.longchart.facts.model import Dose, Person
from chartcite.lab.longchart.generate import records
from chartcite.lab.longchart.lexicon import load, units_of

PERSON = Person("t", "Test Person", "F", date(1950, 1, 1), "en", "dev", "welder", "lives alone", "X")
NOON = datetime(2015, 6, 1, 12, 0)


def _dose(drug: str, amount: str, freq: str) -> Dose:
    return Dose("d", drug, amount, "mg", freq, "oral", date(2014, 1, 1), step=1)


@pytest.mark.parametrize(
    ("ill", "drug", "amount", "freq", "analyte", "sign"),
    [
        ("diabetes2", "metformin", "1000", "bid", "hba1c", -1),
        ("hypothyroidism", "levothyroxine", "100", "qam", "tsh", -1),
        ("atrial_fibrillation", "warfarin", "5", "qpm", "inr", 1),
        ("heart_failure", "spironolactone", "25", "qd", "potassium", 1),
        ("hyperlipidemia", "atorvastatin", "40", "qhs", "ldl", -1),
    ],
)
def test_drugs_act(ill: str, drug: str, amount: str, freq: str, analyte: str, sign: int) -> None:
    body = Body(PERSON, 1)
    body.ill[ill] = date(2013, 1, 1)
    without = body.level(analyte, NOON, [])
    treated = body.level(analyte, NOON, [_dose(drug, amount, freq)])
    assert (treated - without) * sign > 0


def test_a_surge_rises_and_comes_back() -> None:
    surge = Surge(NOON, {"creatinine": 2.0})
    days = [surge.at(NOON + timedelta(days=d), "creatinine") for d in (0, 2, 8, 30)]
    assert days[1] == 2.0
    assert days[0] < days[1] > days[2] > days[3] == 0.0


def test_filtration_falls_as_creatinine_rises() -> None:
    body = Body(PERSON, 1)
    before = body.level("egfr", NOON, [])
    body.ill["ckd"] = date(2010, 1, 1)
    assert body.level("egfr", NOON, []) < before


def test_units_convert() -> None:
    home, second = units_of("creatinine", "en")
    assert (home.show(1.2), second.show(1.2)) == ("1.20", "106")
    assert units_of("hba1c", "en")[1].show(7.0) == "53"
    assert per_day("250-50", "bid") == 500.0
    assert flag_of("7.3", "<5.0") == "H"


def test_values_stay_within_what_a_body_can_do() -> None:
    limits = {
        "potassium": (2.4, 7.2),
        "sodium": (112, 155),
        "hemoglobin": (50, 190),
        "inr": (0.8, 9.0),
        "hba1c": (4, 130),
        "tsh": (0.01, 40),
    }
    for life, _ in records(3, 2, {"en": 1}, scale=0.3):
        for result in life.results:
            if result.analyte in limits:
                low, high = limits[result.analyte]
                value = float(result.shown)
                value *= 10 if result.unit == "g/dL" else 1
                assert low <= value <= high, (result.analyte, result.shown, result.unit)


def test_no_dose_overlaps_another_of_the_same_drug() -> None:
    for life, _ in records(4, 2, {"en": 1}, scale=0.3):
        for drug in {d.drug for d in life.doses}:
            mine = sorted((d for d in life.doses if d.drug == drug and not d.inpatient), key=lambda d: d.start)
            for one, two in itertools.pairwise(mine):
                assert one.end is not None
                assert one.end <= two.start
            ladder = load("drugs.toml").get(drug, {}).get("steps")
            assert ladder is None or all(f"{d.amount} {d.freq}" in ladder for d in mine)
