from __future__ import annotations

import pytest

from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source


def is_verified(claim: str, *cited: str) -> bool:
    return check_claim(claim, [Source(str(n), text) for n, text in enumerate(cited)]).verified


@pytest.mark.parametrize(
    ("claim", "cited"),
    [
        ("A furosemida foi suspensa em 4 de maio de 2022.", "Suspensa furosemida em 04/05/2022."),
        ("A equipe suspendeu a sinvastatina.", "Sinvastatina suspensa."),
        ("Não há tosse.", "Paciente nega tosse."),
        ("Sem derrame pleural.", "Não se observa derrame pleural."),
        ("A creatinina caiu de 3,1 para 1,9 mg/dL.", "Creatinina reduziu de 3,1 mg/dL para 1,9 mg/dL."),
        ("Dor no ombro esquerdo há 5 dias.", "Dor em ombro E há 5 dias."),
        ("Diurese de 1,5 L.", "Diurese de 1.500 mL."),
        ("Amoxicilina 500 mg por via oral a cada 8 horas.", "Amoxicilina 500 mg VO 8/8h."),
        ("O paciente usa Rivotril 2 mg à noite.", "Em uso de clonazepam 2 mg à noite."),
        ("Recebeu alta no dia 7 de junho.", "Alta em 07/06."),
        ("Pressão arterial de 130x80 mmHg.", "PA 130x80 mmHg."),
        ("Edema no membro inferior direito.", "Edema em MID."),
        ("Dr. Nunes fez a sutura.", "Sutura feita pelo Dr. Nunes."),
        ("A glicemia está em torno de 180 mg/dL.", "Glicemia 180 mg/dL."),
        ("O tromboembolismo pulmonar não foi descartado.", "Não se pode descartar TEP."),
    ],
)
def test_true(claim: str, cited: str) -> None:
    assert is_verified(claim, cited)


@pytest.mark.parametrize(
    ("claim", "cited"),
    [
        ("A furosemida foi suspensa em 5 de abril de 2022.", "Suspensa furosemida em 04/05/2022."),
        ("A sinvastatina foi iniciada.", "Sinvastatina suspensa."),
        ("A sinvastatina foi aumentada.", "Sinvastatina reduzida para 10 mg."),
        ("Há tosse.", "Paciente nega tosse."),
        ("O paciente tem cisto renal.", "A tomografia levantou a suspeita de cisto renal."),
        ("O paciente tem bursite.", "Ombro direito: bursite?"),
        ("Dor no ombro direito há 5 dias.", "Dor em ombro E há 5 dias."),
        ("Diurese de 15 L.", "Diurese de 1.500 mL."),
        ("Carvedilol 3125 mg de 12/12h.", "Carvedilol 3,125 mg de 12/12h."),
        ("O atenolol foi trocado por losartana.", "Trocada losartana por atenolol."),
        ("Transferido da enfermaria para a UTI.", "Transferido da UTI para a enfermaria."),
        ("A dipirona foi administrada.", "A enfermeira não administrou dipirona."),
        ("A sutura foi feita pelo Dr. Nunes, com o Dr. Lima.", "Sutura feita pelo Dr. Lima, com o Dr. Nunes."),
        ("O paciente tem asma.", "Mãe com asma."),
        ("Amoxicilina 500 mg EV 8/8h.", "Amoxicilina 500 mg VO 8/8h."),
    ],
)
def test_wrong(claim: str, cited: str) -> None:
    assert not is_verified(claim, cited)
