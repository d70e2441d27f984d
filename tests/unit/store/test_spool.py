"""Uploads on their way: names that are none, folders that were never acknowledged, and what a deletion takes along."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from tests.conftest import OpenShelf, note

from chartcite.core.scope import Scope
from chartcite.store.spool import FOLDER, Spool, UnusableName, checked_name

HOSTILE = (
    "../etc/passwd", "..\\..\\x.txt", "/etc/passwd", "a/b.txt", "a\\b.txt", "..", ".", "", ".hidden", "C:x.txt",
    "a\x00.txt", "a\n.txt", "\u202etxt.exe", " a.txt", "a.txt ", "a\u200b.txt", "x" * 201, "é" * 101, "~/../x",
    "file:///etc/passwd", "\\\\host\\share", "a*b", "con|x", "\ud800.txt",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE, ids=[str(n) for n in range(len(HOSTILE))])
def test_a_name_that_leads_elsewhere_is_refused(name: str) -> None:
    with pytest.raises(UnusableName) as refused:
        checked_name(name, {})
    assert name not in str(refused.value) or len(name) < 3


def test_plain_names_stay_and_come_once() -> None:
    for name in ("note.txt", "Évolution du 3 mars.pdf", "日本.txt", "a..b.txt", "%2e%2e%2fx"):
        assert checked_name(name, {}) == name
    with pytest.raises(UnusableName):
        checked_name("NOTE.txt", {"note.TXT": 1})


def test_what_was_never_acknowledged_is_erased_and_the_rest_stays(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    for job in ("cut", "whole"):
        spool.make(job)
        assert spool.keep(job, "a.txt", io.BytesIO(b"Warfarin 5 mg.")) == 14
    spool.note("whole", {"scope": {"patient": "p1"}})
    second = Spool(tmp_path)
    assert not second.is_mine  # one server at a time
    second.close()
    spool.close()
    again = Spool(tmp_path)
    assert again.is_mine
    assert [job for job, _ in again.notes()] == ["whole"]
    assert not (tmp_path / FOLDER / "cut").exists()
    assert [p.read_bytes() for p in again.files("whole")] == [b"Warfarin 5 mg."]
    again.drop_files("whole")
    assert again.files("whole") == []
    assert [job for job, _ in again.notes()] == ["whole"]
    again.close()


def test_jobs_go_with_their_patient(open_shelf: OpenShelf, tmp_path: Path) -> None:
    shelf = open_shelf()
    shelf.put("p1", note("d1", "Warfarin 5 mg."))
    spool = Spool(tmp_path / "store")
    for job, patient in (("a", "p1"), ("b", "p2")):
        spool.make(job)
        spool.keep(job, "a.txt", io.BytesIO(b"x"))
        spool.note(job, {"scope": {"patient": patient}})
    shelf.store.delete(Scope.patient("p1"))
    assert [job for job, _ in spool.notes()] == ["b"]
    spool.close()
