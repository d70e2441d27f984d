"""Which sentences state the patient's own value or dose, and of what day."""

from __future__ import annotations

import pytest

from chartcite.cascade.statements import stated_on, wanted

WRITTEN = "2020-01-15"


@pytest.mark.parametrize(
    ("query", "analytes", "drugs"),
    [
        ("latest potassium", {"potassium"}, set()),
        ("latest dose of potassium chloride", set(), {"potassium chloride"}),
        ("Give the first BUN on file", {"blood urea nitrogen"}, set()),
        ("what dose of Advair was taken", set(), {"fluticasone-salmeterol"}),
        ("when was the patient admitted", set(), set()),
    ],
)
def test_what_is_wanted(query: str, analytes: set[str], drugs: set[str]) -> None:
    found = wanted(query)
    assert found.analytes == analytes
    assert found.drugs == drugs
    assert bool(found) is bool(analytes or drugs)


def test_the_words_for_it_are_kept() -> None:
    assert wanted("how high was the total bilirubin last week").words == {"total", "bilirubin"}


@pytest.mark.parametrize(
    ("sentence", "day"),
    [
        ("Vitamin B12     355   pg/mL   200-900", WRITTEN),
        ("| Potassium | 3.9 | mEq/L |  | 3.5-5.0 |", WRITTEN),
        ("Potassium ........ 3.9 mEq/L (3.5-5.0)", WRITTEN),
        ("BP 113/63 mmHg, HR 66.", WRITTEN),
        ("Potassium was 5.1 mEq/L on July 31, 2014.", "2014-07-31"),
        ("Back on 15 Dec 2010, potassium had been 4.0 mEq/L.", "2010-12-15"),
        ("Potassium was 5.1 mEq/L on 03/04/2014.", "2014-03-04"),  # or 3 April: the earlier reading
        ("Was 4.8 mEq/L on 2011-11-30, potassium now 4.2 mEq/L.", WRITTEN),
        ("Goal potassium above 4.0 mEq/L.", None),
        ("Potassium was checked.", None),
        ("Sodium 138 mmol/L.", None),
        ("Reference range of potassium 3.5-5.0 mEq/L.", None),
    ],
)
def test_values(sentence: str, day: str | None) -> None:
    assert stated_on(sentence, WRITTEN, wanted("potassium vitamin B12 blood pressure")) == day


@pytest.mark.parametrize(
    ("sentence", "day"),
    [
        ("Gabapentin 300 mg b.i.d. - continue", WRITTEN),
        ("Neurontin 300 mg BID, taking it faithfully.", WRITTEN),
        ("Gabapentin went from 300 mg to 600 mg at night.", WRITTEN),
        ("Recall that gabapentin (100 mg nightly) dates from 2011-05-09.", "2011-05-09"),
        ("His brother-in-law takes gabapentin 300 mg TID.", None),
        ("The gabapentin 300 mg on the counter is his cousin's, not his.", None),
        ("At home there is also gabapentin 300 mg, which belongs to his spouse.", None),
        ("Clinic proposed gabapentin 300 mg; he never filled it.", None),
        ("If this does not settle, the next step would be gabapentin 300 mg at night.", None),
        ("Plan: gabapentin is raised from 300 mg to 600 mg at night.", WRITTEN),
        ("Plan: consider gabapentin 300 mg at night.", None),
        ("In light of her pain she will start Neurontin 100 mg at night.", WRITTEN),
        ("If it gets worse she will start gabapentin 100 mg at night.", None),
        ("Outside clinic proposed gabapentin 600 mg.", None),
        ("Gabapentin was discussed.", None),
        ("Metformin 500 mg twice daily.", None),
    ],
)
def test_doses(sentence: str, day: str | None) -> None:
    assert stated_on(sentence, WRITTEN, wanted("dose of gabapentin")) == day
