"""Uploads: kept before they are acknowledged, read in their visitor's name, seen by nobody else, never half there."""

from __future__ import annotations

import io
import json
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from tests.unit.services.conftest import Served

from chartcite.app.server.jobs import Jobs
from chartcite.core.access import Grant, Visitor
from chartcite.core.scope import Scope
from chartcite.library.book import Book

NOTE = b"Apixaban 5 mg twice daily since May."


def sent(served: Served, *files: tuple[str, bytes], headers: dict[str, str] | None = None, **form: str) -> Any:
    parts = [("files", (name, content, "text/plain")) for name, content in files]
    return served.client.post("/api/v1/ingest", data=form, files=parts, headers=headers)


def over(served: Served, job: str, headers: dict[str, str] | None = None) -> dict[str, Any]:
    for _ in range(400):
        found: dict[str, Any] = served.client.get(f"/api/v1/jobs/{job}", headers=headers or {}).json()
        if found.get("ended"):
            return found
        time.sleep(0.025)
    raise AssertionError(found)


def asked(served: Served, patient: str, question: str, headers: dict[str, str]) -> dict[str, Any]:
    response = served.client.post("/api/v1/ask", json={"question": question, "patient": patient}, headers=headers)
    found: dict[str, Any] = response.json()
    return found


def test_an_upload_is_read_and_then_answers(served: Served) -> None:
    whose = served.token("ana", Grant("patient", "p1"))
    response = sent(served, ("may.txt", NOTE), ("broken.pdf", b"%PDF-1.4 nothing"), headers=whose, patient="p1")
    assert response.status_code == 202, response.text
    made = response.json()
    assert response.headers["location"] == f"/api/v1/jobs/{made['id']}"
    found = over(served, made["id"], whose)
    assert found["state"] == "done"
    outcomes = {row["source"]: row["outcome"] for row in found["ledger"]["sources"]}
    assert outcomes == {"broken.pdf": "failed", "may.txt": "read"}
    assert "5 mg" in str(asked(served, "p1", "What is the apixaban dose?", whose)["sentences"])
    assert not list((served.folder / "spool").rglob("*.txt"))
    assert [job["id"] for job in served.client.get("/api/v1/jobs", headers=whose).json()["jobs"]] == [made["id"]]
    events = served.client.get(f"/api/v1/jobs/{made['id']}/events", headers=whose)
    assert events.text.startswith("event: job\ndata: ")


def test_a_job_of_somebody_else_is_not_there(served: Served) -> None:
    ana, eva = served.token("ana", Grant("patient", "p1")), served.token("eva", Grant("everything"))
    made = sent(served, ("may.txt", NOTE), headers=ana, patient="p1").json()["id"]
    absent = served.client.get("/api/v1/jobs/nothing", headers=eva)
    for method, path in (("GET", ""), ("GET", "/events"), ("DELETE", "")):
        response = served.client.request(method, f"/api/v1/jobs/{made}{path}", headers=eva)
        assert (response.status_code, response.json()["title"]) == (404, absent.json()["title"])
    assert served.client.get("/api/v1/jobs", headers=eva).json()["jobs"] == []


@pytest.mark.parametrize(
    ("grant", "permissions", "status"),
    [
        (Grant("patient", "p2"), ("read", "ingest"), 404),
        (Grant("patient", "p1"), ("read",), 403),
        (Grant("collection", "p1"), ("ingest",), 404),
    ],
    ids=["another's patient", "no permission", "a collection of that name"],
)
def test_what_is_not_granted_takes_nothing(served: Served, grant: Grant, permissions: Any, status: int) -> None:
    whose = served.token("ana", grant, permissions=permissions)
    assert sent(served, ("a.txt", NOTE), headers=whose, patient="p1").status_code == status
    assert not [p for p in (served.folder / "spool").iterdir() if p.is_dir()]
    with Book(served.folder, served.settings, engines=served.engines) as book:
        assert [d.doc_id for d in book.documents(patient="p1")] == ["note.txt"]


