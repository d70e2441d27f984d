"""Interpretation of Portuguese questions: kind, time, focus, with and without accents, as people write them."""

from __future__ import annotations

import unicodedata

import pytest

from chartcite.cascade.interpret.rules import interpret

CASES = [
    # question, kind, period, whether the time is open, focus
    ("Qual a última creatinina?", "latest", "", False, "creatinina"),
    ("Qual foi a creatinina mais recente do paciente?", "latest", "", False, "creatinina"),
    ("valor mais recente da hemoglobina glicada", "latest", "", False, "hemoglobina glicada"),
    ("Me fala a última glicemia", "latest", "", False, "glicemia"),
    ("Qual dose de varfarina ele tá tomando hoje?", "latest", "", False, "varfarina"),
    ("ta tomando losartana?", "latest", "", False, "losartana"),
    ("Tá usando insulina ainda?", "latest", "", False, "insulina"),
    ("Qual a dose atual de metformina?", "latest", "", False, "metformina"),
    ("Em que dose varfarina foi usada por último?", "latest", "", False, "varfarina"),
    ("Qual o primeiro potássio registrado?", "first", "", False, "potássio"),
    ("Quando começou a usar losartana?", "first", "", False, "losartana"),
    ("Quando foi a primeira vez que usou insulina?", "first", "", False, "insulina"),
    ("Desde quando tem hipertensão?", "first", "", False, "hipertensão"),
    ("Creatinina em 12/03/2019?", "fact", "2019-03-12", False, "creatinina"),
    ("creatinina no dia 3/4/19", "fact", "2019-04-03", False, "creatinina"),
    ("Qual foi a creatinina em 12 de março de 2019?", "fact", "2019-03-12", False, "creatinina"),
    ("Qual foi a creatinina em março de 2019?", "fact", "2019-03", False, "creatinina"),
    ("Qual foi a creatinina em março/2019?", "fact", "2019-03", False, "creatinina"),
    ("Qual a hemoglobina em 2019?", "fact", "2019", False, "hemoglobina"),
    ("Qual a pressão desde 2015?", "fact", "", True, "pressão"),
    ("Qual era o potássio antes de 12 de março de 2019?", "fact", "", True, "potássio"),
    ("Quanto mudou a creatinina entre 02/05/2011 e 09/01/2012?", "fact", "", True, "creatinina"),
    ("Quantas vezes foi internada em 2020?", "fact", "2020", False, "internada"),
    ("Por quanto tempo usou amoxicilina?", "fact", "", False, "amoxicilina"),
    (
        "Em que ordem aconteceram a apendicectomia e o início da varfarina?",
        "fact",
        "",
        False,
        "apendicectomia varfarina",
    ),
    ("Quais medicamentos em uso em 10/05/2020?", "fact", "2020-05-10", False, "medicamentos"),
    ("Há registro de diabetes?", "absence", "", False, "diabetes"),
    ("Existe menção a câncer de mama?", "absence", "", False, "câncer mama"),
    ("A paciente nega tabagismo?", "absence", "", False, "tabagismo"),
    ("Tem história de infarto?", "absence", "", False, "infarto"),
    ("Já teve AVC?", "absence", "", False, "avc"),
    ("Biópsia renal já foi realizada?", "absence", "", False, "biópsia renal"),
    ("É alérgico a alguma medicação?", "absence", "", False, "alérgico medicação"),
    ("O paciente é diabético?", "absence", "", False, "diabético"),
    ("A Sra. Maria Souza toma varfarina?", "absence", "", False, "varfarina"),
    ("Paciente tinha dor torácica em 18/01/2010?", "absence", "2010-01-18", False, "dor torácica"),
    ("Dr., gostaria de saber se há registro de trombose", "absence", "", False, "trombose"),
]


@pytest.mark.parametrize(("question", "kind", "period", "is_open", "focus"), CASES, ids=[c[0] for c in CASES])
def test_what_is_asked(question: str, kind: str, period: str, is_open: bool, focus: str) -> None:
    found = interpret(question)
    assert (found.lang, found.kind, found.period, found.is_open_range) == ("pt", kind, period, is_open)
    assert " ".join(found.focus) == focus


@pytest.mark.parametrize("form", ["bare", "NFD"])
def test_accents_change_nothing(form: str) -> None:
    """A question without accents, or with them apart, is read as the same question."""
    wrong = {}
    for question, kind, period, is_open, focus in CASES:
        apart = unicodedata.normalize("NFD", question)
        asked = apart if form == "NFD" else "".join(c for c in apart if not unicodedata.combining(c))
        found = interpret(asked)
        words = unicodedata.normalize("NFD", " ".join(found.focus))
        bare = (
            "".join(c for c in t if not unicodedata.combining(c)) for t in (words, unicodedata.normalize("NFD", focus))
        )
        if (found.kind, found.period, found.is_open_range, next(bare)) != (kind, period, is_open, next(bare)):
            wrong[asked] = (found.kind, found.period, found.is_open_range, found.focus)
    assert wrong == {}


@pytest.mark.parametrize(
    "question",
    ["Muscular pain?", "Any reaction to ciprofloxacin?", "INR 1,200", "Does she use sertraline?", "Latest Na"],
)
def test_english_questions_stay_english(question: str) -> None:
    assert interpret(question).lang == "en"
