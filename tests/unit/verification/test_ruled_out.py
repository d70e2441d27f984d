"""What was ruled out is not had, whether the verb stands before or behind it, in English and in Portuguese."""

from __future__ import annotations

import pytest

from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source

RULED_OUT = [
    ("a DVT", "Doppler ruled out DVT."),
    ("a DVT", "Venous duplex definitively ruled out a DVT."),
    ("a DVT", "Doppler of the legs has ruled out DVT."),
    ("a DVT", "DVT ruled out by doppler."),
    ("a DVT", "DVT excluded by doppler."),
    ("a DVT", "Doppler refuted DVT."),
    ("sepsis", "Workup ruled out sepsis."),
    ("meningitis", "Work-up ruled out sepsis and meningitis."),
    ("a pulmonary embolism", "CT of the chest ruled out pulmonary embolism."),
    ("PE", "CTA has ruled out PE."),
    ("PE", "We ruled out PE."),
    ("PE", "She had ruled out PE."),
    ("MI", "MI ruled out with serial troponins."),
    ("MI", "MI ruled out troponins flat."),
    ("cancer", "Biopsy disproved cancer."),
    ("cancer", "Cancer has been disproved."),
    ("TEP", "Angiotomografia descartou TEP."),
    ("TEP", "Angiotomografia afastou TEP."),
    ("TEP", "Angiotomografia excluiu TEP."),
    ("TEP", "A angiotomografia descarta TEP."),
    ("TEP", "Exames descartaram TEP."),
    ("TEP", "Foi afastado TEP pela angiotomografia."),
    ("TEP", "TEP afastado por angiotomografia."),
    ("TEP", "TEP foi descartado."),
]


def is_verified(claim: str, cited: str) -> bool:
    return check_claim(claim, [Source("0", cited)]).verified


@pytest.mark.parametrize(("what", "cited"), RULED_OUT)
def test_what_was_ruled_out_is_not_had(what: str, cited: str) -> None:
    has = "A paciente tem" if what == "TEP" else "The patient has"
    assert not is_verified(f"{has} {what}.", cited)


@pytest.mark.parametrize(
    ("claim", "cited"),
    [
        ("DVT was ruled out.", "Doppler ruled out DVT."),
        ("The patient does not have a DVT.", "Doppler ruled out DVT."),
        ("A doppler was done.", "Doppler ruled out DVT."),
        ("PE was ruled out by CTA.", "CTA has ruled out PE."),
        ("DVT was ruled out.", "DVT ruled out by doppler."),
        ("TEP foi descartado.", "Angiotomografia afastou TEP."),
        ("The patient has chest pain.", "Patient with chest pain ruled out for MI."),
    ],
)
def test_what_it_does_say_is_still_borne_out(claim: str, cited: str) -> None:
    assert is_verified(claim, cited)


@pytest.mark.parametrize("claim", ["A paciente tem TEP.", "A paciente não tem TEP."])
@pytest.mark.parametrize("cited", ["Angiotomografia não descartou TEP.", "A TC não exclui TEP."])
def test_what_is_not_ruled_out_stays_open(claim: str, cited: str) -> None:
    assert not is_verified(claim, cited)
