"""Questions of presence are read whatever stands around the thing, and questions of other kinds are not taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from chartcite.cascade.presence.asked import Asked, read_question

_OWN = Path(__file__).parents[4] / "benchmarks" / "questions" / "presence_wordings.tsv"
_THING = {
    ("drug", "en"): "furosemide", ("drug", "pt"): "furosemida", ("allergy", "en"): "latex", ("allergy", "pt"): "látex",
}  # fmt: skip
_PLAIN = {"en": "psoriasis", "pt": "psoríase"}
_DAY = "2012-03-14"
_ABOUT = {"drug": "drug", "allergy": "allergy", "relative": "own_or_family"}
_UNREAD = 2
"""Of the development half; two more are read in another sense than their kind's."""


def _development() -> list[tuple[str, str, str]]:
    lines = [line for line in _OWN.read_text("utf-8").splitlines() if not line.startswith("#")]
    return [(kind, lang, wording) for kind, lang, wording in (line.split("\t") for line in lines[::2])]


def _is_read(kind: str, lang: str, wording: str) -> bool:
    thing = _THING.get((kind, lang), _PLAIN[lang])
    text = wording.replace("{x}", thing).replace("{day}", _DAY)
    found = read_question(text[0].upper() + text[1:])
    return found is not None and found.thing.lower() == thing and found.period == (_DAY if kind == "day" else "")


def test_own_wordings_are_read() -> None:
    unread = [row for row in _development() if not _is_read(*row)]
    assert len(unread) <= _UNREAD, unread


@pytest.mark.parametrize("kind", ["record", "ever", "drug", "allergy", "day", "relative", "history", "ruled"])
def test_each_kind_has_both_languages(kind: str) -> None:
    langs = [lang for own, lang, _ in _development() if own == kind]
    assert langs.count("en") == langs.count("pt") == 14


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Please check whether gout is mentioned anywhere in her chart.", Asked("gout", "thing")),
        ("Could you tell me if she was ever treated with warfarin?", Asked("warfarin", "drug")),
        ("Who is it that has gout, the patient or her sister?", Asked("gout", "own_or_family")),
        ("Has latex ever caused an allergic reaction?", Asked("latex", "allergy")),
        ("At the visit of 2012-03-14, was chest pain affirmed or denied?", Asked("chest pain", "thing", _DAY)),
        ("Did the tests rule out pulmonary embolism?", Asked("pulmonary embolism", "thing")),
        ("Verifique se há alergia a dipirona.", Asked("dipirona", "allergy", lang="pt")),
        ("De quem é a gota, da paciente ou da mãe?", Asked("gota", "own_or_family", lang="pt")),
    ],
    ids=["check", "treated", "sister", "cause", "visit", "ruled out", "verifique", "de quem"],
)  # fmt: skip
def test_what_remains_is_the_thing(question: str, asked: Asked) -> None:
    assert read_question(question) == asked


@pytest.mark.parametrize(
    "question",
    [
        "Has her dizziness resolved?",
        "Was the dose of metoprolol increased?",
        "Was metoprolol switched to carvedilol?",
        "Did she take metoprolol before the operation?",
        "Was the creatinine above 2 noted?",
        "Has the dose been noted?",
        "Name the conditions that were ruled out.",
        "Who diagnosed gout?",
        "Is there a cure for gout?",
        "Is metformin safe in pregnancy?",
        "Do you have information about gout",
        "I have lupus; can I take ibuprofen?",
        "Is her diabetes well controlled?",
        "Give the haemoglobin documented on 2012-03-14.",
        "Who in the family had gout?",
        "A tontura melhorou?",
        "A paciente teve alta?",
        "A paciente tomou metoprolol depois do AVC?",
        "Informe os maços-ano registrados.",
        "Quem na família tem gota?",
        "O diabetes está controlado?",
    ],
)
def test_questions_of_other_kinds_are_not_taken(question: str) -> None:
    assert read_question(question) is None
