"""Claims that no cited sentence states but that follow from several: what is accepted, and why others are not."""

from __future__ import annotations

import pytest

from chartcite.facts.quantity_finder import find_quantities
from chartcite.verification.check import check_claim
from chartcite.verification.computed.days import bounds, days_between, is_before, is_so_long
from chartcite.verification.verdicts import CheckedClaim, Source

Cited = tuple[tuple[str, str], ...]

CREATININE: Cited = (("Cr 1.1 mg/dL", "2018-03-02"), ("| Creatinine | 1.9 | mg/dL | H | 0.60-1.20 |", "2019-01-10"))
CEFAZOLIN: Cited = (("Start cefazolin 2 g IV q8h.", "2013-03-06"), ("Cefazolin discontinued.", "2013-03-08"))
APIXABAN: Cited = (("Apixaban held for procedure.", "2013-03-06"), ("Resume apixaban 5 mg BID.", "2013-05-13"))
ALT: Cited = (("ALT 52 U/L", "2013-05-15"), ("ALT ........ 61 U/L (7-40) *H*", "2013-05-18"))
BICARBONATE: Cited = (
    ("HCO3 22 mEq/L", "2013-05-15"),
    ("Bicarbonate 29 mEq/L", "2013-05-18"),
    ("Labs: K 4.1, bicarbonate 26 mEq/L.", "2013-05-19"),
)
EVENTS: Cited = (
    ("Metoprolol 25 mg BID was started.", "2011-01-10"),
    ("Total knee arthroplasty today without complication.", "2013-03-06"),
)
POTASSIUM: Cited = (("K 4.0 mEq/L", "2013-05-15"), ("Potassium 4.0 mEq/L", "2013-05-18"))
PT_CREATININE: Cited = (("Creatinina 1,1 mg/dL", "2018-03-02"), ("Cr: 1,9 mg/dL (VR 0,6-1,2)", "2019-01-10"))
PT_CEFAZOLIN: Cited = (("Iniciada cefazolina 2 g IV 8/8h.", "2013-03-06"), ("Suspensa cefazolina.", "2013-03-08"))
RETOLD: Cited = (("Creatinine 1.9 mg/dL today, up from 1.1 mg/dL on 2 Mar 2018.", "2019-01-10"),)


def checked(claim: str, cited: Cited) -> CheckedClaim:
    return check_claim(claim, [Source(str(n), text, (), day) for n, (text, day) in enumerate(cited)])


