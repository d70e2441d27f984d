"""Plain words: every row of the glossary passes the check, denials and figures stay, and nothing else changes."""

from __future__ import annotations

import re

import pytest

from chartcite.cascade.audience.glossary import Language, entries
from chartcite.cascade.audience.rules import wordings
from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source

FRAMES: dict[Language, tuple[str, ...]] = {
    "en": ("The patient has {}.", "Metoprolol 50 mg {}.", "Note of {} today.", "Denies {}."),
    "pt": ("Paciente com {}.", "Losartana 50 mg {}.", "Registro de {} hoje.", "Nega {}."),
}
LANGUAGES: tuple[Language, ...] = ("en", "pt")


def passing(text: str, language: Language) -> list[str]:
    return [w for w in wordings(text, language) if check_claim(w, [Source("1", text)]).verified]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_row_can_be_said(language: Language) -> None:
    silent = []
    for entry in entries(language):
        for spelling in entry.spellings:
            bare = spelling.removesuffix("*")
            if not any(passing(frame.format(bare), language) for frame in FRAMES[language]):
                silent.append((entry.plain, spelling))
    assert not silent


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_spelling_stands_twice(language: Language) -> None:
    for kind in ("say", "gloss"):
        found = [s for e in entries(language) if e.kind == kind for s in e.spellings]
        assert len(found) == len(set(found))


@pytest.mark.parametrize(
    ("text", "plainest"),
    [
        ("Metoprolol 50 mg PO BID.", "Metoprolol 50 mg by mouth twice a day."),
        ("History of hypertension.", "History of hypertension (high blood pressure)."),
        ("Denies dyspnea.", "Denies shortness of breath."),
        ("No edema of the left leg.", "No swelling of the left leg."),
        ("High blood pressure (hypertension) since 2011.", None),
        ("She lives with her sister.", None),
        ("IM nail placed.", None),
        ("SL lesion seen.", None),
        ("Ketorolac 30 mg IM.", "Ketorolac 30 mg into a muscle."),
        ("CT output 50 mL.", None),
        ("CT surgery was called.", None),
        ("Intracranial hypertension.", None),
        ("Portal hypertension.", None),
        ("Cystitis with polyuria.", None),
        ("The bid was high; he sat on the bidet.", "The bid was high; he sat on the bidet."),
    ],
)  # fmt: skip
def test_wordings_in_english(text: str, plainest: str | None) -> None:
    if plainest == text:
        assert "bidet" in next(iter(wordings(text, "en")), text)
        return
    assert next(iter(passing(text, "en")), None) == plainest


def test_wordings_in_portuguese() -> None:
    assert passing("Losartana 50 mg VO 12/12h.", "pt")[0] == "Losartana 50 mg por via oral duas vezes ao dia."
    assert passing("Paciente com hipertensão.", "pt")[0] == "Paciente com hipertensão (pressão alta)."
    assert passing("Nega cefaleia.", "pt")[0] == "Nega dor de cabeça."


@pytest.mark.parametrize(
    "text",
    [
        "Warfarin 2.5 mg PO qd, INR 2.1 on 2020-01-03.", "Left leg edema for 3 days, no DVT.",
        "Mother had a myocardial infarction at 52.", "Possible pneumonia on the right.",
    ],
)  # fmt: skip
def test_figures_sides_and_denials_stay_in_every_wording(text: str) -> None:
    kept = re.compile(r"\d[\d.,/-]*\d|\d|\b(?:no|left|right|mother|possible|not)\b", re.IGNORECASE)
    for wording in passing(text, "en"):
        assert kept.findall(wording) == kept.findall(text)
