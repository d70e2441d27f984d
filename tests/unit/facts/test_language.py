from __future__ import annotations

import pytest

from chartcite.facts.language import in_language, is_portuguese, with_english_numbers
from chartcite.facts.portuguese import base, root
from chartcite.facts.tokens import tokenise


@pytest.mark.parametrize(
    "text",
    [
        "Dor no joelho direito há 3 dias.",
        "Hb 9,1 g/dL.",
        "Omeprazol 20 mg 12/12h",
        "Tosse seca desde ontem",
        "PCR de 42",
    ],
)
def test_portuguese(text: str) -> None:
    assert is_portuguese(text)


@pytest.mark.parametrize(
    "text",
    [
        "No edema in legs.",
        "IOP 14 OD, 21 OS.",
        "h/o stroke, no residual deficits.",
        "Sjögren's syndrome, on hydroxychloroquine.",
        "WBC 11,200; K 4.1",
        "Do not resuscitate.",
    ],
)
def test_not_portuguese(text: str) -> None:
    assert not is_portuguese(text)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Dor no joelho D.", "dor in joelho direito ."),
        ("Edema em MIE.", "edema in membro inferior esquerdo ."),
        ("Não há febre.", "no febre ."),
        ("Tosse s/ febre.", "tosse without febre ."),
        ("A ferida fechou-se sem pus.", "a ferida fechou without pus ."),
        ("Não se observa pus.", "no pus ."),
        ("Trocado atenolol por losartana.", "atenolol replaced by losartana ."),
        ("A enfermeira não administrou dipirona.", "a nurse not any given dipirona ."),
        ("Na 130 mEq/L, sódio em queda.", "na 130 meq / l , sodio decreased ."),
        ("Transferido da UTI para a enfermaria.", "transferred from icu to a enfermaria ."),
    ],
)
def test_read_as_english(text: str, read: str) -> None:
    assert " ".join(token.text for token in in_language(tokenise(text), text)) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Diurese de 1.200 mL, K 3,125", "Diurese de 1,200 mL, K 3.125"),
        ("Nascida em 03.04.2020, peso de 2,9 kg", "Nascida em 03.04.2020, peso de 2.9 kg"),
        ("WBC 11,200", "WBC 11,200"),
    ],
)
def test_numbers(text: str, read: str) -> None:
    assert with_english_numbers(text) == read


@pytest.mark.parametrize(
    "forms",
    [
        ("drenado", "drenada", "drenou", "drenaram", "drenar", "drenando"),
        ("perdido", "perdeu", "perdida"),
        ("esquerdo", "esquerda"),
        ("lesao", "lesoes"),
        ("cervical", "cervicais"),
    ],
)
def test_forms_of_one_word(forms: tuple[str, ...]) -> None:
    assert len({base(form) for form in forms}) == 1


@pytest.mark.parametrize(("one", "other"), [("parto", "parte"), ("medico", "medicacao"), ("hipotenso", "hipertenso")])
def test_other_words(one: str, other: str) -> None:
    assert base(one) != base(other)
    assert not root(one) or root(one) != root(other)


@pytest.mark.parametrize("word", ["lumbar", "fever", "lesions", "liver", "commando", "stopped"])
def test_english_words_stay(word: str) -> None:
    assert base(word) == word
