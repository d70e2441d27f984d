"""Sources that mean two people by one identifier: noticed across files, formats and runs; never settled."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chartcite.core.identity import Person
from chartcite.core.reading import ReadOptions
from chartcite.core.scope import Scope
from chartcite.ingest.ledger import Ledger
from chartcite.ingest.routing import Route
from chartcite.ingest.walk import walk
from chartcite.library.rehearsal import rehearse

if TYPE_CHECKING:
    from tests.conftest import Shelf

Ingest = Callable[..., Ledger]
MARIA = ("19500302", "F", "SILVA^MARIA")


def hl7(folder: Path, name: str, born: str, sex: str, full: str, text: str = "No fever.") -> Path:
    path = folder / f"{name}.hl7"
    path.write_text(
        f"MSH|^~\\&|L||||||ORU^R01|{name}\rPID|1||7^^^H^MR||{full}||{born}|{sex}\rOBR|1|||X\rOBX|1|TX|||{text}\r"
    )
    return path


def ccda(folder: Path, name: str, born: str, sex: str, full: str) -> Path:
    path = folder / f"{name}.xml"
    path.write_text(
        '<ClinicalDocument xmlns="urn:hl7-org:v3"><recordTarget><patientRole><id root="H" extension="7"/><patient>'
        f'<name><given>{full}</given></name><administrativeGenderCode code="{sex}"/>'
        f'<birthTime value="{born}"/></patient>'
        "</patientRole></recordTarget><component><structuredBody><component><section><text>Potassium 4.1 mmol/L."
        "</text></section></component></structuredBody></component></ClinicalDocument>"
    )
    return path


def fhir(folder: Path, name: str, born: str, sex: str, full: str) -> Path:
    path = folder / f"{name}.json"
    patient = {"resourceType": "Patient", "id": "7@H", "birthDate": born, "gender": sex, "name": [{"family": full}]}
    report = {"resourceType": "DiagnosticReport", "id": f"r-{name}", "status": "final", "code": {"text": "X"},
              "subject": {"reference": "Patient/7-H"}, "conclusion": "No fever."}  # fmt: skip
    entries = [{"resource": {**patient, "id": "7-H"}}, {"resource": report}]
    path.write_text(json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries}))
    return path


def kinds(ledger: Ledger) -> list[str]:
    return sorted(problem.kind for source in ledger.sources for problem in source.problems)


def said(ledger: Ledger) -> str:
    return " ".join(f"{p.where} {p.reason} {p.advice}" for source in ledger.sources for p in source.problems)


def test_one_person_in_two_formats(ingest: Ingest, tmp_path: Path, shelf: Shelf) -> None:
    first, second = hl7(tmp_path, "a", *MARIA), ccda(tmp_path, "b", "1950", "F", "Maria Souza")
    assert kinds(ingest(first)) == kinds(ingest(second)) == []
    assert shelf.rows("SELECT born, sex, name FROM persons") == [("1950-03-02", "female", "maria silva")]


@pytest.mark.parametrize(
    ("born", "sex", "full", "what"),
    [
        ("19500402", "F", "SILVA^MARIA", "birth date"),
        ("19500302", "M", "SILVA^MARIA", "sex"),
        ("1950", "F", "GRAY^ANNA", "name"),
    ],
    ids=["born", "sex", "name"],
)
def test_one_thing_that_differs_is_reported_and_the_document_kept(
    ingest: Ingest, tmp_path: Path, shelf: Shelf, born: str, sex: str, full: str, what: str
) -> None:
    ingest(hl7(tmp_path, "a", *MARIA))
    other = hl7(tmp_path, "b", born, sex, full)
    ledger = ingest(other)
    assert (kinds(ledger), ledger.total("added"), ledger.failed) == (["IdentityConflict"], 1, True)
    assert what in said(ledger)
    assert not any(word in said(ledger).lower() for word in ("silva", "maria", "gray", "anna", "1950", "0402"))
    assert kinds(ingest(other)) == ["IdentityConflict"], "it is said until it is settled"
    assert shelf.rows("SELECT born, sex, name FROM persons") == [("1950-03-02", "female", "maria silva")]


def test_two_things_that_differ_keep_a_document_out(ingest: Ingest, tmp_path: Path, shelf: Shelf) -> None:
    hl7(tmp_path, "a", *MARIA)
    ccda(tmp_path, "b", "1971", "M", "Maria Silva")
    ledger = ingest(tmp_path)
    assert (kinds(ledger), ledger.total("added")) == (["AnotherPerson"], 1)
    assert [row[0] for row in shelf.rows("SELECT source_format FROM documents")] == ["hl7v2; ORU; charset=utf-8"]


def test_what_follows_in_the_source_stays_out_too(ingest: Ingest, tmp_path: Path) -> None:
    ingest(fhir(tmp_path, "a", "1950-03-02", "female", "Silva"))
    ledger = ingest(fhir(tmp_path, "b", "1971-01-01", "male", "Silva"))
    assert (kinds(ledger), ledger.total("added")) == (["AnotherPerson", "AnotherPerson"], 0)


def test_nothing_said_is_no_conflict_and_is_completed_later(ingest: Ingest, tmp_path: Path, shelf: Shelf) -> None:
    assert kinds(ingest(hl7(tmp_path, "a", "", "U", ""))) == []
    assert kinds(ingest(hl7(tmp_path, "b", "19500302", "", ""))) == []
    assert kinds(ingest(hl7(tmp_path, "c", "1950", "F", ""))) == []
    assert shelf.rows("SELECT born, sex, name FROM persons") == [("1950-03-02", "female", "")]
    assert kinds(ingest(hl7(tmp_path, "d", "1951", "F", ""))) == ["IdentityConflict"]


def test_a_rehearsal_says_the_same(ingest: Ingest, tmp_path: Path) -> None:
    for n, born in enumerate(("19500302", "19500402")):
        hl7(tmp_path, f"n{n}", born, "F", "SILVA^MARIA")
    rehearsed = rehearse(walk([tmp_path]), Route(), ReadOptions(), lambda *_: None).ledger
    assert rehearsed.to_dict()["formats"] == ingest(tmp_path).to_dict()["formats"]
    assert kinds(rehearsed) == ["IdentityConflict"]


def test_who_somebody_is_goes_with_the_patient(ingest: Ingest, tmp_path: Path, shelf: Shelf) -> None:
    ingest(hl7(tmp_path, "a", *MARIA))
    shelf.store.delete(Scope.patient("7@H"))
    assert shelf.rows("SELECT * FROM persons") == []
    assert b"maria" not in b"".join(path.read_bytes() for path in shelf.store.folder.iterdir())
    assert kinds(ingest(hl7(tmp_path, "b", "1971", "M", "GRAY^JOHN"))) == []


@pytest.mark.parametrize(
    ("one", "other", "fields"),
    [
        (Person("1950"), Person("1950-03"), ()),
        (Person("1950-03-02"), Person("1950-04"), ("born",)),
        (Person(sex="male"), Person(sex="female"), ("sex",)),
        (Person(sex="male"), Person(), ()),
        (Person(name="maria silva"), Person(name="maria souza"), ()),
        (Person(name="maria silva"), Person(name="anna gray"), ("name",)),
        (Person("1950", "male", "x y"), Person("1951", "female", "z"), ("born", "sex", "name")),
    ],
    ids=["partial", "month", "sex", "unsaid", "married", "other name", "all"],
)
def test_what_contradicts(one: Person, other: Person, fields: tuple[str, ...]) -> None:
    assert one.contradicts(other) == other.contradicts(one) == fields


@pytest.mark.parametrize(
    ("born", "sex", "names", "person"),
    [
        ("", "U", ("",), None),
        ("0000", "unknown", ("..",), None),
        ("1950-03", "Male", ("d'Ávila, J.",), Person("1950-03", "male", "avila")),
        ("195003021130", "f", (), Person("1950-03-02", "female")),
    ],
    ids=["nothing", "nothing either", "marks", "clock"],
)
def test_what_is_compared(born: str, sex: str, names: tuple[str, ...], person: Any) -> None:
    assert Person.of(born, sex, *names) == person
