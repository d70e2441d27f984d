"""Kinds of wrong claims that once passed, each with a true claim beside it that must go on passing."""

from __future__ import annotations

import pytest

from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source


def is_verified(claim: str, cited: str) -> bool:
    return check_claim(claim, [Source(str(n), text) for n, text in enumerate(cited.split(" || "))]).verified


@pytest.mark.parametrize(
    ("claim", "cited"),
    [
        # A relative's figure, and the patient's.
        ("Her husband weighs 70 kg.", "She weighs 70 kg. Husband present at visit."),
        ("His father is 61 years old.", "He is 61 years old; father deceased."),
        ("The patient weighs 70 kg.", "Her husband weighs 70 kg."),
        # A value that the same sentence has a newer one of.
        ("Hb is 12.", "Hb 12 in 2019, 9 today."),
        ("Creatinine is 1.1 now.", "Creatinine 1.1 in March, 2.4 now."),
        ("She now takes prednisone 40 mg.", "On prednisone 40 mg; dose cut to 20 mg."),
        # Now, still and already, where the record tells of another time.
        ("The child is in the burn unit now.", "Burn unit stay at age 4, never grafted."),
        ("The arm is still swollen.", "Vaccine given Monday; arm swollen that evening only."),
        ("The patient still has a catheter.", "Catheter placed 3 May. || Catheter out on 6 May."),
        ("The patient is currently anticoagulated.", "Last anticoagulated in 2016."),
        ("The patient is already in rehab.", "Goal: rehab by Friday."),
        # A restriction cut off.
        ("Oxygen 2 L", "Oxygen 2 L at night only"),
        ("Oxygen 2 L", "Oxygen 2 L at night only."),
        ("Oxygen 2 L is used.", "Oxygen 2 L only with exertion."),
        ("Splint to the wrist.", "Splint to the wrist only during sport."),
        # By how much, where only a change, or another one, is told.
        ("The dose was tripled.", "The dose was doubled."),
        ("The dose was doubled.", "The dose was increased."),
        ("Creatinine was halved.", "Creatinine was reduced."),
        # Mixed from two sentences.
        ("Chest x-ray was clear.", "Chest clear. X-ray ordered."),
        ("The abdominal CT was normal.", "Abdomen normal. || CT ordered."),
        # Prefixes that stand apart.
        ("Intra-articular steroid injection.", "Extra-articular steroid injection."),
        ("Articular fracture.", "Extra-articular fracture."),
        ("A supraclavicular node.", "An infraclavicular node."),
        # Sex.
        ("A man with asthma.", "A woman with asthma."),
        ("He has asthma.", "She has asthma."),
        ("She has asthma.", "68M with asthma."),
        # A denial that reaches only figures and words without content of their own.
        ("The drug was not given to 12 patients.", "The drug was given to 12 patients."),
        ("It was not given in a dose of 5 mg.", "It was given in a dose of 5 mg."),
        ("Samples were not tested for antibodies.", "Samples were tested for antibodies."),
        ("It was not seen on the scan.", "It was seen on the scan."),
        ("Exposure was not measured in 20 patients.", "Exposure was measured in 20 patients."),
        ("The form was not used in 119 patients.", "The form was not translated. It was used in 119 patients."),
        ("The drug was not used in adults.", "The drug was not given in the ward. The drug was used in adults."),
        # A denied word that the same sentence asserts, beside another possibility that it names of something else.
        (
            "BTEB was not reduced in both the low and high exposures.",
            "BTEB was reduced in both the low and high exposures.",
        ),
        ("TSH was not elevated in men by the low dose.", "TSH was elevated in men by the low dose."),
        # What is left is no side.
        ("Two weeks are left of the course.", "Left leg swelling, two weeks of the course."),
        ("Left leg swelling.", "Two weeks are left of the course, leg swelling."),
    ],
)
def test_wrong(claim: str, cited: str) -> None:
    assert not is_verified(claim, cited)


@pytest.mark.parametrize(
    ("claim", "cited"),
    [
        ("The drug was not given to 12 patients.", "In all, the drug was not given to 12 patients, who were too ill."),
        ("Samples were not tested for antibodies.", "Samples were frozen and were not tested for antibodies."),
        ("Her husband weighs 90 kg.", "Husband weighs 90 kg and is well."),
        ("The sister had breast cancer at 41.", "Family history: sister with breast cancer at 41."),
        ("She weighs 70 kg.", "She weighs 70 kg. Husband present at visit."),
        ("Hb is 9.", "Hb 12 in 2019, 9 today."),
        ("Hb was 12 in 2019.", "Hb 12 in 2019, 9 today."),
        ("Prednisone was cut to 20 mg.", "On prednisone 40 mg; prednisone cut to 20 mg."),
        ("The patient is now on the burn unit.", "Now on the burn unit, stable."),
        ("The patient still has a catheter.", "Catheter still in place."),
        ("Oxygen 2 L at night.", "Oxygen 2 L at night only"),
        ("The ankle is sprained.", "Ankle: sprain only, weight bearing as tolerated."),
        ("The chest x-ray was clear.", "Chest x-ray clear. Sputum sent."),
        ("The abdominal CT was normal.", "Abdomen soft. CT abdomen normal."),
        ("Intra-articular steroid injection.", "Steroid injection, intra-articular."),
        ("An extra dose of furosemide was given.", "Extra dose of furosemide given."),
        ("A dose of furosemide was given.", "Extra dose of furosemide given."),
        ("She has asthma.", "41F with asthma."),
        ("He has asthma.", "Asthma; his mother was a smoker and she has COPD."),
        ("The patient has asthma.", "She has asthma."),
        ("Three tablets are left.", "Three tablets left."),
        ("The left leg is swollen.", "Left leg swollen, two weeks left of the course."),
        ("The dose was increased.", "The dose was doubled."),
        ("Creatinine doubled.", "Creatinine rose from 1.0 to 2.0."),
    ],
)
def test_true(claim: str, cited: str) -> None:
    assert is_verified(claim, cited)