TRUE = {
    "value by the note's day": ("Creatinine was 1.9 mg/dL (2019-01-10).", CREATININE[1:]),
    "latest": ("The latest creatinine was 1.9 mg/dL (2019-01-10).", CREATININE),
    "first": ("The first creatinine was 1.1 mg/dL (2018-03-02).", CREATININE),
    "change": ("Creatinine rose from 1.1 mg/dL (2018-03-02) to 1.9 mg/dL (2019-01-10), by 0.8 mg/dL.", CREATININE),
    "change in one sentence": (
        "Creatinine rose from 1.1 mg/dL (2018-03-02) to 1.9 mg/dL (2019-01-10), by 0.8 mg/dL.",
        RETOLD,
    ),
    "days written out": (
        "Creatinine rose by 0.8 mg/dL, from 1.1 mg/dL on March 2, 2018 to 1.9 mg/dL on January 10, 2019.",
        CREATININE,
    ),
    "backwards": ("Creatinine was 1.9 mg/dL (2019-01-10), up from 1.1 mg/dL (2018-03-02).", CREATININE),
    "to before from": ("Creatinine rose to 1.9 mg/dL (2019-01-10) from 1.1 mg/dL (2018-03-02).", CREATININE),
    "higher than": (
        "Creatinine was higher on 2019-01-10 (1.9 mg/dL) than on 2018-03-02 (1.1 mg/dL).",
        CREATININE,
    ),
    "difference behind two values": (
        "Creatinine was 1.1 mg/dL on 2018-03-02 and 1.9 mg/dL on 2019-01-10, an increase of 0.8 mg/dL.",
        CREATININE,
    ),
    "days between": (
        "On 2018-03-02 creatinine was 1.1 mg/dL, and on 2019-01-10 it was 1.9 mg/dL, 314 days later.",
        CREATININE,
    ),
    "percentage": (
        "Between March 2, 2018 and January 10, 2019 the creatinine increased by 73% from 1.1 to 1.9 mg/dL over about "
        "10 months.",
        CREATININE,
    ),
    "difference without values": ("Creatinine increased by 0.8 mg/dL between 2018-03-02 and 2019-01-10.", CREATININE),
    "nearly doubled": ("Creatinine nearly doubled, from 1.1 mg/dL (2018-03-02) to 1.9 mg/dL (2019-01-10).", CREATININE),
    "mean": ("The two creatinine values averaged 1.5 mg/dL.", CREATININE),
    "unchanged": ("Potassium did not change: 4.0 mEq/L (2013-05-15) and 4.0 mEq/L (2013-05-18).", POTASSIUM),
    "course": ("Cefazolin was begun on 2013-03-06 and ended on 2013-03-08, 2 days later.", CEFAZOLIN),
    "hold": ("Apixaban was held on 2013-03-06 and resumed on 2013-05-13, 68 days later.", APIXABAN),
    "length rounded": ("Apixaban was held on 2013-03-06 and resumed on 2013-05-13, about 2 months later.", APIXABAN),
    "length without the second day": ("Apixaban was held on 2013-03-06 and resumed about 2 months later.", APIXABAN),
    "count": ("ALT was above 40 U/L on 2 days in 2013: 52 U/L (2013-05-15), 61 U/L (2013-05-18).", ALT),
    "count without a list": ("ALT exceeded 40 U/L twice in 2013.", ALT),
    "range": (
        "Bicarbonate rose from 22 mEq/L (2013-05-15) to 26 mEq/L (2013-05-19), by 4 mEq/L. Of 3 values from 2013-05-15 "
        "to 2013-05-19 the lowest was 22 mEq/L (2013-05-15) and the highest 29 mEq/L (2013-05-18).",
        BICARBONATE,
    ),
    "order": ("The start of metoprolol (2011-01-10) came before the total knee arthroplasty (2013-03-06).", EVENTS),
    "stay": (
        "The hospital stay began on 2011-09-12 and ended on 2011-09-19, 7 days later.",
        (("In hospital from 9/12/11 until 9/19/11.", "2011-09-19"),),
    ),
    "in hospital": (
        "In hospital from 2011-09-12 until 2011-09-19 (7 days).",
        (("In hospital from 9/12/11 until 9/19/11.", "2011-09-19"),),
    ),
    "occasions": (
        "Upper endoscopy is recorded 2 times: 2014-07-12, 2015-06-19.",
        (("Upper endoscopy", "2014-07-12"), ("Upper endoscopy, no bleeding.", "2015-06-19")),
    ),
    "holds counted": (
        "Apixaban was held 2 times: 2013-03-06, 2014-05-15.",
        (APIXABAN[0], ("Hold apixaban.", "2014-05-15")),
    ),
    "at or above": (
        "ALT was at or above 52 U/L on 2 days in 2013: 52 U/L (2013-05-15), 61 U/L (2013-05-18).",
        ALT,
    ),
    "two units": (
        "Calcium rose from 1.25 mmol/L = 5.01 mg/dL (2013-05-15) to 9.1 mg/dL (2013-05-18), by 4.09 mg/dL.",
        (("Calcium 1.25 mmol/L", "2013-05-15"), ("Ca 9.1 mg/dL", "2013-05-18")),
    ),
    "dose": ("Gabapentin 600 mg tid (2017-06-12).", (("Gabapentin 600 mg TID", "2017-06-12"),)),
    "Portuguese change": (
        "A creatinina subiu de 1,1 mg/dL (02/03/2018) para 1,9 mg/dL (10/01/2019), em 0,8 mg/dL.",
        PT_CREATININE,
    ),
    "Portuguese latest": ("O valor mais recente da creatinina foi 1,9 mg/dL (10/01/2019).", PT_CREATININE),
    "Portuguese course": (
        "A cefazolina foi iniciada em 06/03/2013 e suspensa em 08/03/2013, 2 dias depois.",
        PT_CEFAZOLIN,
    ),
}


