"""Readers of structured formats on anything: documents or named errors, units inside the text, messages without it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from chartcite.core.errors import ReadError
from chartcite.core.reading import Found, ReadOptions
from chartcite.readers import ccda, fhir, hl7v2
from chartcite.readers.bytes_in import named_errors

QUICK = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
SOAK = settings(QUICK, max_examples=2000)

KINDS = st.sampled_from(sorted({
    "Observation", "MedicationRequest", "MedicationStatement", "MedicationAdministration", "Condition", "Procedure",
    "AllergyIntolerance", "Immunization", "Encounter", "Patient", "Composition", "DocumentReference",
    "DiagnosticReport", "Medication", "Binary", "Bundle",
}))  # fmt: skip
KEYS = st.sampled_from([
    "status", "code", "text", "coding", "display", "subject", "patient", "reference", "valueQuantity", "value", "unit",
    "comparator", "component", "referenceRange", "low", "high", "effectiveDateTime", "authoredOn", "period", "start",
    "end", "dosageInstruction", "timing", "repeat", "frequency", "periodUnit", "doseAndRate", "doseQuantity", "section",
    "div", "title", "clinicalStatus", "verificationStatus", "reaction", "manifestation", "medicationCodeableConcept",
    "medicationReference", "contained", "id", "content", "attachment", "data", "contentType", "entry", "resource",
    "birthDate", "performedDateTime", "vaccineCode", "class", "note", "interpretation", "when", "sequence",
])  # fmt: skip
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["final", "active", "Patient/p", "2031-03-01", "mg", "completed", "Zebulon", "H", "d", "<"])
)  # fmt: skip
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=25
)
RESOURCES = st.builds(
    lambda kind, fields: {**fields, "resourceType": kind}, KINDS, st.dictionaries(KEYS, VALUES, max_size=10)
)


def check(reader: Any, path: Path) -> None:
    """Reads to the end, or is refused by name."""
    said = ""
    try:
        with named_errors():
            for item in reader.read(path, path.name, "", ReadOptions()):
                if isinstance(item, Found):
                    document = item.document
                    at = 0
                    for unit in document.units:
                        assert at <= unit.start < unit.end <= len(document.text)
                        assert document.text[slice(*unit)].strip()
                        at = unit.end
                else:
                    assert isinstance(item.error, ReadError)
                    said += f"{item.error} {item.error.advice}"
    except ReadError as error:
        said += f"{error} {error.advice}"
    assert "Zebulon" not in said


def check_fhir(folder: Path, resources: list[Any]) -> None:
    path = folder / "b.json"
    entries = [{"resource": resource} for resource in resources]
    path.write_text(json.dumps({"resourceType": "Bundle", "entry": entries}), "utf-8")
    check(fhir.READER, path)


@QUICK
@given(st.lists(RESOURCES, max_size=4))
@example([{"resourceType": "Observation", "code": {"text": "x"}, "valueQuantity": {"value": 1e308}}])
def test_fhir(tmp_path: Path, resources: list[Any]) -> None:
    check_fhir(tmp_path, resources)


@pytest.mark.soak
@SOAK
@given(st.lists(RESOURCES, max_size=4))
def test_fhir_at_length(tmp_path: Path, resources: list[Any]) -> None:
    check_fhir(tmp_path, resources)


SEGMENTS = st.lists(
    st.builds(
        lambda name, fields: "|".join([name, *fields]),
        st.sampled_from(["MSH|^~\\&", "PID", "OBR", "OBX", "NTE", "PV1", "TXA", "BHS|^~\\&", "BTS", "FTS", "ZZZ", ""]),
        st.lists(
            st.sampled_from(["1", "NM", "TX", "SN", "CWE", "ED", "F", "P", "C", "^K^x", "20310301", "ORU^R01", '""',
                             "a~b", "\\T\\", "\\X4", "<^5", "^TEXT^^Base64^e30=", "Zebulon"])
            | st.text(max_size=5), max_size=14,
        ),
    ), max_size=8,
)  # fmt: skip


def check_hl7v2(folder: Path, segments: list[str], end: str) -> None:
    path = folder / "a.hl7"
    path.write_bytes((f"MSH|^~\\&||||||x|ORU^R01{end}" + end.join(segments)).encode("utf-8", "surrogatepass"))
    check(hl7v2.READER, path)


@QUICK
@given(SEGMENTS, st.sampled_from(["\r", "\n", "\r\n"]))
def test_hl7v2(tmp_path: Path, segments: list[str], end: str) -> None:
    check_hl7v2(tmp_path, segments, end)


@pytest.mark.soak
@SOAK
@given(SEGMENTS, st.sampled_from(["\r", "\n", "\r\n"]))
def test_hl7v2_at_length(tmp_path: Path, segments: list[str], end: str) -> None:
    check_hl7v2(tmp_path, segments, end)


def xml(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    tags = ["table", "thead", "tbody", "tr", "td", "th", "list", "item", "caption", "paragraph", "content", "br",
            "text", "section", "component", "entry", "act", "title", "sub", "footnote"]  # fmt: skip
    marks = [
        "",
        ' ID="a"',
        ' rowspan="3"',
        ' colspan="99999"',
        ' revised="delete"',
        ' negationInd="true"',
        ' value="#a"',
    ]
    return st.builds(
        lambda tag, mark, parts: f"<{tag}{mark}>{''.join(parts)}</{tag}>",
        st.sampled_from(tags), st.sampled_from(marks), st.lists(inner, max_size=4),
    )  # fmt: skip


TREES = st.recursive(st.sampled_from(["Zebulon", "no", " ", "&lt;5", "2031", ""]), xml, max_leaves=30)


def check_ccda(folder: Path, tree: str) -> None:
    path = folder / "a.xml"
    sections = f"<component><structuredBody><component><section><text>{tree}</text>{tree}</section></component>"
    path.write_text(f"<ClinicalDocument>{sections}</structuredBody></component></ClinicalDocument>", "utf-8")
    check(ccda.READER, path)


@QUICK
@given(TREES)
def test_ccda(tmp_path: Path, tree: str) -> None:
    check_ccda(tmp_path, tree)


@pytest.mark.soak
@SOAK
@given(TREES)
def test_ccda_at_length(tmp_path: Path, tree: str) -> None:
    check_ccda(tmp_path, tree)
