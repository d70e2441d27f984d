"""Portuguese notes: their headers, abbreviations and decimal commas."""

from __future__ import annotations

import re

import pytest

from chartcite.text.sentences import split_sentences

NOTE = """HMA: Paciente refere dispneia aos esforços há 3 dias, c/ piora há 1 d. Nega febre ou tosse.
HPP: HAS, DM2, DLP. Cirurgias: colecistectomia em 2012.
ANTECEDENTES FAMILIARES
Pai falecido por infarto aos 54 anos.
QD: "falta de ar".
EF: BEG, corado, hidratado. PA 130x80 mmHg, FR 18 irpm.
Abd.: plano, flácido, indolor à palp. profunda.
EXAMES (12/03/2019)
Hb 10,2 g/dL    Ht 31,4 %    Leuco 12.300/mm3
Creatinina 1,2 mg/dL (VR: 0,6 - 1,3)
CD: manter losartana 50 mg. Retorno c/ o Dr. Silva em 2 sem.
Obs.: aval. p/ cirurgia.
"""


def sections() -> dict[str, str]:
    return {NOTE[s.start : s.end]: s.section[-1] for s in split_sentences(NOTE) if s.section and s.kind != "header"}


def test_headers_end_the_section_above() -> None:
    """What is found at the examination must not stand below the family's history."""
    found = sections()
    assert found["Pai falecido por infarto aos 54 anos."] == "ANTECEDENTES FAMILIARES"
    assert found['"falta de ar".'] == "QD"
    assert found["BEG, corado, hidratado."] == "EF"
    assert found["manter losartana 50 mg."] == "CD"
    assert found["Nega febre ou tosse."] == "HMA"


def test_an_ejection_fraction_is_no_header() -> None:
    note = "ECHO\nThe study was of good quality and was read by her cardiologist.\nEF: 55%\nNo effusion.\n"
    assert "EF: 55%" in [note[s.start : s.end] for s in split_sentences(note)]


@pytest.mark.parametrize("word", ["palp.", "aval.", "c/", "p/", "Dr.", "Abd.:", "Obs.:"])
def test_abbreviations_do_not_end_a_sentence(word: str) -> None:
    ends = {NOTE[: s.end].rstrip()[-len(word) :] for s in split_sentences(NOTE) if s.kind != "header"}
    assert word not in ends


def test_no_number_is_cut_at_its_comma() -> None:
    inside = [range(found.start() + 1, found.end()) for found in re.finditer(r"\d+(?:[.,/x]\d+)+", NOTE)]
    assert len(inside) >= 8
    edges = {edge for s in split_sentences(NOTE) for edge in (s.start, s.end)}
    assert not [span for span in inside if edges & set(span)]


@pytest.mark.parametrize("header", ["MUC", "Em uso", "Medicações de uso contínuo", "Medicamentos em uso contínuo"])
def test_medicines_in_use_do_not_stand_below_the_allergies(header: str) -> None:
    text = f"Paciente refere melhora da dor.\nAlergias: nega.\n{header}: losartana 50 mg, metformina 850 mg 2x/dia."
    medicines = [unit for unit in split_sentences(text) if "losartana" in text[unit.start : unit.end]]
    assert [unit.section for unit in medicines] == [(header,)]