@pytest.mark.parametrize(("claim", "cited"), TRUE.values(), ids=TRUE.keys())
def test_what_follows_is_verified(claim: str, cited: Cited) -> None:
    found = checked(claim, cited)
    assert found.verified, (found.reason, found.uncovered)


WRONG = {
    "latest is not the last": ("The latest creatinine was 1.1 mg/dL (2018-03-02).", CREATININE, "order"),
    "direction": (
        "Creatinine fell from 1.1 mg/dL (2018-03-02) to 1.9 mg/dL (2019-01-10), by 0.8 mg/dL.",
        CREATININE,
        "direction",
    ),
    "difference": (
        "Creatinine rose from 1.1 mg/dL (2018-03-02) to 1.9 mg/dL (2019-01-10), by 0.9 mg/dL.",
        CREATININE,
        "number",
    ),
    "dates swapped": (
        "Creatinine rose from 1.1 mg/dL (2019-01-10) to 1.9 mg/dL (2018-03-02), by 0.8 mg/dL.",
        CREATININE,
        "date",
    ),
    "told backwards": (
        "Creatinine fell from 1.9 mg/dL (2019-01-10) to 1.1 mg/dL (2018-03-02), by 0.8 mg/dL.",
        CREATININE,
        "order",
    ),
    "without days, the wrong way": ("Creatinine fell from 1.9 to 1.1 mg/dL.", CREATININE, "order"),
    "percentage": (
        "Creatinine increased by 63% from 1.1 mg/dL (2018-03-02) to 1.9 mg/dL (2019-01-10).",
        CREATININE,
        "number",
    ),
    "tripled": ("Creatinine tripled, from 1.1 mg/dL (2018-03-02) to 1.9 mg/dL (2019-01-10).", CREATININE, "number"),
    "days": (
        "On 2018-03-02 creatinine was 1.1 mg/dL, and on 2019-01-10 it was 1.9 mg/dL, 304 days later.",
        CREATININE,
        "number",
    ),
    "unchanged": (
        "Creatinine did not change: 1.1 mg/dL (2018-03-02) and 1.9 mg/dL (2019-01-10).",
        CREATININE,
        "direction",
    ),
    "held is not stopped": (
        "Cefazolin was begun on 2013-03-06 and held on 2013-03-08, 2 days later.",
        CEFAZOLIN,
        "direction",
    ),
    "length": ("Cefazolin was begun on 2013-03-06 and ended on 2013-03-08, 3 days later.", CEFAZOLIN, "number"),
    "length of a stay": (
        "In hospital from 2011-09-12 until 2011-09-19 (8 days).",
        (("In hospital from 9/12/11 until 9/19/11.", "2011-09-19"),),
        "number",
    ),
    "count": ("ALT was above 40 U/L on 3 days in 2013: 52 U/L (2013-05-15), 61 U/L (2013-05-18).", ALT, "number"),
    "limit": ("ALT was above 60 U/L on 2 days in 2013: 52 U/L (2013-05-15), 61 U/L (2013-05-18).", ALT, "comparator"),
    "highest": (
        "Of 3 bicarbonate values from 2013-05-15 to 2013-05-19 the highest was 26 mEq/L (2013-05-19).",
        BICARBONATE,
        "comparator",
    ),
    "order": (
        "The start of metoprolol (2011-01-10) came after the total knee arthroplasty (2013-03-06).", EVENTS, "order",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("claim", "cited", "kind"), WRONG.values(), ids=WRONG.keys())
def test_what_comes_out_otherwise_is_a_veto(claim: str, cited: Cited, kind: str) -> None:
    found = checked(claim, cited)
    assert not found.verified
    assert kind in {veto.kind for veto in found.vetoes}


NOT_BORNE_OUT = {
    "note of another day": ("Creatinine was 1.9 mg/dL (2019-01-10).", (("Cr 1.9 mg/dL", "2019-01-11"),)),
    "note without a day": ("Creatinine was 1.9 mg/dL (2019-01-10).", (("Cr 1.9 mg/dL", ""),)),
    "the sentence names another day": (
        "Creatinine was 1.9 mg/dL (2019-01-10).",
        (("Cr 1.9 mg/dL on 2019-01-03.", "2019-01-10"),),
    ),
    "another time": (
        "Creatinine was 1.9 mg/dL (2019-01-10).",
        (("Creatinine last week was 1.9 mg/dL.", "2019-01-10"),),
    ),
    "goal": ("Hemoglobin was 8 g/dL (2019-01-10).", (("Goal hemoglobin 8 g/dL.", "2019-01-10"),)),
    "relative": (
        "Creatinine was 1.9 mg/dL (2019-01-10).",
        (("Her mother's creatinine was 1.9 mg/dL.", "2019-01-10"),),
    ),
    "words that nothing states": (
        "Creatinine rose from 1.1 mg/dL (2018-03-02) to 1.9 mg/dL (2019-01-10) after ibuprofen was started.",
        CREATININE,
    ),
    "claimed of a relative": (
        "Her mother's creatinine rose from 1.1 mg/dL (2018-03-02) to 1.9 mg/dL (2019-01-10).",
        CREATININE,
    ),
    "doubted": (
        "Creatinine possibly rose from 1.1 mg/dL (2018-03-02) to 1.9 mg/dL (2019-01-10).",
        CREATININE,
    ),
    "listed is not begun": (
        "Cefazolin was begun on 2013-03-06 and ended on 2013-03-08, 2 days later.",
        (("Cefazolin 2 g IV q8h.", "2013-03-06"), CEFAZOLIN[1]),
    ),
    "proposed": (
        "Cefazolin was begun on 2013-03-06 and ended on 2013-03-08, 2 days later.",
        (CEFAZOLIN[0], ("Consider stopping cefazolin.", "2013-03-08")),
    ),
    "planned operation": (
        "The start of metoprolol (2011-01-10) came before the total knee arthroplasty (2013-03-06).",
        (EVENTS[0], ("Total knee arthroplasty is planned.", "2013-03-06")),
    ),
    "operation of long ago": (
        "The start of metoprolol (2011-01-10) came before the total knee arthroplasty (2013-03-06).",
        (EVENTS[0], ("Status post total knee arthroplasty.", "2013-03-06")),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("claim", "cited"), NOT_BORNE_OUT.values(), ids=NOT_BORNE_OUT.keys())
def test_what_is_not_borne_out_stays_unverified(claim: str, cited: Cited) -> None:
    assert not checked(claim, cited).verified


def test_order_of_citations_changes_nothing() -> None:
    for claim, cited in TRUE.values():
        assert checked(claim, cited[::-1]).verified, claim


@pytest.mark.parametrize(
    ("span", "days", "holds"),
    [
        ("68 days", 68, True), ("68 days", 67, False), ("2 weeks", 14, True), ("2 weeks", 17, False),
        ("2 months", 61, True), ("2 months", 68, True), ("2 months", 75, False), ("about 2 months", 75, True),
        ("about 2 months", 92, False), ("3 years", 1096, True), ("3 years", 1300, False), ("1.5 years", 548, True),
        ("1.5 years", 600, False), ("more than 2 months", 75, True), ("less than 2 months", 75, False),
        ("about 70 days", 68, True), ("about 70 days", 80, False),
    ],
    ids=str,
)  # fmt: skip
def test_lengths_are_rounded_as_a_reader_would(span: str, days: int, holds: bool) -> None:
    (quantity,) = find_quantities(span)
    assert is_so_long(quantity, days) is holds


def test_hours_are_not_computed_from_days() -> None:
    (quantity,) = find_quantities("48 hours")
    assert is_so_long(quantity, 2) is None


def test_days_of_any_precision() -> None:
    assert is_before("2019-02", "2019-03-01") is True
    assert is_before("2019-02", "2019-02-10") is None
    assert is_before("2019-02-10", "2019-02-10") is False
    assert days_between("2020-02-28", "2020-03-01") == 2
    assert days_between("2020-02", "2020-03-01") is None
    assert bounds("2019-02-30") is None
