"""Questions over a bulk export, on a tiny one."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any

from chartcite.lab.longchart.fhir_questions import counts, make_fhir_questions, read_export


def _resources() -> list[dict[str, Any]]:
    owner = {"reference": "Patient/p1"}
    rows: list[dict[str, Any]] = []
    for number, (name, day) in enumerate(
        [("Gout (disorder)", "2010-02-01"), ("Asthma (disorder)", "2012-05-09"), ("Gout (disorder)", "2015-03-03")]
    ):
        rows.append(
            {
                "resourceType": "Condition",
                "id": f"c{number}",
                "subject": owner,
                "code": {"text": name},
                "onsetDateTime": f"{day}T10:00:00Z",
                "encounter": {"reference": f"Encounter/e{number}"},
            }
        )
        text = base64.b64encode(f"{name} since {day}; uses clonidine".encode()).decode()
        rows.append(
            {
                "resourceType": "DocumentReference",
                "id": f"d{number}",
                "subject": owner,
                "date": f"{day}T11:00:00Z",
                "content": [{"attachment": {"contentType": "text/plain", "data": text}}],
                "context": {"encounter": [{"reference": f"Encounter/e{number}"}]},
            }
        )
    for number, day in enumerate(["2011-01-01", "2013-01-01"]):
        rows.append(
            {
                "resourceType": "Procedure",
                "id": f"p{number}",
                "status": "completed",
                "subject": owner,
                "code": {"coding": [{"display": "Colonoscopy (procedure)"}]},
                "performedPeriod": {"start": day},
            }
        )
    rows.append(
        {
            "resourceType": "Procedure",
            "id": "bad",
            "status": "entered-in-error",
            "subject": owner,
            "code": {"text": "Amputation"},
            "performedDateTime": "2014-01-01",
        }
    )
    return rows


def _export(folder: Path) -> None:
    kinds: dict[str, list[str]] = {}
    for row in _resources():
        kinds.setdefault(row["resourceType"], []).append(json.dumps(row))
    for kind, lines in kinds.items():
        data = ("\n".join([*lines, "not json", ""])).encode()
        (folder / f"{kind}.000.ndjson.gz").write_bytes(gzip.compress(data))


def test_answers_come_from_resources_and_notes_from_encounters(tmp_path: Path) -> None:
    _export(tmp_path)
    questions = make_fhir_questions(read_export(tmp_path), 1)
    first = next(q for q in questions if q["kind"] == "first" and q["answer"]["of"] == "Gout")
    latest = next(q for q in questions if q["kind"] == "latest" and q["answer"].get("of") == "Gout")
    assert (first["answer"]["date"], first["gold_notes"]) == ("2010-02-01", ["d0"])
    assert (latest["answer"]["date"], latest["gold_notes"]) == ("2015-03-03", ["d2"])
    count = next(q for q in questions if q["kind"] == "count")
    assert count["answer"]["dates"] == ["2011-01-01", "2013-01-01"]
    assert not any("Amputation" in str(q["answer"]) for q in questions)
    assert counts(questions)["first"]["questions"] == 3


def test_absent_is_in_no_resource_and_no_note(tmp_path: Path) -> None:
    _export(tmp_path)
    absent = [q for q in make_fhir_questions(read_export(tmp_path), 1) if q["kind"] == "absent"]
    assert absent
    assert not any("clonidine" in q["question"] or "gout" in q["question"].lower() for q in absent)


def test_same_seed_same_questions(tmp_path: Path) -> None:
    _export(tmp_path)
    charts = read_export(tmp_path)
    assert make_fhir_questions(charts, 4) == make_fhir_questions(charts, 4)
