"""How a claim and its source assert the same thing: denied, ended, planned, of the past, of a relative."""

from __future__ import annotations

import pytest

from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source


def is_verified(claim: str, cited: str) -> bool:
    return check_claim(claim, [Source("1", cited)]).verified


@pytest.mark.parametrize(
    ("claim", "cited"),
    [
        # two denials, and denials of a subject
        ("Neither knee is free of swelling.", "Swelling over both knees."),
        ("The left lung is not free of fluid.", "Fluid in the left lung."),
        ("Biopsy was unnecessary.", "Biopsy not needed."),
        ("Blood in the urine is absent.", "No blood in the urine."),
        # words that are no cue here
        ("This is the twenty-fourth infusion of natalizumab.", "Natalizumab infusion no. 24 today."),
        ("Weight is 84 kg.", "Weight 84 kg vs 88 kg last month."),
        ("Cultures grew coagulase-negative staphylococci.", "Cultures grew coagulase-negative staphylococci."),
        ("The hepatitis is due to alcohol.", "Hepatitis due to alcohol."),
        ("Heparin 5,000 units was given.", "Heparin 5,000 units given for prophylaxis."),
        ("The nodule measures 9 mm.", "CT without contrast: 9 mm nodule, no effusion."),
        ("Micafungin 100 mg is given daily.", "Micafungin 100 mg daily x14 d from first negative culture."),
        # withheld, forbidden, the last time
        ("A lumbar puncture was not done.", "Lumbar puncture deferred."),
        ("The patient should not be given magnesium.", "Avoid macrolides and magnesium."),
        ("The patient is no longer to take digoxin.", "STOP: amiodarone, digoxin."),
        ("Heroin has not been used for four months.", "Last heroin use 4 months ago."),
        # what stands beside an end
        ("The eGFR was 24.", "Metformin stopped d/t eGFR 24."),
        ("He got 10 mg of vitamin K.", "Warfarin was reversed with 10 mg vitamin K."),
        ("The FiO2 is 0.35.", "FiO2 weaned from 0.6 to 0.35."),
        ("There is a tear of the ligament.", "Complete tear of the ligament."),
        # relatives
        ("The patient's maternal grandmother had ovarian cancer.", "MGM w/ ovarian cancer."),
        ("The wife was taught the injections.", "Wife taught the injections."),
        ("Her mother has factor V Leiden.", "Her mother, but not she herself, has factor V Leiden."),
    ],
)
def test_true(claim: str, cited: str) -> None:
    assert is_verified(claim, cited)


@pytest.mark.parametrize(
    ("claim", "cited"),
    [
        ("Neither knee is swollen.", "Swelling over both knees."),
        ("The left lung is free of fluid.", "Fluid in the left lung."),
        ("The patient is still in the ICU.", "Transferred from the ICU to the ward on 3/4."),
        ("The baby's haemoglobin is 98.", "Postnatal ward: lochia moderate, perineum sutured, haemoglobin 98."),
        ("The tumor is HER2 positive.", "Tumor ER 8/8, HER2 1+ (negative)."),
        ("She has plans to harm herself.", "Mood low, no plans to harm herself."),
        ("The patient lost consciousness.", "Restrained driver, +airbag, -LOC."),
        ("Heroin has not been used for four years.", "Last heroin use 4 months ago."),
        ("The patient should not be given calcium.", "Avoid macrolides and magnesium."),
        ("A lumbar puncture was done.", "Lumbar puncture deferred."),
        ("The patient takes digoxin.", "STOP: amiodarone, digoxin."),
        ("The patient takes metformin.", "Metformin stopped d/t eGFR 24."),
        ("The patient is on sertraline.", "Husband supportive, he is on sertraline."),
        ("The patient's sister had ovarian cancer.", "Sister w/ gout, MGM w/ ovarian cancer."),
        ("The mother had polycystic kidneys.", "Grandmother on his mother's side had polycystic kidneys."),
        ("The patient has factor V Leiden.", "Her mother, but not she herself, has factor V Leiden."),
    ],
)
def test_wrong(claim: str, cited: str) -> None:
    assert not is_verified(claim, cited)
