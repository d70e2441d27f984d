"""What a FHIR resource holds is what the timeline reads out of its sentence: value, unit, day, dose."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.records.reading import Notes, courses, values

from chartcite.core.reading import Found
from chartcite.readers.detect import read_source
from chartcite.records.timeline import timeline
from chartcite.records.topic import EVERYTHING

DAY = "2031-03-01"
RESULTS = {
    "potassium": ("Potassium [Moles/volume] in Serum or Plasma", "5.8", "mmol/L", "", "5.8 mmol/L"),
    "sodium": ("Sodium", "136", "mmol/L", "", "136 mmol/L"),
    "creatinine": ("Creatinine [Mass/volume] in Serum or Plasma", "1.9", "mg/dL", "", "1.9 mg/dL"),
    "glucose": ("Glucose [Mass/volume] in Blood", "600", "mg/dL", ">", ">600 mg/dL"),
    "HbA1c": ("Hemoglobin A1c/Hemoglobin.total in Blood", "6.1", "%", "", "6.1 %"),
    "white blood cells": ("Leukocytes [#/volume] in Blood by Automated count", "11.2", "10*3/uL", "", "11.2 10*3/uL"),
    "platelets": ("Platelets [#/volume] in Blood by Automated count", "240", "10*3/uL", "", "240 10*3/uL"),
    "hemoglobin": ("Hemoglobin [Mass/volume] in Blood", "12.4", "g/dL", "", "12.4 g/dL"),
    "temperature": ("Body temperature", "38.2", "Cel", "", "38.2 Cel"),
    "heart rate": ("Heart rate", "72", "/min", "", "72 /min"),
    "weight": ("Body weight", "81.5", "kg", "", "81.5 kg"),
    "height": ("Body height", "171", "cm", "", "171 cm"),
    "body mass index": ("Body Mass Index", "27.4", "kg/m2", "", "27.4 kg/m2"),
    "oxygen saturation": ("Oxygen saturation in Arterial blood", "97", "%", "", "97 %"),
    "troponin I": ("Troponin I", "0.01", "ng/mL", "<", "<0.01 ng/mL"),
    "INR": ("INR", "2.4", "1", "", "2.4"),
    "eGFR": ("Glomerular filtration rate", "55", "mL/min/{1.73_m2}", "", "55 mL/min"),
    "TSH": ("TSH", "2.1", "m[iU]/L", "", "2.1 mU/L"),
    "blood urea nitrogen": ("Urea nitrogen [Mass/volume] in Serum or Plasma", "14", "mg/dL", "", "14 mg/dL"),
    "ALT": ("Alanine aminotransferase [Enzymatic activity/volume] in Serum or Plasma", "52", "U/L", "", "52 U/L"),
}


def said(tmp_path: Path, resource: dict[str, Any]) -> str:
    path = tmp_path / "r.json"
    path.write_text(json.dumps(resource | {"id": "x", "subject": {"reference": "Patient/p"}}))
    (found,) = read_source(path, "r.json")
    assert isinstance(found, Found)
    assert found.document.time is not None
    return found.document.text


def result(name: str, value: str, code: str, comparator: str = "", **fields: Any) -> dict[str, Any]:
    quantity = {"value": json.loads(value), "code": code, "system": "http://unitsofmeasure.org"}
    return {
        "resourceType": "Observation", "status": "final", "code": {"text": name}, "effectiveDateTime": DAY,
        "valueQuantity": quantity | ({"comparator": comparator} if comparator else {}),
    } | fields  # fmt: skip


@pytest.mark.parametrize("analyte", RESULTS)
def test_a_result(tmp_path: Path, analyte: str) -> None:
    name, value, code, comparator, amount = RESULTS[analyte]
    limits = [{"low": {"value": 1, "code": code}, "high": {"value": 9, "code": code}}]
    flags = [{"coding": [{"code": "H"}]}]
    text = said(tmp_path, result(name, value, code, comparator, referenceRange=limits, interpretation=flags))
    (series,) = values((DAY, text))
    (found,) = series.values
    assert (series.analyte, found.day, str(found.amount), found.flag) == (analyte, DAY, amount, "high")
    assert found.reference.startswith("1-9") or analyte in ("temperature", "eGFR")


def test_a_pressure(tmp_path: Path) -> None:
    parts = [
        {"code": {"coding": [{"code": code}], "text": name}, "valueQuantity": {"value": value, "code": "mm[Hg]"}}
        for code, name, value in (("8480-6", "Systolic", 120), ("8462-4", "Diastolic", 80))
    ]
    text = said(tmp_path, result("Blood pressure", "1", "1", valueQuantity=None, component=parts))
    (series,) = values((DAY, text))
    assert [(series.analyte, v.day, str(v.amount)) for v in series.values] == [("blood pressure", DAY, "120/80 mm[Hg]")]


def test_a_correction_puts_the_first_result_right(tmp_path: Path) -> None:
    first = said(tmp_path, result("Potassium", "5.8", "mmol/L"))
    second = said(tmp_path, result("Potassium", "4.8", "mmol/L", status="corrected"))
    (series,) = values((DAY, first), ("2031-03-02", second))
    assert [(str(v.amount), v.standing) for v in series.values] == [
        ("5.8 mmol/L", "corrected"),
        ("4.8 mmol/L", "correction"),
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"valueQuantity": None, "dataAbsentReason": {"text": "haemolysed"}},
        {"name": "Potassium [Moles/volume] in Urine"},
    ],
    ids=["no-result", "urine"],
)
def test_no_result_of_the_blood(tmp_path: Path, change: dict[str, Any]) -> None:
    fields = {"name": "Potassium", "value": "5.8", "code": "mmol/L"} | change
    assert not values((DAY, said(tmp_path, result(**fields))))


def order(**fields: Any) -> dict[str, Any]:
    return {
        "resourceType": "MedicationRequest", "status": "active", "intent": "order", "authoredOn": DAY,
        "medicationCodeableConcept": {"text": "lisinopril 10 MG Oral Tablet"},
        "dosageInstruction": [{"timing": {"repeat": {"frequency": 2, "period": 1, "periodUnit": "d"}}}],
    } | fields  # fmt: skip


@pytest.mark.parametrize("status", ["active", "completed", "stopped", "on-hold", "unknown"])
def test_an_order_is_a_dose_of_the_day_it_was_written(tmp_path: Path, status: str) -> None:
    (course,) = courses((DAY, said(tmp_path, order(status=status))))
    (episode,) = course.episodes
    (period,) = episode.periods
    assert (course.drug, period.since, str(period.amount), str(period.per_day), period.route) == (
        "lisinopril", DAY, "10 mg", "2", "oral",
    )  # fmt: skip
    assert episode.end is None


@pytest.mark.parametrize("change", [{"doNotPerform": True}, {"intent": "proposal"}], ids=["not-to-give", "proposal"])
def test_what_is_no_order_is_no_course(tmp_path: Path, change: dict[str, Any]) -> None:
    assert not courses((DAY, said(tmp_path, order(**change))))


def test_a_statement_with_its_end(tmp_path: Path) -> None:
    text = said(
        tmp_path,
        {
            "resourceType": "MedicationStatement", "status": "completed",
            "medicationCodeableConcept": {"text": "Metformin"}, "dosage": [{"text": "500 mg twice daily"}],
            "effectivePeriod": {"start": "2031-01-02", "end": "2031-02-03"},
        },
    )  # fmt: skip
    (course,) = courses(("2031-02-03", text))
    (episode,) = course.episodes
    assert (episode.start, episode.end, episode.ended) == ("2031-01-02", "2031-02-03", "stopped")
    assert [(str(p.amount), str(p.per_day)) for p in episode.periods] == [("500 mg", "2")]


def history(day: str, text: str) -> dict[str, Any]:
    return timeline(Notes([(day, text)]), EVERYTHING).to_dict()


@pytest.mark.parametrize(
    ("change", "status", "since"),
    [
        ({}, "active", [DAY]),
        ({"onsetDateTime": "2031"}, "active", ["2031"]),
        ({"recordedDate": "2031-03-04"}, "active", [DAY]),
        ({"clinicalStatus": {"coding": [{"code": "resolved"}]}, "abatementDateTime": "2031-03-02"}, "resolved", None),
        ({"clinicalStatus": {"coding": [{"code": "inactive"}]}}, "history", None),
        ({"verificationStatus": {"coding": [{"code": "refuted"}]}}, "ruled_out", []),
        ({"verificationStatus": {"coding": [{"code": "provisional"}]}}, "possible", [DAY]),
    ],
    ids=["active", "year", "recorded-later", "resolved", "inactive", "refuted", "provisional"],
)
def test_a_diagnosis(tmp_path: Path, change: dict[str, Any], status: str, since: list[str] | None) -> None:
    resource = {"resourceType": "Condition", "code": {"text": "Sepsis (disorder)"}, "onsetDateTime": DAY} | change
    (found,) = history("2031-03-04", said(tmp_path, resource))["conditions"]
    assert (found["name"], found["status"]) == ("Sepsis", status)
    assert since is None or found["since"] == since


def test_a_procedure_and_one_that_was_not_done(tmp_path: Path) -> None:
    resource = {
        "resourceType": "Procedure", "status": "completed", "code": {"text": "Total replacement of left hip"},
        "performedPeriod": {"start": DAY, "end": "2031-03-02"},
    }  # fmt: skip
    (found,) = history("2031-03-02", said(tmp_path, resource))["procedures"]
    assert (found["name"], found["side"], found["day"]) == ("Total replacement of hip", "left", DAY)
    assert not history(DAY, said(tmp_path, resource | {"status": "not-done"}))["procedures"]
