"""A difference, a limit to act on, a goal, a denied number and another specimen's value are no results."""

from __future__ import annotations

import pytest

from chartcite.facts.read import read_facts

CASES = [
    ("Hemoglobin down 2 g/dL.", ""),
    ("Weight down 3 kg", ""),
    ("Weight loss 5 kg", ""),
    ("Weight loss of 5 kg.", ""),
    ("Lost 5 kg of weight.", ""),
    ("Perda de peso de 5 kg", ""),
    ("Hemoglobin decreased by 2.", ""),
    ("Hemoglobin fell by 2 g/dL to 7.0.", "hemoglobin result 7"),
    ("Hemoglobin fell 2 g/dL to 7.0.", "hemoglobin result 7"),
    ("Hemoglobin dropped 9 to 7.", "hemoglobin previous 9 result 7"),
    ("Hemoglobin down to 7.0", "hemoglobin result 7"),
    ("Hb 9.0, down 2 g/dL from 11", "hemoglobin result 9 previous 11"),
    ("BP dropped 80/40.", "blood pressure result 80"),
    ("Transfuse for hemoglobin below 7.0.", "hemoglobin threshold <7"),
    ("Transfuse if Hgb <7", "hemoglobin threshold <7"),
    ("Transfusion threshold hemoglobin 7.0", "hemoglobin threshold 7"),
    ("Hold metoprolol for HR < 60.", "heart rate threshold <60"),
    ("Call for temperature above 38.5 C", "temperature threshold >38.5"),
    ("Started on insulin for glucose > 600", "glucose result >600"),
    ("Hemoglobin below 7.0 today.", "hemoglobin result <7"),
    ("INR should be 2.5.", "INR goal 2.5"),
    ("INR aim 2.5", "INR goal 2.5"),
    ("INR not 5.0 but 2.0.", "INR result 2"),
    ("INR não 5,0, mas 2,0 na paciente.", "INR result 2"),
    ("INR was not 5.0.", ""),
    ("Hemoglobin trended 9.1 > 8.4 > 7.2.", "hemoglobin previous 9.1 previous 8.4 result 7.2"),
    ("Hgb 9.1>8.4", "hemoglobin previous 9.1 result 8.4"),
    ("LDL 160   >130", "LDL cholesterol result 160 reference >130"),
    ("CRP > 100", "C-reactive protein result >100"),
    ("Urine potassium 40 mEq/L", ""),
    ("K 4.0, urine potassium 40 mEq/L", "potassium result 4"),
    ("Urine creatinine 120 mg/dL", ""),
    ("Pleural fluid LDH 500 U/L", ""),
    ("Ascitic albumin 1.2 g/dL", ""),
    ("CSF glucose 40 mg/dL", "CSF glucose result 40"),
    ("Creatinina urinária 120 mg/dL", ""),
    ("Glicose liquórica 40 mg/dL", ""),
    ("Ideal body weight 55 kg", ""),
    ("Dry weight 70 kg", "weight result 70"),
    ("Urine albumin-creatinine ratio 300 mg/g", "urine albumin-creatinine ratio result 300"),
    ("Urine sodium 20, serum sodium 140", "urine sodium result 20 | sodium result 140"),
    ("Urine output 300 mL", "urine output result 300"),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_what_is_no_result(text: str, expected: str) -> None:
    said = []
    for one in read_facts(text, 0, len(text)).measurements:
        values = [f"{v.role} {v.quantity.comparator}{float(v.quantity.low):g}" for v in one.values]
        said.append(" ".join((one.name, *values)))
    assert " | ".join(said) == expected


@pytest.mark.parametrize(
    ("text", "strength"),
    [
        ("Warfarin dose decreased by 2.5 mg.", None),
        ("Varfarina reduzida em 2,5 mg.", None),
        ("Warfarin was reduced by 2.5 mg to 5 mg daily.", 5),
        ("Warfarin was increased to 7.5 mg.", 7.5),
        ("Warfarin given by mouth, 5 mg daily.", 5),
    ],
)
def test_a_difference_is_no_dose(text: str, strength: float | None) -> None:
    doses = [d.strength for d in read_facts(text, 0, len(text)).doses if d.strength is not None]
    assert [float(d.low) for d in doses] == ([] if strength is None else [strength])
