"""Structured FHIR resources: what their sentences say, and that the record reads the same out of them."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from chartcite.core.documents import Document
from chartcite.core.errors import CorruptSource, UnsupportedFormat
from chartcite.core.reading import Found, Problem

Read = Callable[..., tuple[list[Found], list[Problem]]]


def named(text: str, *codes: str) -> dict[str, Any]:
    return {"text": text, "coding": [{"code": code} for code in codes]}


def resource(kind: str, **fields: Any) -> dict[str, Any]:
    subject = "patient" if kind in ("AllergyIntolerance", "Immunization") else "subject"
    return {"resourceType": kind, "id": "x", subject: {"reference": "Patient/pa"}} | fields


def observation(**fields: Any) -> dict[str, Any]:
    return resource(
        "Observation", status="final", code=named("Potassium"), effectiveDateTime="2031-03-01T08:15:00-05:00",
        valueQuantity={"value": 5.8, "unit": "mmol/L", "code": "mmol/L"},
    ) | fields  # fmt: skip


def order(**fields: Any) -> dict[str, Any]:
    return resource(
        "MedicationRequest", status="active", intent="order", authoredOn="2031-03-01",
        medicationCodeableConcept=named("lisinopril 10 MG Oral Tablet"),
        dosageInstruction=[{"timing": {"repeat": {"frequency": 1, "period": 1, "periodUnit": "d"}}}],
    ) | fields  # fmt: skip


def condition(**fields: Any) -> dict[str, Any]:
    return resource("Condition", code=named("Sepsis"), onsetDateTime="2031-03-01") | fields


def allergy(**fields: Any) -> dict[str, Any]:
    return resource("AllergyIntolerance", code=named("penicillin"), recordedDate="2031-03-01") | fields


def procedure(**fields: Any) -> dict[str, Any]:
    return resource(
        "Procedure", status="completed", code=named("appendectomy"), performedDateTime="2031-03-01"
    ) | fields  # fmt: skip


def vaccine(**fields: Any) -> dict[str, Any]:
    return resource(
        "Immunization", status="completed", vaccineCode=named("Influenza, seasonal"), occurrenceDateTime="2031-03-01"
    ) | fields  # fmt: skip


def code(text: str) -> dict[str, Any]:
    return {"coding": [{"code": text}]}


SYSTOLIC = {"code": named("Systolic blood pressure", "8480-6"), "valueQuantity": {"value": 120, "code": "mm[Hg]"}}
DIASTOLIC = {"code": named("Diastolic blood pressure", "8462-4"), "valueQuantity": {"value": 80, "code": "mm[Hg]"}}
RANGE = [{"low": {"value": 3.5, "unit": "mmol/L"}, "high": {"value": 5.1, "unit": "mmol/L"}}]

SAID = {
    "value": (observation(), "Potassium: 5.8 mmol/L on 2031-03-01 at 08:15 -05:00."),
    "flag-and-range": (
        observation(effectiveDateTime="2031-03-01", interpretation=[code("H")], referenceRange=RANGE),
        "Potassium: 5.8 mmol/L (high) on 2031-03-01 (reference range 3.5-5.1 mmol/L).",
    ),
    "comparator": (
        observation(code=named("CRP"), effectiveDateTime="2031-03",
                    valueQuantity={"value": 0.01, "comparator": "<", "unit": "mg/L"}),
        "CRP: <0.01 mg/L in 2031-03.",
    ),
    "preliminary": (
        observation(effectiveDateTime="2031", status="preliminary"),
        "Potassium: 5.8 mmol/L in 2031 (preliminary result).",
    ),
    "corrected": (
        observation(effectiveDateTime="2031-03-01", status="corrected"),
        "Potassium: 5.8 mmol/L on 2031-03-01 (corrected result).",
    ),
    "long-name": (
        observation(effectiveDateTime="2031-03-01", code=named("Hemoglobin A1c/Hemoglobin.total in Blood"),
                    valueQuantity={"value": 6.1, "unit": "%"}),
        "Hemoglobin A1c: 6.1 % on 2031-03-01 (Hemoglobin A1c/Hemoglobin.total in Blood).",
    ),
    "urine-is-not-blood": (
        observation(effectiveDateTime="2031-03-01", code=named("Potassium [Moles/volume] in Urine")),
        "Urine potassium: 5.8 mmol/L on 2031-03-01 (Potassium [Moles/volume] in Urine).",
    ),
    "pressure": (
        observation(effectiveDateTime="2031-03-01", code=named("Blood pressure panel"), valueQuantity=None,
                    component=[SYSTOLIC, DIASTOLIC]),
        "Blood pressure: 120/80 mmHg on 2031-03-01.",
    ),
    "half-a-pressure": (
        observation(effectiveDateTime="2031-03-01", code=named("Blood pressure panel"), valueQuantity=None,
                    component=[SYSTOLIC]),
        "Systolic blood pressure: 120 mmHg on 2031-03-01 (part of Blood pressure panel).",
    ),
    "no-result": (
        observation(effectiveDateTime="2031-03-01", valueQuantity=None, dataAbsentReason=named("haemolysed")),
        "Potassium: no result (haemolysed) on 2031-03-01.",
    ),
    "no": (
        observation(effectiveDateTime="2031-03-01", code=named("Pregnant"), valueQuantity=None, valueBoolean=False),
        "Pregnant: no on 2031-03-01.",
    ),
    "order": (order(), "Lisinopril 10 MG Oral Tablet: once daily, was ordered on 2031-03-01."),
    "stopped-order": (
        order(status="stopped"),
        "Lisinopril 10 MG Oral Tablet: once daily, was ordered on 2031-03-01 (the order is not active any more).",
    ),
    "order-on-hold": (
        order(status="on-hold"),
        "Lisinopril 10 MG Oral Tablet: once daily, was ordered on 2031-03-01 (the order is on hold).",
    ),
    "order-not-to-give": (
        order(doNotPerform=True),
        "Do not give lisinopril 10 MG Oral Tablet on 2031-03-01 (an order not to give it).",
    ),
    "proposal": (order(intent="proposal"), "Lisinopril 10 MG Oral Tablet: once daily, was proposed on 2031-03-01."),
    "dosage-parts": (
        order(medicationCodeableConcept=named("morphine"), dosageInstruction=[{
            "doseAndRate": [{"doseQuantity": {"value": 2, "unit": "mg"}}], "route": named("intravenously"),
            "timing": {"repeat": {"frequency": 1, "period": 4, "periodUnit": "h"}},
            "asNeededCodeableConcept": named("pain"),
        }]),
        "Morphine: 2 mg intravenously every 4 hours as needed for pain, was ordered on 2031-03-01.",
    ),
    "dosage-without-unit": (
        order(dosageInstruction=[{"doseAndRate": [{"doseQuantity": {"value": 1}}],
                                  "timing": {"code": {"coding": [{"code": "BID"}]}}}]),
        "Lisinopril 10 MG Oral Tablet: 1 per dose twice daily, was ordered on 2031-03-01.",
    ),
    "statement": (
        resource("MedicationStatement", status="active", medicationCodeableConcept=named("metformin"),
                 dosage=[{"text": "500 mg twice daily"}], effectivePeriod={"start": "2031-01-02"}),
        "Metformin: 500 mg twice daily, taken from 2031-01-02.",
    ),
    "statement-that-ended": (
        resource("MedicationStatement", status="completed", medicationCodeableConcept=named("metformin"),
                 dosage=[{"text": "500 mg twice daily"}],
                 effectivePeriod={"start": "2031-01-02", "end": "2031-02-03"}),
        "Metformin: 500 mg twice daily, taken from 2031-01-02 (over).\n"
        "Metformin was stopped on 2031-02-03 (end of the stated period).",
    ),
    "statement-not-taken": (
        resource("MedicationStatement", status="not-taken", medicationCodeableConcept=named("metformin"),
                 dateAsserted="2031-01-02"),
        "Metformin is not taken on 2031-01-02.",
    ),
    "given": (
        resource("MedicationAdministration", status="completed", medicationCodeableConcept=named("cefazolin"),
                 effectiveDateTime="2031-03-01T08:15:00Z",
                 dosage={"dose": {"value": 2, "unit": "g"}, "route": named("intravenously")}),
        "Cefazolin 2 g intravenously was given on 2031-03-01 at 08:15 UTC.",
    ),
    "not-given": (
        resource("MedicationAdministration", status="not-done", medicationCodeableConcept=named("cefazolin"),
                 effectiveDateTime="2031-03-01", dosage={"dose": {"value": 2, "unit": "g"}},
                 statusReason=[named("refused")]),
        "Cefazolin was not given on 2031-03-01 (reason: refused).",
    ),
    "condition": (condition(clinicalStatus=code("active")), "Diagnosis of Sepsis since 2031-03-01."),
    "condition-resolved": (
        condition(clinicalStatus=code("resolved"), abatementDateTime="2031-04-05"),
        "Diagnosis of Sepsis, resolved on 2031-04-05 (began on 2031-03-01).",
    ),
    "condition-refuted": (condition(verificationStatus=code("refuted")), "Sepsis was ruled out (refuted)."),
    "condition-possible": (
        condition(verificationStatus=code("differential")),
        "Possible diagnosis of Sepsis since 2031-03-01 (a differential diagnosis).",
    ),
    "condition-inactive": (
        condition(clinicalStatus=code("inactive")), "History of Sepsis (not active; began on 2031-03-01)."
    ),
    "health-concern": (
        condition(category=[{"coding": [{"code": "health-concern"}]}], code=named("Stress (finding)")),
        "Health concern: Stress since 2031-03-01.",
    ),
    "allergy": (
        allergy(reaction=[{"manifestation": [named("hives")], "severity": "severe"}], criticality="high"),
        "Allergy to penicillin: hives, severe (high risk; recorded on 2031-03-01).",
    ),
    "no-allergy": (allergy(code=named("No known allergy")), "No known allergy (recorded on 2031-03-01)."),
    "allergy-refuted": (
        allergy(verificationStatus=code("refuted")),
        "Allergy to penicillin was ruled out (recorded on 2031-03-01).",
    ),
    "procedure": (procedure(), "The patient underwent appendectomy on 2031-03-01."),
    "procedure-not-done": (
        procedure(status="not-done", statusReason=named("refused")),
        "Appendectomy was not done on 2031-03-01 (reason: refused).",
    ),
    "vaccine": (vaccine(lotNumber="L7"), "Vaccine Influenza, seasonal was given on 2031-03-01 (lot L7)."),
    "vaccine-not-given": (vaccine(status="not-done"), "Vaccine Influenza, seasonal was not given on 2031-03-01."),
    "stay": (
        resource("Encounter", status="finished", **{"class": {"code": "IMP"}},
                 period={"start": "2031-03-01", "end": "2031-03-04"}, reasonCode=[named("Sepsis")]),
        "Inpatient stay from 2031-03-01 to 2031-03-04 (reason: Sepsis).",
    ),
    "patient": (
        {"resourceType": "Patient", "id": "pa", "birthDate": "1950-03", "gender": "female",
         "name": [{"family": "Sample"}]},
        "The patient was born in 1950-03.\nAdministrative sex: female.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_what_a_resource_says(read_one: Callable[..., Document], name: str) -> None:
    source, said = SAID[name]
    document = read_one("r.json", source)
    assert document.text == said + "\n"
    assert [document.text[slice(*unit)] for unit in document.units] == said.split("\n")
    assert document.doc_id == f"{source['resourceType']}/{source['id']}"


def test_digits_stay_as_they_are_written(read_one: Callable[..., Document]) -> None:
    source = json.dumps(observation(effectiveDateTime="2031-03-01"))
    for written, shown in (("5.80", "5.80"), ("1.5e-3", "0.0015"), ("7", "7"), ("0.10", "0.10")):
        document = read_one("r.json", source.replace("5.8", written))
        assert document.text == f"Potassium: {shown} mmol/L on 2031-03-01.\n"


@pytest.mark.parametrize("kind", ["Observation", "MedicationRequest", "Condition", "AllergyIntolerance", "Procedure"])
def test_what_was_entered_in_error_is_marked(read_one: Callable[..., Document], kind: str) -> None:
    makers = {"Observation": observation, "MedicationRequest": order, "Procedure": procedure}
    if kind in makers:
        source = makers[kind](status="entered-in-error")
    else:
        source = {"Condition": condition, "AllergyIntolerance": allergy}[kind](
            verificationStatus=code("entered-in-error")
        )
    assert read_one("r.json", source).status == "entered-in-error"


REFUSED = {
    "cancelled-result": (observation(status="cancelled"), UnsupportedFormat, True),
    "cancelled-order": (order(status="cancelled"), UnsupportedFormat, True),
    "order-without-status": (order(status=None), CorruptSource, False),
    "procedure-without-status": (procedure(status=None), CorruptSource, False),
    "two-values": (observation(valueString="x"), CorruptSource, False),
    "two-units": (
        observation(valueQuantity={"value": 5.8, "unit": "mg/dL", "code": "mmol/L"}), CorruptSource, False
    ),
    "number-as-text": (observation(valueQuantity={"value": "5.8", "unit": "mmol/L"}), CorruptSource, False),
    "not-a-number": (observation(valueQuantity={"value": float("nan")}), CorruptSource, False),
    "unknown-comparator": (observation(valueQuantity={"value": 1, "comparator": "!"}), CorruptSource, False),
    "waveform": (observation(valueQuantity=None, valueSampledData={}), CorruptSource, False),
    "modifier": (observation(modifierExtension=[{"url": "not"}]), UnsupportedFormat, True),
    "medication-elsewhere": (
        order(medicationCodeableConcept=None, medicationReference={"reference": "Medication/m"}),
        UnsupportedFormat,
        True,
    ),
    "date-that-is-none": (observation(effectiveDateTime="2031-02-30"), CorruptSource, False),
    "unknown-verification": (condition(verificationStatus=code("perhaps")), CorruptSource, False),
    "no-value": (observation(valueQuantity=None), None, True),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_nothing_is_shown_by_halves(read: Read, name: str) -> None:
    source, kind, skipped = REFUSED[name]
    found, (problem,) = read("r.json", source)
    assert not found
    assert problem.skipped == skipped
    if kind:
        assert isinstance(problem.error, kind)


def test_a_medication_beside_the_order_or_inside_it(read: Read) -> None:
    inside = order(
        medicationCodeableConcept=None, medicationReference={"reference": "#m"},
        contained=[{"resourceType": "Medication", "id": "m", "code": named("apixaban 5 mg")}],
    )  # fmt: skip
    beside = order(id="y", medicationCodeableConcept=None, medicationReference={"reference": "Medication/m2"})
    medication = {"resourceType": "Medication", "id": "m2", "code": named("warfarin 2 mg")}
    entries = [{"resource": r} for r in (inside, beside, medication)]
    found, problems = read("b.json", {"resourceType": "Bundle", "entry": entries})
    assert not problems
    assert [f.document.text.split(":")[0] for f in found] == ["Apixaban 5 mg", "Warfarin 2 mg"]


def test_patients_of_one_bundle_go_apart(read: Read) -> None:
    entries = [
        {"resource": observation(id=patient, subject={"reference": f"Patient/{patient}"})} for patient in ("pa", "pb")
    ]
    found, problems = read("b.json", {"resourceType": "Bundle", "entry": entries})
    assert [f.patient_id for f in found] == ["pa", "pb"]
    assert not problems


def damaged(count: int) -> list[dict[str, Any]]:
    """Resources of every kind with one field, at any depth, taken away or made of another type."""
    chance = random.Random(16)
    sources = [source for source, _ in SAID.values()]
    out = []
    for n in range(count):
        source = copy.deepcopy(sources[n % len(sources)]) | {"id": f"r{n}"}
        node: Any = source
        while True:
            keys = (
                [k for k in node if k not in ("id", "resourceType")]
                if isinstance(node, dict)
                else list(range(len(node)))
            )
            key = chance.choice(keys)
            if isinstance(node[key], dict | list) and node[key] and chance.random() < 0.7:
                node = node[key]
                continue
            break
        if chance.random() < 0.4 and isinstance(node, dict):
            del node[key]
        else:
            node[key] = chance.choice([7, "word", [], {}, [[]], True, {"value": []}, 1e999, None, "\ud800"])
        out.append(source)
    return out


def test_damaged_resources_are_read_or_named_one_by_one(read: Read) -> None:
    sources = damaged(200)
    entries = [{"resource": source} for source in [*sources, observation(id="good")]]
    found, problems = read("b.json", {"resourceType": "Bundle", "entry": entries})
    assert found[-1].document.doc_id == "Observation/good"
    known = {f.document.doc_id.split("/")[-1] for f in found} | {p.where.split("/")[-1] for p in problems}
    assert {source["id"] for source in sources} <= known
    assert len(problems) > 40
    for f in found:
        assert all(f.document.text[slice(*unit)].strip() for unit in f.document.units)