NAMES = (
    "../../etc/cron.d/x", "..\\..\\x.txt", "/etc/passwd", "a/b.txt", "..", ".", ".htaccess", "C:",
    "\u202egnp.txt", "a" * 300, "file:///etc/passwd", "//host/share", "~/.ssh/../x", "a\\b", "a:b", "x ", "*", "a|b",
    "....//x",
)  # fmt: skip


def test_a_name_that_leads_elsewhere_is_refused(served: Served, tmp_path: Path) -> None:
    whose = served.token("ana", Grant("patient", "p1"))
    before = sorted(p for p in tmp_path.rglob("*") if p.parent.name != "store")
    for name in NAMES:
        response = sent(served, (name, NOTE), headers=whose, patient="p1")
        assert response.status_code in (400, 422), name
    assert sorted(p for p in tmp_path.rglob("*") if p.parent.name != "store") == before


def test_an_old_browsers_path_is_its_last_part(served: Served, tmp_path: Path) -> None:
    whose = served.token("ana", Grant("patient", "p1"))
    made = sent(served, ("C:\\x.txt", NOTE), headers=whose, patient="p1").json()
    assert [file["name"] for file in made["files"]] == ["x.txt"]
    assert over(served, made["id"], whose)["state"] == "done"
    assert not list(tmp_path.glob("**/C:*"))


def test_forms_that_are_none(served: Served) -> None:
    whose = served.token("ana", Grant("everything"))
    for form, files in (
        ({}, [("a.txt", NOTE)]), ({"patient": "p1", "collection": "c"}, [("a.txt", NOTE)]), ({"patient": "p1"}, []),
        ({"patient": "p1"}, [("a.txt", NOTE), ("A.TXT", NOTE)]),
    ):  # fmt: skip
        assert sent(served, *files, headers=whose, **form).status_code == 422
    other = served.client.post("/api/v1/ingest", json={"patient": "p1"}, headers=whose)
    assert other.status_code == 422
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    assert served.client.post("/api/v1/ingest", content=b"--y\r\n", headers={**whose, **kind}).status_code < 500


def test_what_is_too_large_is_refused_before_it_is_read(served: Served) -> None:
    whose = served.token("ana", Grant("everything"))
    kind = {"Content-Type": "multipart/form-data; boundary=x", "Content-Length": str(1 << 30)}
    taken = []

    def body() -> Any:
        for _ in range(1 << 14):
            taken.append(1)
            yield b"x" * (1 << 16)

    assert served.client.post("/api/v1/ingest", content=body(), headers={**whose, **kind}).status_code == 413
    assert sent(served, ("a.txt", b"x" * 150_000), headers=whose, patient="p1").status_code == 413
    assert not [p for p in (served.folder / "spool").iterdir() if p.is_dir()]


