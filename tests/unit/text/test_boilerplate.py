"""Boilerplate is known by its wording, and nothing that a clinician says is taken for it."""

from __future__ import annotations

import pytest

from chartcite.text.boilerplate import boilerplate, is_no_evidence

KINDS = {
    "page": ("Page 1 of 3", "PAGE: 2/4", "Página 2 de 5", "Pág. 1/3"),
    "signature": (
        "Electronically signed by Ana Reis, MD on 03/04/2021 10:22", "Digitally authenticated by J. Doe",
        "This report has been electronically signed by J. Doe.", "Assinado eletronicamente por Dra. Reis em 03/04/2021",
        "Documento assinado digitalmente",
    ),
    "dictation": (
        "Dictated but not read.", "DICTATED AND NOT REVIEWED", "Transcribed by: ab",
        "This note was dictated using voice recognition software.",
        "Portions of this note may have been created with Dragon dictation.", "Ditado, não revisado.",
        "Este laudo foi gerado por sistema automático.",
    ),
    "confidential": (
        "CONFIDENTIALITY NOTICE: see below.", "This fax is confidential and may be privileged.",
        "The information contained in this message is intended only for the addressee.",
        "If you are not the intended recipient, please destroy it.", "Unauthorized disclosure is prohibited.",
        "Este documento contém informações confidenciais.", "Aviso de confidencialidade",
    ),
    "template": (
        "Check all that apply", "This page intentionally left blank.", "[insert findings here]",
        "Please complete all fields", "Marque todas as opções", "Preencha todos os campos",
    ),
    "disclaimer": (
        "This test was developed and its performance characteristics determined by the laboratory.",
        "It has not been cleared or approved by the FDA.", "This report may not be reproduced except in full.",
        "Please excuse any typographical or transcription errors.", "Este laudo não substitui a consulta médica.",
        "A interpretação do resultado depende de análise conjunta dos dados clínicos.",
    ),
}  # fmt: skip
CLINICAL = (
    "She asked that her HIV status be kept confidential.", "The patient signed the consent form.",
    "Signed out against medical advice.", "This is a 45 year old man with chest pain.", "No known drug allergies.",
    "If you have chest pain, call us.", "Please check potassium in one week.", "Check all electrolytes daily.",
    "The report of the MRI describes a mass.", "This note is an addendum: warfarin was stopped.",
    "Page the surgeon on call if bleeding recurs.", "Paged at 2 of 3 numbers.", "Clinical correlation is recommended.",
    "The information was obtained from his wife.", "This record review shows a DVT in 2009.",
    "This message was left for the patient: stop metformin.", "Please complete 7 days of amoxicillin.",
    "Select one of the beta blockers and start it.", "A interpretação do ECG mostra fibrilação atrial.",
    "Este exame mostra derrame pleural.", "Paciente assinou termo de consentimento.", "Se você tiver febre, retorne.",
    "The document shows he refused surgery.", "Dictated by the pain, he moves little.", "Mark one site for biopsy.",
    "This report of fever is new.", "Unauthorized use of oxycodone is suspected in the family.",
)  # fmt: skip


@pytest.mark.parametrize(("kind", "said"), [(k, s) for k, said in KINDS.items() for s in said], ids=str)
def test_boilerplate(kind: str, said: str) -> None:
    assert boilerplate(said) == kind
    assert is_no_evidence(said) is (kind != "signature")


@pytest.mark.parametrize("said", CLINICAL, ids=str)
def test_what_is_said_of_a_patient_is_none(said: str) -> None:
    assert boilerplate(said) is None


def test_an_amount_makes_it_a_statement() -> None:
    assert boilerplate("This note was dictated using voice software: lisinopril 10 mg.") is None
