"""The pages of the ledger and of the lab's reports: one's own uploads, and reports in a sandbox, for nobody else."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.unit.server.conftest import Serve, Served, Shop

NOTE = b"PLAN\nMetformin 500 mg twice daily.\n"


def send(served: Served, who: str, files: dict[str, bytes], **form: str) -> Any:
    parts = [("files", (name, content)) for name, content in files.items()]
    return served.send("POST", "/ledger", who, data=form, files=parts, follow_redirects=False)


def ended(served: Served, who: str) -> str:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        text: str = served.send("GET", "/ledger", who).text
        if "Look again" not in text:
            return text
        time.sleep(0.05)
    raise AssertionError("the upload was not read in time")


def test_what_was_sent_in_is_told_file_by_file(serve: Serve) -> None:
    served = serve()
    files = {"2024-01-02_note.txt": NOTE, "scan.zip": b"PK\x03\x04 broken", "<img src=x>.txt"[1:4] + ".txt": b" "}
    response = send(served, "alice", files, patient="p1")
    assert (response.status_code, response.headers["location"]) == (303, "/ledger")
    said = ended(served, "alice")
    assert "1 document" in said
    assert "scan.zip" in said
    assert re.search(r"<strong>failed.{0,80}scan\.zip", said, re.DOTALL)
    assert "Metformin" not in said
    assert "scan.zip" not in served.send("GET", "/ledger", "bob").text
    assert "scan.zip" not in served.send("GET", "/ledger", "chief").text


def test_many_records_of_one_trouble_are_one_line(serve: Serve) -> None:
    served = serve()
    rows = b"".join(b'{"doc_id": "d%d", "text": " "}\n' % n for n in range(40))
    send(served, "alice", {"rows.jsonl": rows}, patient="p1")
    said = ended(served, "alice")
    assert said.count("<li><strong>") == 1
    assert "× 40" in said


@pytest.mark.parametrize(
    ("who", "status"), [("bob", 404), ("nobody", 404), ("alice-read", 403), ("revoked", 401), ("", 401)]
)
def test_nobody_sends_into_what_is_not_granted(serve: Serve, who: str, status: int) -> None:
    assert send(serve(), who, {"a.txt": NOTE}, patient="p1").status_code == status


def test_an_upload_for_nobody_is_refused_on_the_page(serve: Serve) -> None:
    response = send(serve(), "alice", {"a.txt": NOTE})
    assert response.status_code == 422
    assert "One patient or one collection must be named." in response.text


def test_a_form_of_another_page_sends_nothing_in(serve: Serve) -> None:
    served = serve()
    served.client.post("/login", data={"token": served.tokens["alice"], "next": "/", "csrf": ""})
    parts = [("files", ("a.txt", NOTE))]
    response = served.client.post("/ledger?csrf=forged", data={"patient": "p1"}, files=parts)
    assert response.status_code in (401, 403)


def test_reports_of_the_lab_stand_in_a_sandbox(serve: Serve, shop: Shop, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    for name in ("my trial", "other"):
        (folder / name).mkdir(parents=True)
        (folder / name / "report.html").write_text("<script>alert(1)</script><p>Report")
    (folder / "key").mkdir()
    (folder / "key" / "report.html").symlink_to(shop.settings.audit_key)
    (tmp_path / "report.html").write_text("outside")
    served = serve(lab=folder)
    listed = served.send("GET", "/lab", "chief").text
    assert "my trial" in listed
    assert "/lab/key" not in listed
    shown = served.send("GET", "/lab/my%20trial", "chief")
    assert shown.status_code == 200
    policy = shown.headers["content-security-policy"]
    assert policy.startswith("sandbox;")
    assert "script-src" not in policy
    assert "allow-scripts" not in policy
    for path in ("key", "..", "%2e%2e", "..%2f", ".", "my%20trial%2f..%2f..", "nothing", "my%20trial/report.html"):
        found = served.send("GET", f"/lab/{path}", "chief", follow_redirects=False)
        assert found.status_code == 404 or "outside" not in found.text, path
    for who, status in (("alice", 403), ("nobody", 403), ("alice-admin", 403), ("", 401)):
        assert served.send("GET", "/lab/my%20trial", who, follow_redirects=False).status_code in (status, 303)


def test_a_whole_answer_may_be_larger_than_a_question(serve: Serve) -> None:
    served = serve(body_bytes=500, answer_bytes=2000)
    large = {"answer": {"scope": {"patient": "p1"}, "x": "y" * 1000}}
    for path in ("verify", "export", "feedback"):
        assert served.send("POST", f"/api/v1/{path}", "alice", json=large).status_code == 422, path
        huge = {"answer": {"x": "y" * 3000}}
        assert served.send("POST", f"/api/v1/{path}", "alice", json=huge).status_code == 413, path
    assert served.send("POST", "/api/v1/search", "alice", json={"query": "y" * 1000}).status_code == 413