def test_a_server_that_was_killed_leaves_work_that_the_next_one_takes_up(served: Served, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    with Book(folder, served.settings, engines=served.engines):
        pass
    visitor = Visitor("who", is_local=True)
    first = Jobs(folder, served.settings, served.access, served.engines)
    first._closing.set()  # as if killed: nothing that is put in the queue is done
    made = first.add(visitor, Scope.patient("p9"), [("a.txt", io.BytesIO(NOTE))])
    first.close()
    again = Jobs(folder, served.settings, served.access, served.engines)
    try:
        found = again.one(visitor, made.id)
        for _ in range(400):
            if found.is_over:
                break
            time.sleep(0.025)
        assert (found.state, found.starts) == ("done", 1)
        assert found.ledger is not None
        assert found.ledger["added"] == 1
    finally:
        again.close()


def test_files_of_a_job_that_was_over_when_the_server_was_killed_go(served: Served, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    with Book(folder, served.settings, engines=served.engines):
        pass
    first = Jobs(folder, served.settings, served.access, served.engines)
    first._closing.set()
    made = first.add(Visitor("who", is_local=True), Scope.patient("p9"), [("a.txt", io.BytesIO(NOTE))])
    made.state, made.ended = "done", made.made
    first._write(made)
    first.close()
    assert list((folder / "spool").rglob("a.txt"))
    Jobs(folder, served.settings, served.access, served.engines).close()
    assert not list((folder / "spool").rglob("a.txt"))


def test_a_job_that_ends_the_server_again_and_again_is_given_up(served: Served, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    with Book(folder, served.settings, engines=served.engines):
        pass
    visitor = Visitor("who", is_local=True)
    first = Jobs(folder, served.settings, served.access, served.engines)
    first._closing.set()
    made = first.add(visitor, Scope.patient("p9"), [("a.txt", io.BytesIO(NOTE))])
    made.state, made.starts = "running", 3
    first._write(made)
    first.close()
    again = Jobs(folder, served.settings, served.access, served.engines)
    try:
        found = again.one(visitor, made.id)
        assert found.state == "interrupted"
        assert found.error is not None
        assert not again._spool.files(made.id)
    finally:
        again.close()


def test_a_job_that_was_given_up_stops_and_says_so(served: Served) -> None:
    whose = served.token("ana", Grant("everything"))
    rows = b"\n".join(b'{"doc_id":"d%d","text":"Note number %d."}' % (n, n) for n in range(800))
    made = sent(served, ("many.jsonl", rows), headers=whose, collection="many").json()["id"]
    cancelled = served.client.delete(f"/api/v1/jobs/{made}", headers=whose)
    assert cancelled.status_code == 200
    assert over(served, made, whose)["state"] in ("cancelled", "done")


def test_a_patient_who_is_deleted_does_not_come_back_by_an_upload(served: Served) -> None:
    whose = served.token("ana", Grant("everything"), permissions=("read", "ingest", "admin"))
    rows = b"\n".join(b'{"doc_id":"d%d","patient_id":"p1","text":"Note number %d."}' % (n, n) for n in range(400))
    made = [sent(served, (f"many{n}.jsonl", rows), headers=whose, patient="p1").json()["id"] for n in range(3)]
    assert served.client.delete("/api/v1/patients/p1", headers=whose).status_code == 200
    time.sleep(0.3)
    listed = served.client.get("/api/v1/patients", headers=whose).json()
    assert "p1" not in str(listed["patients"])
    assert all(served.client.get(f"/api/v1/jobs/{job}", headers=whose).status_code == 404 for job in made)
    assert not [p for p in (served.folder / "spool").iterdir() if p.is_dir()]


def test_no_address_in_an_upload_is_ever_fetched(served: Served) -> None:
    whose = served.token("ana", Grant("everything"))
    with socket.create_server(("127.0.0.1", 0)) as trap:
        trap.setblocking(False)
        port = trap.getsockname()[1]
        hosts = ("127.0.0.1", "localhost", "[::1]", "0x7f000001", "127.1", "2130706433", "user@127.0.0.1")
        targets = [f"http://{host}:{port}/x" for host in hosts] + [
            f"ftp://127.0.0.1:{port}/x", "file:///etc/passwd", f"//127.0.0.1:{port}/x",
        ]  # fmt: skip
        resources = [
            {"resource": {
                "resourceType": "DocumentReference", "id": f"d{n}", "status": "current",
                "subject": {"reference": "Patient/p1"},
                "content": [{"attachment": {"contentType": "text/plain", "url": url}}],
            }} for n, url in enumerate(targets)
        ]  # fmt: skip
        bundle = json.dumps({"resourceType": "Bundle", "type": "collection", "entry": resources}).encode()
        page = "".join(f'<img src="{url}"><link rel="stylesheet" href="{url}"><iframe src="{url}">' for url in targets)
        html = f'<!DOCTYPE html SYSTEM "http://127.0.0.1:{port}/dtd"><body>{page}<p>Note.</p></body>'.encode()
        xml = f'<!DOCTYPE a [<!ENTITY e SYSTEM "http://127.0.0.1:{port}/e">]><article>&e;</article>'.encode()
        made = sent(served, ("b.json", bundle), ("p.html", html), ("a.xml", xml), headers=whose, patient="p1").json()
        found = over(served, made["id"], whose)
        assert found["state"] == "done"
        assert "root:" not in str(found)
        with pytest.raises(BlockingIOError):
            trap.accept()
