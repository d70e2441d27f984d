"""English or Portuguese, or no answer."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

from chartcite.text.language import detect


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The patient was admitted with fever and has no cough.", "en"),
        ("Pt denies pain. Plan is to continue the antibiotics.", "en"),
        ("Paciente internado com febre, nega tosse.", "pt"),
        ("PACIENTE NAO TEM DOR HA TRES DIAS", "pt"),
        ("Evolução: sem dor, em uso de dipirona.", "pt"),
        ("BP 120/80", ""),
        ("", ""),
        ("Der Patient hat Husten und Fieber.", ""),
        ("The patient com febre não has cough sem dor", ""),
    ],
)
def test_detect(text: str, language: str) -> None:
    assert detect(text) == language


def test_answers_are_named() -> None:
    assert set(get_args(get_type_hints(detect)["return"])) == {"en", "pt", ""}
