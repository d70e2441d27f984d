"""What a source calls an allergy is not tolerated, in either language; what it says is tolerated is."""

from __future__ import annotations

import pytest

from chartcite.verification.full import full_check
from chartcite.verification.verdicts import Source

WRONG = [
    ("O paciente não é alérgico a clindamicina e tolera o uso.", "O paciente é alérgico a clindamicina (inchaço)."),
    ("Recebeu penicilina sem nenhuma reação.", "Teve erupção cutânea com penicilina e é considerado alérgico."),
    ("Recebeu contraste iodado sem nenhuma reação.", "Teve edema com contraste iodado e é considerado alérgico."),
    ("Tolera penicilina.", "Alérgico a penicilina."),
    ("She tolerated penicillin without any reaction.", "She had a rash with penicillin and is considered allergic."),
    ("She tolerates cefazolin.", "Allergic to cefazolin (hives)."),
]
TRUE = [
    ("Tolera cefalexina.", "Alérgico a penicilina, mas tolera cefalexina."),
    ("Recebeu penicilina sem nenhuma reação.", "Recebeu penicilina sem nenhuma reação."),
    ("Não é alérgico a dipirona.", "Nega alergia a dipirona."),
    ("She tolerates cefazolin.", "Allergic to penicillin; tolerates cefazolin."),
]


@pytest.mark.parametrize(("claim", "source"), WRONG, ids=[claim for claim, _ in WRONG])
def test_an_allergy_is_not_tolerated(claim: str, source: str) -> None:
    assert full_check(claim, [Source("s", source)]).verdict == "contradicted"


@pytest.mark.parametrize(("claim", "source"), TRUE, ids=[claim for claim, _ in TRUE])
def test_what_is_tolerated_is(claim: str, source: str) -> None:
    assert full_check(claim, [Source("s", source)]).verdict == "supported"
