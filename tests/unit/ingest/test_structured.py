"""Structured formats through a whole ingest: partitions, statuses, reruns, files of one name."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chartcite.core.scope import Scope
from chartcite.ingest.ledger import Ledger

if TYPE_CHECKING:
    from tests.conftest import Shelf

Ingest = Callable[..., Ledger]


def observation(identity: str, patient: str, value: float, **fields: Any) -> dict[str, Any]:
    return {
        "resourceType": "Observation", "id": identity, "status": "final", "code": {"text": "Potassium"},
        "subject": {"reference": f"Patient/{patient}"}, "effectiveDateTime": "2031-03-01",
        "valueQuantity": {"value": value, "unit": "mmol/L"},
    } | fields  # fmt: skip


def write_bundle(path: Path, *resources: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"resourceType": "Bundle", "entry": [{"resource": r} for r in resources]}), "utf-8")
    return path


def write_message(path: Path, value: str, status: str = "F", patient: str = "77") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    segments = (
        "MSH|^~\\&|L||||20310301||ORU^R01|1|P|2.5", f"PID|1||{patient}^^^H", "OBR|1||F1|K^Chemistry|||20310301",
        f"OBX|1|NM|K^Potassium||{value}|mmol/L||||{status}|{status}",
    )  # fmt: skip
    path.write_bytes("\r".join(segments).encode())
    return path


def texts(shelf: Shelf, patient: str) -> dict[str, str]:
    with shelf.store.read(Scope.patient(patient)) as reader:
        return {info.doc_id: reader.document(info.key).text for info in reader.documents()}


def test_a_bundle_goes_to_its_patients_and_a_rerun_touches_what_changed(
    shelf: Shelf, ingest: Ingest, tmp_path: Path
) -> None:
    error = observation("o3", "pa", 9.9, status="entered-in-error")
    resources = [observation("o1", "pa", 5.8), observation("o2", "pb", 4.1), error]
    path = write_bundle(tmp_path / "in/b.json", *resources)
    assert ingest(tmp_path / "in").total("added") == 3
    assert texts(shelf, "pa") == {"Observation/o1": "Potassium: 5.8 mmol/L on 2031-03-01.\n"}
    assert list(texts(shelf, "pb")) == ["Observation/o2"]
    again = ingest(tmp_path / "in")
    assert (again.total("unchanged"), again.total("added") + again.total("updated")) == (3, 0)
    write_bundle(path, observation("o1", "pa", 5.9), *resources[1:])
    changed = ingest(tmp_path / "in")
    assert (changed.total("updated"), changed.total("unchanged")) == (1, 2)
    assert texts(shelf, "pa")["Observation/o1"].startswith("Potassium: 5.9")


def test_messages_of_one_file_name_at_two_places_are_both_kept(shelf: Shelf, ingest: Ingest, tmp_path: Path) -> None:
    for day, value in (("monday", "5.8"), ("tuesday", "4.1")):
        write_message(tmp_path / day / "x.hl7", value)
        assert ingest(tmp_path / day).total("added") == 1
    assert sorted(text[:13] for text in texts(shelf, "77@H").values()) == ["Potassium 4.1", "Potassium 5.8"]
    assert ingest(tmp_path / "monday").total("unchanged") == 1


@pytest.mark.parametrize(
    ("status", "kept"),
    [
        ("C", ["Potassium 4.1"]),
        ("W", ["Potassium: no"]),
        ("D", ["Potassium: no"]),
        ("P", ["Potassium 9.9", "Potassium 4.1"]),
    ],
)
def test_what_a_later_message_corrects_or_takes_back_is_no_evidence_any_more(
    shelf: Shelf, ingest: Ingest, tmp_path: Path, status: str, kept: list[str]
) -> None:
    first, later = (write_message(tmp_path / name, *more) for name, *more in (("1", "9.9"), ("2", "4.1", status)))
    (tmp_path / "in").mkdir()
    (tmp_path / "in/x.hl7").write_bytes(first.read_bytes() + b"\r" + later.read_bytes())
    ingest(tmp_path / "in")
    assert [text[:13] for text in texts(shelf, "77@H").values()] == kept


def test_the_same_number_of_two_hospitals_is_two_patients(shelf: Shelf, ingest: Ingest, tmp_path: Path) -> None:
    write_message(tmp_path / "a.hl7", "5.8")
    data = (tmp_path / "a.hl7").read_bytes()
    (tmp_path / "b.hl7").write_bytes(data.replace(b"^^^H", b"^^^J").replace(b"5.8", b"4.1"))
    ingest(tmp_path)
    assert [list(texts(shelf, f"77@{who}")) for who in "HJ"] == [["a.hl7#1"], ["b.hl7#1"]]


def test_an_archive_is_a_folder(shelf: Shelf, ingest: Ingest, tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("pa/visit.txt", "Seen by nurse.")
        made.writestr("b.json", json.dumps(observation("o1", "pb", 5.8)))
        made.writestr("broken.xml", "<ClinicalDocument>")
    found = ingest(path, folder=True)
    assert (found.total("added"), found.total("failed")) == (2, 1)
    assert [p.where for s in found.sources for p in s.problems] == ["all.zip!/broken.xml"]
    assert texts(shelf, "pa") == {"all.zip!/pa/visit.txt": "Seen by nurse."}
    assert {name: (one.documents, len(one.partitions)) for name, one in found.by_format().items()} == {
        "fhir": (1, 1), "text": (1, 1),
    }  # fmt: skip
    with zipfile.ZipFile(path, "a") as made:
        made.writestr("pa/second.txt", "Sent home.")
    again = ingest(path, folder=True)
    assert (again.total("added"), again.total("unchanged")) == (1, 2)
