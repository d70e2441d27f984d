"""Other words for the same: phrases, learned words, abbreviations by context, kinds of things, measured findings."""

from __future__ import annotations

import pytest

from chartcite.facts.lexicon import read_rows
from chartcite.verification.check import check_claim
from chartcite.verification.concepts import DATA, sense_keys
from chartcite.verification.derivation import entailed_keys
from chartcite.verification.stems import stem
from chartcite.verification.verdicts import Source


def is_verified(claim: str, cited: str) -> bool:
    return check_claim(claim, [Source("1", cited)]).verified


@pytest.mark.parametrize(
    ("claim", "cited"),
    [
        # phrases, inflected, in any order, with a word between
        ("The spleen was taken out.", "S/p splenectomy."),
        ("The patient had the uterus removed.", "PSH: hysterectomy."),
        ("Her ankles were swollen.", "Ankle edema."),
        ("The patient has trouble swallowing.", "Reports dysphagia."),
        ("She threw up blood.", "Hematemesis."),
        ("He could not sleep.", "C/o insomnia."),
        ("No auditory or visual hallucinations.", "Denies AVH."),
        # a combination with a slash or a hyphen, in either order
        ("Entresto was started.", "Started sacubitril/valsartan."),
        ("Takes Bactrim daily.", "Trimethoprim-sulfamethoxazole daily."),
        # a brand says the drug, a drug its class, a combination its components
        ("The patient takes a statin.", "Atorvastatin 40 mg daily."),
        # what a word made of Greek and Latin parts says
        ("Fluid was drained from the chest.", "Thoracentesis."),
        ("A stone in the kidney.", "Nephrolithiasis."),
        # part and whole, test and imaging
        ("Imaging showed a fibroid.", "Ultrasound: fibroid."),
        ("The foot is injured.", "Injured toe."),
        # clipped names of drugs, and a brand for them
        ("Atorvastatin was started.", "Atorva 40 qHS started."),
        ("The patient takes Decadron.", "Dex 4 mg PO daily."),
        # abbreviations by what stands beside them
        ("The patient has contractions.", "Cervix 3 cm, ctx q5 min."),
        ("She received ceftriaxone for a UTI.", "UTI: ctx 1 g IV."),
        ("The pressure in the right eye was 18 mmHg.", "IOP 18 mmHg OD, 25 mmHg OS."),
        ("The cataract in the left eye was removed.", "Cataract OS removed."),
        # a phrase whose words end in s without their e
        ("The lung was collapsed.", "Collapsed lung."),
        # irregular forms
        ("The calves are tender.", "Tender calf."),
        ("The fever has risen.", "Fever rose."),
    ],
)
def test_other_words_for_the_same_are_accepted(claim: str, cited: str) -> None:
    assert is_verified(claim, cited)


@pytest.mark.parametrize(
    ("claim", "cited"),
    [
        # the specific is never claimed from the general, nor a sibling
        ("Toe pain.", "Foot pain."),
        ("The gallbladder was removed.", "S/p splenectomy."),
        ("The patient had a splenectomy.", "Abdominal surgery in 2010."),
        ("Tongue swelling after nuts.", "Lip swelling after nuts."),
        ("Takes rosuvastatin.", "Takes a statin."),
        ("The patient received alteplase.", "Tenecteplase given."),
        ("The patient has cancer.", "PSA 0.4."),
        ("She has depression.", "PHQ-9 done."),
        ("The patient was given a transfusion.", "RBC 4.5."),
        ("The amniotomy was painful.", "Arm painful."),
        ("The pressure in the right eye was 25 mmHg.", "IOP 18 mmHg OD, 25 mmHg OS."),
        ("Takes sacubitril/valsartan.", "Takes valsartan."),
        ("The thoracic aneurysm is stable.", "AAA is stable."),
        # a denial inside a phrase stays a denial
        ("The patient has a drug allergy.", "No known drug allergies."),
        ("He slept well.", "C/o insomnia."),
        ("The patient has influenza.", "Had a flu shot."),
        ("The patient's wife called.", "T/C from husband."),
        ("Acute renal failure.", "Renal failure on dialysis."),
    ],
)
def test_other_words_for_something_else_are_refused(claim: str, cited: str) -> None:
    assert not is_verified(claim, cited)


@pytest.mark.parametrize(
    ("claim", "cited", "expected"),
    [
        ("The patient had a fever.", "Temp 38.6 C, HR 88.", True),
        ("The patient was febrile.", "T 101.2 F.", True),
        ("The patient had a fever.", "Temp 37.4 C, HR 88.", False),
        ("The patient had no fever.", "Temp 38.6 C.", False),
        ("The patient was tachycardic.", "BP 120/70, HR 124.", True),
        ("The patient was tachycardic.", "BP 140/70, HR 84.", False),
        # 150 is no fast pulse in a newborn
        ("The patient was tachycardic.", "2-day-old newborn, HR 150.", False),
        ("The potassium was low.", "Na 138, K 3.1.", True),
        ("The sodium was low.", "Na 138, K 3.1.", False),
        ("The potassium was low.", "K goal 3.1.", False),
        ("The patient was hypotensive.", "BP 82/50, HR 110.", True),
        ("The patient was hypoxic.", "SpO2 84% on room air.", True),
        ("The patient was hypoxic.", "SpO2 94% on room air.", False),
    ],
)
def test_findings_that_a_value_entails(claim: str, cited: str, expected: bool) -> None:
    assert is_verified(claim, cited) is expected


def test_stems_of_irregular_forms() -> None:
    words = "fell fallen falls grew bled broken menisci calves moved moving noted stopped"
    assert [stem(word) for word in words.split()] == [
        "fall", "fall", "fall", "grow", "bleed", "break", "meniscus", "calf", "move", "move", "note", "stop",
    ]  # fmt: skip


def test_an_abbreviation_has_the_meaning_that_its_sentence_speaks_for() -> None:
    joint = sense_keys("RA", frozenset(("methotrexate", "joint")))
    air = sense_keys("RA", frozenset(("sats", "oxygen")))
    assert joint
    assert air
    assert not joint & air
    assert not sense_keys("RA", frozenset(("seen",)))


def test_a_learned_word_needs_a_known_start_and_a_known_end() -> None:
    assert {"kidney", "surgery"} <= entailed_keys("nephrectomy")
    assert not entailed_keys("dichotomy")
    assert not entailed_keys("kidney")


def test_thresholds_are_well_formed() -> None:
    for names, units, whom, low, high, findings, convention in read_rows(DATA, "thresholds.tsv"):
        assert all((names, units, findings, convention))
        assert whom in ("adult", "all")
        assert "*" in (low, high) or float(low) < float(high)


def test_no_spelling_is_twice_in_one_group_of_paraphrases() -> None:
    for group in read_rows(DATA, "paraphrases.tsv"):
        assert len(group) > 1
        assert len(set(group)) == len(group)
