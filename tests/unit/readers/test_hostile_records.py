"""What a hospital may hand over and nobody should believe: it would cost a patient, a dose, a `no`, a day or a unit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chartcite.core.errors import CorruptSource, ReadError, UnsupportedFormat
from chartcite.core.reading import Found, Problem

Read = Callable[..., tuple[list[Found], list[Problem]]]
PATIENT = {"reference": "Patient/pa"}


def bundle(*entries: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    return {"resourceType": "Bundle", "entry": [{"fullUrl": url, "resource": resource} for url, resource in entries]}


def order(**fields: Any) -> dict[str, Any]:
    return {
        "resourceType": "MedicationRequest", "id": "m", "status": "active", "intent": "order", "subject": PATIENT,
        "authoredOn": "2031-03-01", "medicationCodeableConcept": {"text": "Metformin"},
    } | fields  # fmt: skip


def dosed(**dosage: Any) -> dict[str, Any]:
    return order(dosageInstruction=[dosage])


def amount(value: float, **more: Any) -> dict[str, Any]:
    return {"doseQuantity": {"value": value, "unit": "mg"}} | more


def observation(**fields: Any) -> dict[str, Any]:
    return {
        "resourceType": "Observation", "id": "o", "status": "final", "subject": PATIENT, "code": {"text": "Potassium"},
        "effectiveDateTime": "2031-03-01", "valueQuantity": {"value": 5.8, "unit": "mmol/L"},
    } | fields  # fmt: skip


def condition(name: str = "Asthma", **fields: Any) -> dict[str, Any]:
    return {"resourceType": "Condition", "id": "c", "subject": PATIENT, "code": {"text": name}} | fields


def procedure(**fields: Any) -> dict[str, Any]:
    return {"resourceType": "Procedure", "id": "p", "status": "completed", "subject": PATIENT,
            "code": {"text": "appendectomy"}} | fields  # fmt: skip


def statement(start: str, end: str) -> dict[str, Any]:
    drug, period = {"text": "Aspirin"}, {"start": start, "end": end}
    return {"resourceType": "MedicationStatement", "id": "s", "status": "active", "subject": PATIENT,
            "medicationCodeableConcept": drug, "effectivePeriod": period}  # fmt: skip


def allergy(name: str, verified: str = "confirmed") -> dict[str, Any]:
    status = {"coding": [{"code": verified}]}
    return {"resourceType": "AllergyIntolerance", "id": "a", "patient": PATIENT, "code": {"text": name},
            "verificationStatus": status}  # fmt: skip


REFUTED = {"coding": [{"code": "refuted"}]}
MODIFIER = [{"url": "urn:x"}]
BY_NUMBER = {
    "medicationCodeableConcept": None,
    "medicationReference": {"reference": "urn:uuid:9", "display": "Aspirin"},
}

SAID = {
    "a-drug-without-id-is-not-every-drug": (
        bundle(("urn:uuid:1", {"resourceType": "Medication", "code": {"text": "Warfarin"}}),
               ("urn:uuid:2", order(**BY_NUMBER))),
        "Aspirin, was ordered on 2031-03-01.",
    ),
    "as-needed-beside-words": (
        dosed(text="500 mg twice daily", asNeededBoolean=True),
        "Metformin: 500 mg twice daily, as needed, was ordered on 2031-03-01.",
    ),
    "as-needed-in-words": (
        dosed(text="500 mg PRN", asNeededBoolean=True), "Metformin: 500 mg PRN, was ordered on 2031-03-01.",
    ),
    "at-most": (
        dosed(doseAndRate=[amount(500)], asNeededBoolean=True,
              maxDosePerPeriod={"numerator": {"value": 3, "unit": "g"}, "denominator": {"value": 1, "unit": "d"}}),
        "Metformin: 500 mg as needed, at most 3 g per day, was ordered on 2031-03-01.",
    ),
    "at-most-beside-words": (
        dosed(text="500 mg for up to 2 days", maxDosePerAdministration={"value": 1000, "unit": "mg"}),
        "Metformin: 500 mg for up to 2 days, at most 1000 mg per dose, was ordered on 2031-03-01.",
    ),
    "words-name-the-strength": (
        dosed(text="2 tablets of 250 mg", doseAndRate=[amount(500)]),
        "Metformin: 2 tablets of 250 mg, was ordered on 2031-03-01.",
    ),
    "ordered-and-calculated": (
        dosed(doseAndRate=[amount(5, type={"text": "Calculated"}), amount(50, type={"text": "Ordered"})]),
        "Metformin: 50 mg, was ordered on 2031-03-01.",
    ),
    "over-30-minutes": (
        dosed(doseAndRate=[amount(500)], timing={"repeat": {"frequency": 1, "period": 8, "periodUnit": "h",
                                                            "duration": 30, "durationUnit": "min"}}),
        "Metformin: 500 mg every 8 hours over 30 minutes, was ordered on 2031-03-01.",
    ),
    "steps-with-two-at-once": (
        order(dosageInstruction=[{"sequence": n, "text": text} for n, text in ((2, "c"), (1, "a"), (1, "b"))]),
        "Metformin: a; b, then c, was ordered on 2031-03-01.",
    ),
    "about-another": (
        observation(focus=[{"display": "Fetus"}]),
        "Potassium: 5.8 mmol/L on 2031-03-01 (about: Fetus, not the patient).",
    ),
    "specimen": (observation(specimen={"display": "Urine"}), "Potassium: 5.8 mmol/L on 2031-03-01 (specimen: Urine)."),
    "a-flag-inside-a-word": (
        observation(valueQuantity=None, valueString="abnormal", interpretation=[{"coding": [{"code": "N"}]}]),
        "Potassium: abnormal (normal) on 2031-03-01.",
    ),
    "day-of-a-timing": (
        observation(effectiveDateTime=None, effectiveTiming={"event": ["2031-01-01"]}, issued="2031-03-01T08:00:00Z"),
        "Potassium: 5.8 mmol/L on 2031-01-01.",
    ),
    "subpotent": (
        {"resourceType": "Immunization", "id": "i", "status": "completed", "patient": PATIENT, "isSubpotent": True,
         "vaccineCode": {"text": "Influenza"}, "occurrenceDateTime": "2031"},
        "Vaccine Influenza was given in 2031 (a subpotent dose).",
    ),
    "no-known-problem-is-no-diagnosis": (condition("No known problems"), "No known problems."),
    "a-finding-that-is-over": (
        condition("Not in labor force", clinicalStatus={"coding": [{"code": "resolved"}]}),
        "Diagnosis of Not in labor force, resolved.",
    ),
    "history-is-no-diagnosis": (condition("History of stroke"), "History of stroke."),
    "suspected-is-no-diagnosis": (condition("Suspected COVID-19"), "Suspected COVID-19."),
    "relative": (condition("Family history of breast cancer"), "Family history of breast cancer."),
    "ended-on-no-day": (condition(abatementString="as a child"), "Diagnosis of Asthma, resolved (end: as a child)."),
    "not-ended": (condition(abatementBoolean=False), "Diagnosis of Asthma."),
    "done-on-no-day": (
        procedure(performedString="in childhood"), "The patient underwent appendectomy (when: in childhood).",
    ),
    "ends-in-the-year-it-begins": (
        statement("2031-03-01", "2031"),
        "Aspirin, taken from 2031-03-01.\nAspirin was stopped in 2031 (end of the stated period).",
    ),
    "none-is-none": (allergy("No known allergy"), "No known allergy."),
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_what_is_said(read: Read, name: str) -> None:
    value, expected = SAID[name]
    found, _ = read("b.json", value)
    assert [f.document.text.rstrip("\n") for f in found] == [expected]


REFUSED: dict[str, tuple[dict[str, Any], type[ReadError]]] = {
    "dose-below-nothing": (dosed(doseAndRate=[amount(-5)]), CorruptSource),
    "dose-in-words-and-another": (dosed(text="500 mg twice daily", doseAndRate=[amount(250)]), CorruptSource),
    "dose-and-range": (dosed(doseAndRate=[amount(5, doseRange={"low": {"value": 9}})]), CorruptSource),
    "two-doses": (dosed(doseAndRate=[amount(5), amount(50)]), CorruptSource),
    "step-and-a-half": (dosed(sequence=1.5, text="a"), CorruptSource),
    "modifier-in-a-dosage": (dosed(text="a", modifierExtension=MODIFIER), UnsupportedFormat),
    "modifier-in-a-component": (
        observation(component=[{"code": {"text": "x"}, "valueString": "y", "modifierExtension": MODIFIER}]),
        UnsupportedFormat,
    ),
    "modifier-of-a-note": (
        {"resourceType": "DocumentReference", "id": "d", "status": "current", "subject": PATIENT,
         "modifierExtension": MODIFIER, "content": [{"attachment": {"data": "U2Vlbi4="}}]},
        UnsupportedFormat,
    ),
    "value-and-none": (observation(dataAbsentReason={"text": "error"}), CorruptSource),
    "micrograms-coded-milligrams": (
        observation(valueQuantity={"value": 5, "unit": "mcg", "code": "mg"}), CorruptSource,
    ),
    "mg-per-dl-coded-g-per-l": (
        observation(valueQuantity={"value": 5, "unit": "mg/dl", "code": "g/L"}), CorruptSource,
    ),
    "two-times": (observation(effectivePeriod={"start": "2031-01-01"}), CorruptSource),
    "about-nobody-knows-what": (observation(focus=[{"reference": "Device/1"}]), UnsupportedFormat),
    "range-upside-down": (
        observation(valueQuantity=None, valueRange={"low": {"value": 5}, "high": {"value": 3}}), CorruptSource,
    ),
    "negative-and-positive": (
        observation(valueQuantity=None, valueString="Negative", interpretation=[{"coding": [{"code": "POS"}]}]),
        CorruptSource,
    ),
    "done-at-two-times": (
        procedure(performedDateTime="2031", performedPeriod={"start": "2030"}), CorruptSource,
    ),
    "ends-before-it-begins": (statement("2031-03-01", "2031-02-01"), CorruptSource),
    "refuted-none": (allergy("No known allergy", "refuted"), UnsupportedFormat),
    "doubted-none": (allergy("No known allergy", "unconfirmed"), UnsupportedFormat),
    "refuted-no-disease": (condition("No diabetes", verificationStatus=REFUTED), UnsupportedFormat),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(read: Read, name: str) -> None:
    value, error = REFUSED[name]
    found, problems = read("b.json", value)
    assert not found
    assert [type(problem.error) for problem in problems] == [error]


def test_the_same_id_on_two_servers_is_two_patients_and_nobody_is_guessed(read: Read) -> None:
    people = [(f"https://{host}/Patient/1", {"resourceType": "Patient", "id": "1", "birthDate": year})
              for host, year in (("a", "1950"), ("b", "1980"))]  # fmt: skip
    told = [(f"https://a/Observation/{n}", observation(id=f"o{n}", subject={"reference": reference}))
            for n, reference in enumerate(("https://a/Patient/1", "https://b/Patient/1", "Patient/1"))]  # fmt: skip
    found, problems = read("b.json", bundle(*people, *told))
    assert not found
    assert len(problems) == 5


@pytest.mark.parametrize("reference", ["Medication/1", "https://a/Medication/1"])
def test_the_same_drug_id_on_two_servers(read: Read, reference: str) -> None:
    drugs = [(f"https://{host}/Medication/1", {"resourceType": "Medication", "id": "1", "code": {"text": name}})
             for host, name in (("a", "Warfarin"), ("b", "Aspirin"))]  # fmt: skip
    named = order(medicationCodeableConcept=None, medicationReference={"reference": reference})
    found, problems = read("b.json", bundle(*drugs, ("https://a/MedicationRequest/m", named)))
    expected = ["Warfarin, was ordered on 2031-03-01.\n"] if reference.startswith("https") else []
    assert [f.document.text for f in found] == expected
    assert bool(problems) is not bool(expected)


@pytest.mark.parametrize(("owner", "kept"), [("pa", 2), ("pb", 1)])
def test_the_encounter_of_another_patient(read: Read, owner: str, kept: int) -> None:
    visit = {"resourceType": "Encounter", "id": "e", "status": "finished", "class": {"code": "AMB"},
             "subject": {"reference": f"Patient/{owner}"}}  # fmt: skip
    result = observation(encounter={"reference": "Encounter/e"})
    found, problems = read("b.json", bundle(("urn:uuid:1", visit), ("urn:uuid:2", result)))
    assert (len(found), len(problems)) == (kept, 2 - kept)
