"""FHIR R4: notes as DocumentReferences with the structured truth beside them; bundles and bulk NDJSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from chartcite.lab.longchart.facts.body import PER_DAY
from chartcite.lab.longchart.facts.model import Dose, Encounter, Life, Problem, Procedure, Result
from chartcite.lab.longchart.lexicon import drug_name, load, name
from chartcite.lab.longchart.notes.paper import Note
from chartcite.lab.longchart.output.notes import fhir_id

Resource = dict[str, Any]
_UCUM = {
    "mL/min/1.73m2": "mL/min/{1.73_m2}",
    "x10^3/uL": "10*3/uL",
    "x10^9/L": "10*9/L",
    "mmHg": "mm[Hg]",
    "points": "{score}",
    "": "{INR}",
    "mIU/L": "m[IU]/L",
    "uIU/mL": "u[IU]/mL",
    "mEq/L": "meq/L",
}
_LOINC_NOTE = {
    "progress-note": "11506-3",
    "consult-note": "11488-4",
    "discharge-summary": "18842-5",
    "lab-report": "11502-2",
    "radiology-report": "18748-4",
    "nursing-note": "34746-8",
    "operative-note": "11504-8",
    "telephone-note": "34748-4",
}


def resources(life: Life, notes: Sequence[Note]) -> Iterator[Resource]:
    """All resources of a patient, the patient first, then in order of type."""
    pid = life.person.patient_id
    given, family = life.person.name.split(" ", 1)
    yield {
        "resourceType": "Patient", "id": pid, "name": [{"family": family, "given": [given]}],
        "gender": "female" if life.person.sex == "F" else "male", "birthDate": life.person.born.isoformat(),
    }  # fmt: skip
    for encounter in life.encounters:
        yield _encounter(pid, encounter, life)
    for problem in life.problems:
        yield _condition(pid, problem, life)
    for result in life.results:
        yield _observation(pid, result, life)
    for dose in life.doses:
        yield _request(pid, dose, life)
    for procedure in life.procedures:
        yield _procedure(pid, procedure, life)
    for fact in life.backgrounds:
        if fact.topic == "allergy":
            yield {
                "resourceType": "AllergyIntolerance", "id": _id(fact.fact_id), "patient": _ref("Patient", pid),
                "code": {"text": name("allergen", fact.key, life.person.lang)}, "recordedDate": fact.other,
                "reaction": [{"manifestation": [{"text": fact.detail.replace("_", " ")}]}],
            }  # fmt: skip
    for note in notes:
        yield _document(pid, note)


def _id(fact_id: str) -> str:
    return fact_id.replace(":", ".")


def _ref(kind: str, identity: str) -> Resource:
    return {"reference": f"{kind}/{identity}"}


def _when(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def _encounter(pid: str, encounter: Encounter, life: Life) -> Resource:
    stay = encounter.kind == "stay"
    shown: Resource = {
        "resourceType": "Encounter", "id": f"{pid}.{encounter.key}", "status": "finished",
        "class": {"system": "http://terminology.hl7.org/CodeSystem/v3-ActCode", "code": "IMP" if stay else "AMB"},
        "subject": _ref("Patient", pid), "period": {"start": _when(encounter.at), "end": _when(encounter.until)},
        "serviceType": {"text": encounter.clinic},
    }  # fmt: skip
    if stay:
        shown["reasonCode"] = [{"text": name("cause", encounter.cause, life.person.lang)}]
    return shown


def _condition(pid: str, problem: Problem, life: Life) -> Resource:
    kind = "excluded" if problem.kind == "excluded" or problem.key not in load("conditions.toml") else "condition"
    refuted = problem.status == "ruled_out"
    shown: Resource = {
        "resourceType": "Condition", "id": _id(problem.fact_id), "subject": _ref("Patient", pid),
        "code": {"text": name(kind, problem.key, life.person.lang)},
        "verificationStatus": _coding("condition-ver-status", "refuted" if refuted else "confirmed"),
    }  # fmt: skip
    if refuted:
        return shown | {"recordedDate": problem.on.isoformat()}
    day = str(problem.on.year) if problem.year_only else problem.on.isoformat()
    return shown | {"clinicalStatus": _coding("condition-clinical", "active"), "onsetDateTime": day}


def _coding(system: str, code: str) -> Resource:
    return {"coding": [{"system": f"http://terminology.hl7.org/CodeSystem/{system}", "code": code}]}


def _observation(pid: str, result: Result, life: Life) -> Resource:
    row = load("analytes.toml")[result.analyte]
    shown: Resource = {
        "resourceType": "Observation",
        "id": _id(result.fact_id),
        "status": "corrected" if result.corrected else "final",
        "code": {
            "coding": [{"system": "http://loinc.org", "code": row["loinc"]}],
            "text": name("analyte", result.analyte, life.person.lang),
        },
        "subject": _ref("Patient", pid),
        "effectiveDateTime": _when(result.at),
    }
    if result.analyte == "bp":
        codes = (("8480-6", "Systolic blood pressure"), ("8462-4", "Diastolic blood pressure"))
        parts = [
            {
                "code": {"coding": [{"system": "http://loinc.org", "code": code}], "text": text},
                "valueQuantity": _quantity(shown_part, "mmHg"),
            }
            for (code, text), shown_part in zip(codes, result.shown.split("/"), strict=True)
        ]
        return shown | {"component": parts}
    shown["valueQuantity"] = _quantity(result.shown, result.unit)
    if result.ref:
        shown["referenceRange"] = [{"text": result.ref}]
    return shown


def _quantity(shown: str, unit: str) -> Resource:
    value = float(shown) if "." in shown else int(shown)
    return {"value": value, "unit": unit or "INR", "system": "http://unitsofmeasure.org", "code": _UCUM.get(unit, unit)}


def _request(pid: str, dose: Dose, life: Life) -> Resource:
    amount = dose.amount.split("-")[0]
    period: Resource = {"start": dose.start.isoformat()} | ({"end": dose.end.isoformat()} if dose.end else {})
    per_day = PER_DAY[dose.freq]
    timing: Resource = {"frequency": max(1, round(per_day)), "period": 1, "periodUnit": "d"}
    if per_day < 1:
        timing = {"frequency": 1, "period": 7 if dose.freq == "qwk" else 2, "periodUnit": "d"}
    return {
        "resourceType": "MedicationRequest",
        "id": _id(dose.fact_id),
        "status": "stopped" if dose.end else "active",
        "intent": "order",
        "subject": _ref("Patient", pid),
        "authoredOn": dose.start.isoformat(),
        "medicationCodeableConcept": {"text": f"{drug_name(dose.drug, life.person.lang)} {dose.amount} {dose.unit}"},
        "dosageInstruction": [
            {
                "text": f"{dose.amount} {dose.unit} {dose.freq}",
                "timing": {"repeat": {**timing, "boundsPeriod": period}},
                "route": {"text": dose.route},
                "doseAndRate": [{"doseQuantity": {"value": float(amount), "unit": dose.unit}}],
            }
        ],
    }


def _procedure(pid: str, procedure: Procedure, life: Life) -> Resource:
    shown: Resource = {
        "resourceType": "Procedure",
        "id": _id(procedure.fact_id),
        "status": "completed",
        "subject": _ref("Patient", pid),
        "code": {"text": name("procedure", procedure.key, life.person.lang)},
        "performedDateTime": _when(procedure.at),
    }
    return shown | ({"bodySite": [{"text": procedure.side}]} if procedure.side else {})


def _document(pid: str, note: Note) -> Resource:
    coding = (
        [{"system": "http://loinc.org", "code": _LOINC_NOTE[note.note_type]}] if note.note_type in _LOINC_NOTE else []
    )
    kind: Resource = {"text": note.title} | ({"coding": coding} if coding else {})
    data = base64.b64encode(note.text.encode("utf-8")).decode("ascii")
    return {
        "resourceType": "DocumentReference", "id": fhir_id(note.doc_id), "status": "current", "type": kind,
        "subject": _ref("Patient", pid), "date": _when(note.at), "author": [{"display": note.author}],
        "content": [{"attachment": {"contentType": "text/plain; charset=utf-8", "language": note.lang, "data": data}}],
        "context": {"encounter": [_ref("Encounter", f"{pid}.{note.encounter}")]},
    }  # fmt: skip


def write_fhir(everybody: Sequence[tuple[Life, Sequence[Note]]], folder: Path) -> None:
    """`bundles/PATIENT.json` (collections) and `bulk/Type.000.ndjson` (all patients)."""
    (folder / "bundles").mkdir(parents=True, exist_ok=True)
    (folder / "bulk").mkdir(parents=True, exist_ok=True)
    bulk: dict[str, list[str]] = {}
    for life, notes in everybody:
        rows = [json.dumps(r, ensure_ascii=False) for r in resources(life, notes)]
        for row in rows:
            bulk.setdefault(row.split('"', 4)[3], []).append(row)
        entries = ",\n".join(f'{{"fullUrl": "urn:longchart:{_kind_and_id(row)}", "resource": {row}}}' for row in rows)
        text = f'{{"resourceType": "Bundle", "type": "collection", "entry": [\n{entries}\n]}}\n'
        (folder / "bundles" / f"{life.person.patient_id}.json").write_bytes(text.encode("utf-8"))
    for kind, rows in bulk.items():
        (folder / "bulk" / f"{kind}.000.ndjson").write_bytes(("\n".join(rows) + "\n").encode("utf-8"))


def _kind_and_id(row: str) -> str:
    parts = row.split('"', 8)
    return f"{parts[3]}:{parts[7]}"
