"""Values of tables and lab panels: the right thing, unit and day, or nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.unit.records.reading import told, values

from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source

NOTE = "2031-03-03"
ACROSS = "LABS\n            3/1    3/2\nNa          138    141\n"
SODIUM = {
    "days across": (ACROSS, [("2031-03-01", "138"), ("2031-03-02", "141")]),
    "days down": (
        "        Na    K\n3/1     138   4.1\n3/2     141   3.8\n",
        [("2031-03-01", "138"), ("2031-03-02", "141")]
    ),
    "hours down": ("        Na    K\n06:00   138   4.1\n18:00   141   4.4\n", [(NOTE, "138"), (NOTE, "141")]),
    "a day that is missing": ("       3/1   3/2\nNa           141\n", [("2031-03-02", "141")]),
    "the unit in the name": (
        "               3/1   3/2\nNa (mmol/L)    138   141\n",
        [("2031-03-01", "138 mmol/L"), ("2031-03-02", "141 mmol/L")]
    ),
    "the unit in a column": (
        "| Test | Result | Units |\n|---|---|---|\n| Sodium | 138 | mmol/L |\n",
        [(NOTE, "138 mmol/L")]
    ),
    "the limits first": ("Test     Reference   Result\nSodium   136-145     139\n", [(NOTE, "139")]),
    "a goal beside it": ("Test     Result   Goal\nSodium   131      135\n", [(NOTE, "131")]),
    "the day in a cell": (
        "| Test | Result | Date |\n|---|---|---|\n| Sodium | 138 | 2031-03-01 |\n",
        [("2031-03-01", "138")]
    ),
    "the day in the first cell": (
        "| Collected | Test | Value |\n|---|---|---|\n| 2031-03-01 | Sodium | 138 |\n",
        [("2031-03-01", "138")]
    ),
    "a heading with its day": (
        "Chemistry, collected 2031-03-01\nSodium       133   mmol/L\n",
        [("2031-03-01", "133 mmol/L")]
    ),
    "a string": ("[**2031-3-1**] 05:10AM BLOOD Na-138 K-4.1\n", [("2031-03-01", "138")]),
    "a string of another specimen": ("2031-03-01 05:10AM URINE K-40 Na-22\n", []),
    "a string without a day": ("Labs: WBC-7.7 Na-138\n", [(NOTE, "138")]),
    "no head": ("Na      138    141\n", []),
    "heads that say no day": ("       Supine   Standing\nNa     138      141\n", []),
    "another person's column": ("       Mother   3/2\nNa     138      141\n", [("2031-03-02", "141")]),
    "what is not only a number": ("       3/1            3/2\nNa     138 (140?)     141\n", [("2031-03-02", "141")]),
    "two panels beside each other": ("Labs 3/2        Labs 3/3\nNa 131          Na 140\n", []),
    "days in brackets": (
        "Labs (3/1): Na 138, K 4.8; (3/2): Na 141, K 4.1",
        [("2031-03-01", "138"), ("2031-03-02", "141")]
    ),
    "drugs": ("| Drug | Dose |\n|---|---|\n| Sodium chloride | 500 mg |\n", []),
}  # fmt: skip


@pytest.mark.parametrize(("text", "found"), SODIUM.values(), ids=SODIUM.keys())
def test_sodium(text: str, found: list[tuple[str, str]]) -> None:
    assert told((NOTE, text), of="sodium") == found


def test_a_flag_and_limits_in_columns_of_their_own() -> None:
    text = "Test        Value   Unit     Range     Flag\nPotassium   6.9     mmol/L   3.5-5.1   HH\n"
    ((value,),) = (series.values for series in values((NOTE, text), of="potassium"))
    assert (value.flag, value.reference, value.amount.unit) == ("critical", "3.5-5.1", "mmol/L")
    assert value.text == "6.9"
    assert value.sources[0].quote.startswith("Potassium")


def test_a_letter_of_a_name_is_no_unit() -> None:
    text = "Test               Result  Flag Units    Reference\n25-OH vitamin D        31       ng/mL    30-100\n"
    assert told((NOTE, text), of="25-hydroxyvitamin D") == [(NOTE, "31 ng/mL")]


def test_a_drawn_panel_is_no_pressure() -> None:
    assert values((NOTE, "BMP: 138/4.1 | 102/24 | 18/1.2 < 110"), of="blood pressure") == []


def test_a_report_is_put_right_by_a_later_one() -> None:
    report = "Analyte       Value   Unit    Range\nCreatinine    168     mg/dL   44-80\n"
    addendum = (
        "CORRECTED REPORT. The creatinine of 2031-03-01 was printed with the wrong unit.\n"
        "Corrected: creatinine 168 µmol/L.\n"
    )
    (series,) = values(("2031-03-01", report), ("2031-03-02", addendum), of="creatinine")
    assert [(v.day, v.amount.unit, v.standing) for v in series.values] == [
        ("2031-03-01", "mg/dL", "corrected"), ("2031-03-01", "umol/L", "correction"),
    ]  # fmt: skip
    assert [v.amount.low for v in series.values] == [Fraction(168)] * 2


ROW = Source("1", "Na          138    141", (), NOTE, "d1", "            3/1    3/2")
CLAIMS = {
    "Sodium was 141 (2031-03-02).": "supported",
    "Sodium was 138 (2031-03-02).": "contradicted",
    "Sodium was 138 (2031-03-01).": "supported",
    "Sodium was 141 on 2031-03-03.": "contradicted",
    "The sodium rose from 138 (2031-03-01) to 141 (2031-03-02).": "supported",
    "The sodium fell from 138 (2031-03-01) to 141 (2031-03-02).": "contradicted",
}


@pytest.mark.parametrize(("claim", "verdict"), CLAIMS.items(), ids=CLAIMS.keys())
def test_a_claim_about_a_cell(claim: str, verdict: str) -> None:
    assert check_claim(claim, [ROW]).verdict == verdict
