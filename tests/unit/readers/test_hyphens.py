from __future__ import annotations

import pytest

from chartcite.readers.hyphens import LINE_END, hyphen_edits


def mend(text: str) -> str:
    edits = hyphen_edits(text)
    return "".join(edits.get(i, c) for i, c in enumerate(text))


@pytest.mark.parametrize(
    ("marked", "mended"),
    [
        ("ther/apy was", "therapy was"),
        ("pro/gressive, inflam/mation, pa/tient", "progressive, inflammation, patient"),
        ("Follow/up", "Follow-up"),
        ("beta/blocker and X/ray", "beta-blocker and X-ray"),
        ("COVID/19, 5/10 mg, HbA1c/related, non/Hodgkin", "COVID-19, 5-10 mg, HbA1c-related, non-Hodgkin"),
        ("queixa/se de dor, insufi/ciência", "queixa-se de dor, insuficiência"),
        ("a / b", "a - b"),
        ("cross-check: cardio/renal; cardio-renal", "cross-check: cardio-renal; cardio-renal"),
        ("baseline was; base/line", "baseline was; baseline"),
    ],
)
def test_line_ends(marked: str, mended: str) -> None:
    assert mend(marked.replace("/", LINE_END)) == mended


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("nor\xadmal", "normal"),
        ("nor\xad\r\nmal", "normal"),
        ("5\xad10 mg", "5-10 mg"),
        ("COVID\xad19", "COVID-19"),
        ("\xad start", "- start"),
    ],
)
def test_soft_hyphens(text: str, mended: str) -> None:
    assert mend(text) == mended
