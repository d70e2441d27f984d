"""A backup of a store in use is whole, comes back as it was, and a changed one never comes back."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import tarfile
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import FakeEncoder, Shelf, kitchen_of, note

from chartcite.core.audit import Event
from chartcite.core.errors import BackupRefused, ChartciteError, UsageError
from chartcite.core.scope import Scope
from chartcite.store.audit import AuditTrail
from chartcite.store.audit_check import check
from chartcite.store.backup import MANIFEST, restore_backup, write_backup
from chartcite.store.store import Store

ONE = Scope.patient("p1")
Put = Callable[[int], None]
Member = tuple[str, bytes, bytes]
Manifest = dict[str, Any]


def test_a_backup_under_writing_is_one_state_and_the_trail_holds(tmp_path: Path, shelf_in: Put) -> None:
    shelf_in(0)
    trail = AuditTrail(tmp_path / "store", tmp_path / "key", "nobody")
    stop, seen = threading.Event(), list[int]()

    def write() -> None:
        n = 0
        while not stop.is_set():
            n += 1
            shelf_in(n)
            trail.record(Event("ask", "answered", ONE, "how?"))
            seen.append(n)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        while len(seen) < 3:
            stop.wait(0.001)
        before = len(seen)
        made = write_backup(tmp_path / "store", tmp_path / "b.tar")
    finally:
        stop.set()
        writer.join()
    found = restore_backup(tmp_path / "b.tar", tmp_path / "new", seal=made.seal)
    assert found == made
    with Store(tmp_path / "new") as store:
        assert store.check() == []
        counts = store.counts()
        assert counts["documents"] >= before + 1
        assert counts["sentences"] == 2 * counts["documents"]
    back = AuditTrail(tmp_path / "new", tmp_path / "key", "nobody")
    assert not check(back).faults
    assert len(list(back.lines())) >= before


def test_files_beside_come_along_and_derived_ones_do_not(tmp_path: Path, shelf_in: Put) -> None:
    shelf_in(0)
    store = tmp_path / "store"
    for name in ("lists/ward.json", "large/1-x/bits", "spool/u1", "note.partial"):
        (store / name).parent.mkdir(parents=True, exist_ok=True)
        (store / name).write_text("x")
    (store / "link").symlink_to("/etc/passwd")
    with closing(sqlite3.connect(store / "access.sqlite3")) as other:
        other.execute("CREATE TABLE t (a)")
    write_backup(store, tmp_path / "b.tar")
    restore_backup(tmp_path / "b.tar", tmp_path / "new")
    there = sorted(p.relative_to(tmp_path / "new").as_posix() for p in (tmp_path / "new").rglob("*") if p.is_file())
    assert [p for p in there if not p.endswith(("-wal", "-shm"))] == [
        "access.sqlite3", "chartcite.sqlite3", "lists/ward.json",
    ]  # fmt: skip
    assert all((tmp_path / "new" / p).stat().st_mode & 0o077 == 0 for p in there if not p.endswith(("-wal", "-shm")))
    assert (tmp_path / "b.tar").stat().st_mode & 0o077 == 0


def test_nothing_is_ever_replaced(tmp_path: Path, shelf_in: Put) -> None:
    shelf_in(0)
    write_backup(tmp_path / "store", tmp_path / "b.tar")
    whole = (tmp_path / "b.tar").read_bytes()
    with pytest.raises(UsageError):
        write_backup(tmp_path / "store", tmp_path / "b.tar")
    with pytest.raises(UsageError):
        restore_backup(tmp_path / "b.tar", tmp_path / "store")
    assert (tmp_path / "b.tar").read_bytes() == whole
    (tmp_path / "elsewhere").symlink_to(tmp_path / "gone")
    with pytest.raises(UsageError):
        restore_backup(tmp_path / "b.tar", tmp_path / "elsewhere")


HOSTILE = (
    "../out", "/etc/out", "a/../../out", "./out", "a//b", "a\\..\\out", "C:/out", "-rf", "..", ".", "", "a/", "a\x00b",
    "chartcite.sqlite3-wal", "audit.sqlite3-journal", "a\nb", "~/x/../..", "a/..", "%2e%2e/../out", "Chartcite.sqlite3",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE, ids=[str(i) for i in range(len(HOSTILE))])
def test_no_name_leads_out_of_the_folder(tmp_path: Path, shelf_in: Put, name: str) -> None:
    shelf_in(0)
    write_backup(tmp_path / "store", tmp_path / "b.tar")
    manifest, members = _parts(tmp_path / "b.tar")
    digest = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    manifest["files"].append({"path": name, "size": 1, "sha256": digest})
    _write(tmp_path / "evil.tar", manifest, [*members, (name, b"x", tarfile.REGTYPE)])
    before = _all(tmp_path)
    with pytest.raises(BackupRefused):
        restore_backup(tmp_path / "evil.tar", tmp_path / "new")
    assert _all(tmp_path) == before


def _link(m: list[Member]) -> list[Member]:
    return [(m[0][0], b"", tarfile.SYMTYPE), *m[1:]]


CHANGES: dict[str, Callable[[Manifest, list[Member]], tuple[Manifest, list[Member]]]] = {
    "a byte of the database": lambda f, m: (f, [(m[0][0], m[0][1][:-9] + b"X" + m[0][1][-8:], m[0][2]), *m[1:]]),
    "a link in place of a file": lambda f, m: (f, _link(m)),
    "one member too many": lambda f, m: (f, [*m, ("more", b"x", tarfile.REGTYPE)]),
    "one member too few": lambda f, m: (f, m[:-1]),
    "no files": lambda f, m: ({**f, "files": []}, m),
    "another schema": lambda f, m: ({**f, "schema": "x"}, m),
    "a size that is a word": lambda f, m: ({**f, "files": [{**f["files"][0], "size": "many"}]}, m),
    "files twice": lambda f, m: ({**f, "files": f["files"] * 2}, m * 2),
    "a size below zero": lambda f, m: ({**f, "files": [{**f["files"][0], "size": -1}]}, m),
}


@pytest.mark.parametrize("change", CHANGES, ids=list(CHANGES))
def test_a_changed_backup_is_refused_and_leaves_nothing(tmp_path: Path, shelf_in: Put, change: str) -> None:
    shelf_in(0)
    write_backup(tmp_path / "store", tmp_path / "b.tar")
    _write(tmp_path / "evil.tar", *CHANGES[change](*_parts(tmp_path / "b.tar")))
    before = _all(tmp_path)
    with pytest.raises(BackupRefused):
        restore_backup(tmp_path / "evil.tar", tmp_path / "new")
    assert _all(tmp_path) == before


def test_a_cut_file_and_bytes_at_random_are_refused(tmp_path: Path, shelf_in: Put) -> None:
    shelf_in(0)
    write_backup(tmp_path / "store", tmp_path / "b.tar")
    whole = (tmp_path / "b.tar").read_bytes()
    for n, content in enumerate((b"", whole[:100], whole[:1000], whole[: len(whole) // 2], os.urandom(5000))):
        (tmp_path / "cut.tar").write_bytes(content)
        with pytest.raises(ChartciteError):
            restore_backup(tmp_path / "cut.tar", tmp_path / f"new{n}")
        assert not (tmp_path / f"new{n}").exists()


def test_another_manifest_has_another_seal(tmp_path: Path, shelf_in: Put) -> None:
    shelf_in(0)
    made = write_backup(tmp_path / "store", tmp_path / "b.tar")
    manifest, members = _parts(tmp_path / "b.tar")
    _write(tmp_path / "other.tar", {**manifest, "more": 1}, members)
    with pytest.raises(BackupRefused, match="seal"):
        restore_backup(tmp_path / "other.tar", tmp_path / "new", seal=made.seal)


@pytest.fixture
def shelf_in(tmp_path: Path, fake_encoder: FakeEncoder) -> Put:
    """Puts the nth note into the store, each time with a connection of its own."""
    kitchen = kitchen_of(fake_encoder)

    def put(n: int) -> None:
        with Store(tmp_path / "store", create=True) as store:
            Shelf(store, kitchen).put(ONE, note(f"d{n}", f"Warfarin {n} mg. No fever.", "2020-01-01"))

    return put


def _parts(path: Path) -> tuple[Manifest, list[Member]]:
    with tarfile.open(path) as archive:
        found = [(m.name, getattr(archive.extractfile(m), "read", bytes)(), m.type) for m in archive]
    return json.loads(found[0][1]), found[1:]


def _write(path: Path, manifest: Manifest, members: list[Member]) -> None:
    with tarfile.open(path, "w") as archive:
        for name, content, kind in ((MANIFEST, json.dumps(manifest).encode(), tarfile.REGTYPE), *members):
            member = tarfile.TarInfo(name)
            member.size, member.type, member.linkname = len(content), kind, "/etc/passwd"
            archive.addfile(member, io.BytesIO(content))


def _all(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*"))
