"""What may be found where a store should be, and what the disk may do: a named error with advice, and no damage."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chartcite.core.errors import (
    StoreDamaged,
    StoreError,
    StoreLocked,
    StoreMissing,
    StoreNewer,
    StoreUnwritable,
)
from chartcite.core.scope import Scope
from chartcite.ingest.prepare import fingerprint
from chartcite.store.database import FILE
from chartcite.store.store import Store

if TYPE_CHECKING:
    from tests.conftest import MakeNote, OpenShelf, Shelf

P1 = Scope.patient("p1")
LONG = "The canaryword was seen. "


def refuse(folder: Path, kind: type[StoreError], create: bool = True) -> None:
    before = (folder / FILE).read_bytes() if (folder / FILE).is_file() else None
    with pytest.raises(kind) as refused:
        Store(folder, create=create, busy_seconds=0.1)
    assert refused.value.advice
    if before is not None:
        assert (folder / FILE).read_bytes() == before


@pytest.mark.parametrize("create", [True, False])
def test_a_newer_store(create: bool, tmp_path: Path, shelf: Shelf) -> None:
    shelf.rows("PRAGMA user_version=99")
    shelf.store.close()
    refuse(tmp_path / "store", StoreNewer, create)


@pytest.mark.parametrize(
    "content",
    [
        b"not a database, but longer than a header: " * 20, bytes(4096), b"SQLite format 3\0" + bytes(200),
        os.urandom(20_000), b"SQLite format 3\0" + os.urandom(8176),
    ],
    ids=["text", "zeros", "header only", "noise", "header and noise"],
)  # fmt: skip
def test_a_file_that_is_no_store(content: bytes, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(content)
    refuse(tmp_path, StoreDamaged)


def test_a_foreign_database(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute("CREATE TABLE partitions (id)")
    connection.close()
    refuse(tmp_path, StoreDamaged)


@pytest.mark.parametrize("content", [b"", b"x"])  # SQLite takes less than a header for nothing
def test_an_empty_file_becomes_a_store(content: bytes, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(content)
    with Store(tmp_path, create=True) as store:
        assert store.partitions() == []


def test_nothing_there(tmp_path: Path) -> None:
    refuse(tmp_path / "nowhere", StoreMissing, create=False)
    assert not (tmp_path / "nowhere").exists()


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    refuse(tmp_path / "file", StoreUnwritable)
    refuse(tmp_path / "file" / "below", StoreUnwritable)


def test_a_folder_where_the_file_should_be(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    refuse(tmp_path, StoreUnwritable)


def test_only_its_owner_may_enter_a_new_folder(tmp_path: Path) -> None:
    Store(tmp_path / "a" / "store", create=True).close()
    assert (tmp_path / "a" / "store").stat().st_mode & 0o077 == 0


@pytest.fixture
def as_nobody(tmp_path: Path) -> Iterator[Path]:
    """File permissions do not hold for root: become somebody else. The folder is one that anybody may enter."""
    if os.geteuid() != 0:
        yield tmp_path
        return
    for folder in (tmp_path, *tmp_path.parents):
        if folder.owner() == "root" and folder != Path("/") and folder.parent != Path("/"):
            folder.chmod(0o755)
    os.seteuid(65534)
    yield tmp_path
    os.seteuid(0)


def test_a_folder_without_write_permission(as_nobody: Path) -> None:
    refuse(as_nobody / "store", StoreUnwritable)


@pytest.fixture
def others_store(shelf: Shelf, make_note: MakeNote) -> Path:
    shelf.put("p1", make_note("d", "Text."))
    shelf.store.close()
    shelf.store.folder.chmod(0o755)
    return shelf.store.folder


def test_a_store_without_write_permission(others_store: Path, as_nobody: Path) -> None:
    with pytest.raises(StoreUnwritable), Store(others_store, busy_seconds=0.1) as store, store.read(P1):
        pass


def test_a_second_writer_waits(open_shelf: OpenShelf, make_note: MakeNote) -> None:
    one, two = open_shelf("store"), open_shelf("store", busy_seconds=5)
    one.rows("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, lambda: one.rows("COMMIT"))
    release.start()
    start = time.monotonic()
    assert two.put("p1", make_note("d", "Text.")) == ["added"]
    assert time.monotonic() - start > 0.2
    release.join()


def test_a_second_writer_gives_up(open_shelf: OpenShelf, make_note: MakeNote) -> None:
    one, two = open_shelf("store"), open_shelf("store", busy_seconds=0.1)
    one.rows("BEGIN IMMEDIATE")
    with pytest.raises(StoreLocked) as said:
        two.put("p1", make_note("d", "Text."))
    assert "try again" in said.value.advice
    one.rows("COMMIT")
    assert two.put("p1", make_note("d", "Text.")) == ["added"]


def test_a_store_that_is_being_made(tmp_path: Path) -> None:
    """Two processes make the same store at once: one waits for the other."""
    connection = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreLocked):
        Store(tmp_path, create=True, busy_seconds=0.1)
    connection.execute("COMMIT")
    connection.close()
    Store(tmp_path, create=True).close()


@pytest.fixture
def switch_often() -> Iterator[None]:
    """Threads take turns within every step, so that one sees what another has half done."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("switch_often")
def test_many_make_one_store(tmp_path: Path) -> None:
    failures: list[BaseException] = []
    for n in range(150):
        make_together(tmp_path / f"{n}", failures)
    assert failures == []


