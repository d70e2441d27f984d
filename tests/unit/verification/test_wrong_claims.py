"""Claims that look like what they cite and say something else: found by reading the rules against themselves."""

from __future__ import annotations

import pytest

from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source


@pytest.mark.parametrize(
    ("claim", "cited"),
    [
        ("Both knees were swollen and tender.", "Left knee swollen and tender."),
        ("Both eyes are red and itchy.", "Left eye red and itchy."),
        ("No bleeding after surgery.", "No bleeding before surgery."),
        ("Antibiotics were given after surgery.", "Antibiotics were given before surgery."),
        ("Heparin was stopped before surgery.", "Heparin stopped postop."),
        ("The patient was discharged home.", "The patient was discharged to hospice."),
        ("The patient went home.", "The patient was discharged to SNF."),
        ("He quit drinking.", "He quit smoking."),
        ("She was transferred from the ICU.", "She was transferred to the ICU."),
        ("Discharged to rehab.", "Discharged from rehab."),
    ],
)
def test_is_refused(claim: str, cited: str) -> None:
    assert not check_claim(claim, [Source("s", cited)]).verified


@pytest.mark.parametrize(
    ("claim", "cited"),
    [
        ("Aspirin and clopidogrel were both stopped.", "Aspirin and clopidogrel stopped."),
        ("Both knees were swollen and tender.", "Bilateral knees swollen and tender."),
        ("The antibiotics were given before surgery.", "Antibiotics given preop."),
        ("The patient was discharged.", "The patient was discharged home."),
        ("The patient was sent home.", "The patient was discharged home."),
        ("She stopped taking warfarin.", "Warfarin stopped."),
        ("He quit smoking.", "He stopped smoking."),
        ("She was moved to the ICU.", "She was transferred to the ICU from the ward."),
    ],
)
def test_is_not_refused_with_it(claim: str, cited: str) -> None:
    assert check_claim(claim, [Source("s", cited)]).verified