def make_together(folder: Path, failures: list[BaseException]) -> None:
    def make() -> None:
        try:
            Store(folder, create=True).close()
        except BaseException as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Store(folder) as store:
        assert store.check() == []


def fill(shelf: Shelf, make_note: MakeNote) -> int:
    """Put documents until the disk is full; how many were acknowledged."""
    before = shelf.store.counts()["documents"]
    documents = [make_note(f"d{n}", LONG * 100 + f"Note {n}.") for n in range(500)]
    with pytest.raises(StoreUnwritable) as said:
        shelf.put("p1", *documents)
    done = shelf.store.counts()["documents"] - before
    with shelf.store.read(P1) as reader:
        assert [reader.find(d.doc_id) is not None for d in documents] == [True] * done + [False] * (500 - done)
    assert "full" in str(said.value)
    assert "canaryword" not in f"{said.value} {said.value.advice}"
    return done


def test_no_page_is_left(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("first", LONG * 100))
    pages = shelf.rows("PRAGMA page_count")[0][0]
    shelf.rows(f"PRAGMA max_page_count={pages + 40}")
    done = fill(shelf, make_note)
    assert done > 0
    assert shelf.store.counts()["documents"] == done + 1
    assert shelf.store.check() == []
    shelf.rows("PRAGMA max_page_count=1000000")
    assert shelf.put("p1", make_note("last", LONG * 100)) == ["added"]
    with shelf.store.read(P1) as reader:
        assert len(reader.passages(shelf.recipe).places) >= done + 2


def test_a_full_disk(open_shelf: OpenShelf, make_note: MakeNote, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1500k", "none", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no permission to mount a small disk")
    try:
        shelf = open_shelf("disk/store")
        done = fill(shelf, make_note)
        assert shelf.store.counts()["documents"] == done > 0
        assert shelf.store.check() == []
        shelf.store.close()
        again = open_shelf("disk/store")
        assert again.store.counts()["documents"] == done
        again.store.close()
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=False)


@pytest.mark.parametrize("place", [100, 5000, 20_000])
def test_damage_is_named_and_never_silent(place: int, shelf: Shelf, make_note: MakeNote) -> None:
    for n in range(30):
        shelf.put("p1", make_note(f"d{n}", LONG * 20 + f"Note {n}."))
    shelf.store.close()
    path = shelf.store.folder / FILE
    data = bytearray(path.read_bytes())
    data[place : place + 4000] = b"\xff" * 4000
    path.write_bytes(data)
    document = make_note("d1", LONG)

    def use(store: Store) -> list[str]:
        with store.read(P1) as reader:
            reader.passages(shelf.recipe)
        store.writer("r").known(P1, document, fingerprint(document), shelf.recipe, "")
        store.writer("r").missing(P1, [b"x"], shelf.recipe)
        store.writer("r").source_done("a", "b", "c", "d")
        store.partitions()
        return store.check()

    kinds: list[type[StoreError]] = []
    found: list[str] = []
    try:
        with Store(shelf.store.folder) as store:
            found = use(store)
    except StoreError as error:
        kinds.append(type(error))
    assert kinds == [StoreDamaged] or found


def test_a_lost_log_loses_no_integrity(shelf: Shelf, make_note: MakeNote, tmp_path: Path) -> None:
    """Whoever copies only the main file gets an older state, never half a document."""
    for n in range(3):
        shelf.put("p1", make_note(f"d{n}", LONG * 50))
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / FILE).write_bytes((shelf.store.folder / FILE).read_bytes())
    with Store(copy, create=True) as store:
        assert store.check() == []
        assert store.counts()["documents"] in range(4)


@pytest.mark.parametrize("content", [b"", b"x"])
def test_an_empty_file_is_no_store_to_ask(content: bytes, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(content)
    refuse(tmp_path, StoreDamaged, create=False)


@pytest.mark.parametrize(
    ("sql", "what"),
    [
        ("UPDATE vectors SET vector = zeroblob(96) WHERE rowid = 1", "1 vectors of encoder fake@1"),
        (f"UPDATE vectors SET vector = x'{'0000c07f' * 24}' WHERE rowid < 3", "2 vectors"),  # no numbers
        (f"UPDATE vectors SET vector = x'{'ffff7f7f' * 24}' WHERE rowid < 3", "2 vectors"),  # the greatest ones
        ("UPDATE vectors SET vector = substr(vector, 1, 50) WHERE rowid = 2", "1 vectors"),
        ("UPDATE vectors SET vector = x'' WHERE rowid = 2", "1 vectors"),
        ("UPDATE vectors SET vector = substr(vector, 1, 7)", "3 vectors"),
        ("UPDATE token_vectors SET codes = x'' WHERE rowid = 1", "1 sets of token vectors"),
        ("UPDATE postings SET counts = x'01'", "3 lists of terms"),
        ("UPDATE postings SET terms = x''", "3 lists of terms"),
        ("UPDATE packs SET data = x'' WHERE part = 'starts'", "1 packs"),
    ],
)
def test_damaged_blobs_are_found_where_sqlite_sees_none(sql: str, what: str, shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", *(make_note(f"d{n}", f"Warfarin {n} mg.") for n in range(3)))
    assert shelf.store.pack(P1, shelf.recipe, least=1)
    assert shelf.store.check() == []
    shelf.rows(sql)
    assert [line for line in shelf.store.check() if what in line]
