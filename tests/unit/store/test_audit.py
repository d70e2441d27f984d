"""The audit trail: nothing can be changed, moved, added or taken away without being seen, and nothing said in it."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from chartcite.core.audit import Event
from chartcite.core.errors import AuditKeyMissing, StoreDamaged
from chartcite.core.scope import Scope
from chartcite.store.audit import FILE, Anchor, AuditTrail
from chartcite.store.audit_check import check

ADA, BEN = Scope.patient("Ada Canary"), Scope.patient("Ben Canary")
Rows = list[tuple[int, str, bytes]]


def trail_in(folder: Path, who: str = "dr") -> AuditTrail:
    store = folder / "store"
    store.mkdir(exist_ok=True)
    return AuditTrail(store, folder / "keys" / "audit.key", who)


def fill(trail: AuditTrail, many: int) -> None:
    for n in range(many):
        scope = (ADA, BEN)[n % 2]
        trail.record(Event("ask", "answered", scope, f"Zebulon question {n}", (f"Canary note {n}",), "", ""))


def rewrite(trail: AuditTrail, change: Callable[[Rows], Rows]) -> None:
    """What somebody with the file and without the key can do."""
    with closing(sqlite3.connect(trail.path)) as connection:
        rows = change(connection.execute("SELECT n, line, mac FROM lines ORDER BY n").fetchall())
        connection.execute("DELETE FROM lines")
        connection.executemany("INSERT INTO lines VALUES (?, ?, ?)", rows)
        connection.commit()


def _instead(rows: Rows, _: Rows) -> Rows:
    return rows


def _change(rows: Rows, at: int, _: random.Random) -> Rows:
    n, line, mac = rows[at]
    return [*rows[:at], (n, line.replace('"answered"', '"abstained"'), mac), *rows[at + 1 :]]


def _delete(rows: Rows, at: int, chance: random.Random) -> Rows:
    left = [*rows[:at], *rows[at + 1 :]]
    renumbered = [(i, line, mac) for i, (_, line, mac) in enumerate(left, start=1)]
    return renumbered if chance.random() < 0.5 else left


def _swap(rows: Rows, at: int, _: random.Random) -> Rows:
    one, other = rows[at], rows[at + 1]
    return [*rows[:at], (one[0], other[1], other[2]), (other[0], one[1], one[2]), *rows[at + 2 :]]


def _cut(rows: Rows, at: int, _: random.Random) -> Rows:
    return rows[: at + 1]


def _repeat(rows: Rows, at: int, _: random.Random) -> Rows:
    return [(i, line, mac) for i, (_, line, mac) in enumerate([*rows[: at + 1], *rows[at:]], start=1)]


def _postdate(rows: Rows, at: int, _: random.Random) -> Rows:
    n, line, mac = rows[at]
    return [*rows[:at], (n, line.replace('"when": "20', '"when": "19'), mac), *rows[at + 1 :]]


@pytest.mark.parametrize("tamper", [_change, _delete, _swap, _cut, _repeat, _postdate], ids=lambda f: f.__name__)
def test_every_kind_of_tampering_is_seen(tmp_path: Path, tamper: Callable[[Rows, int, random.Random], Rows]) -> None:
    trail = trail_in(tmp_path)
    fill(trail, 24)
    kept = trail.kept_anchor()
    assert kept
    assert not check(trail, kept).faults
    with closing(sqlite3.connect(trail.path)) as connection:
        whole = connection.execute("SELECT n, line, mac FROM lines ORDER BY n").fetchall()
    chance = random.Random(5)
    for at in range(20):
        rewrite(trail, partial(_instead, tamper(list(whole), at, chance)))
        assert check(trail, kept).faults, at
        rewrite(trail, partial(_instead, list(whole)))
    assert not check(trail, kept).faults


def test_a_tampered_line_is_named(tmp_path: Path) -> None:
    trail = trail_in(tmp_path)
    fill(trail, 9)
    rewrite(trail, lambda rows: _change(rows, 4, random.Random(0)))
    assert [(f.kind, f.n) for f in check(trail).faults] == [("changed", 5)]
    rewrite(trail, lambda rows: [r for r in rows if r[0] not in (3, 4)])
    assert ("missing", 5) in [(f.kind, f.n) for f in check(trail).faults]


def test_without_an_anchor_only_the_end_is_unseen_and_the_check_says_so(tmp_path: Path) -> None:
    trail = trail_in(tmp_path)
    fill(trail, 5)
    kept = trail.kept_anchor()
    rewrite(trail, lambda rows: rows[:3])
    found = check(trail)
    assert (found.faults, found.anchored) == ((), None)
    assert [f.kind for f in check(trail, kept).faults] == ["cut"] if kept else pytest.fail("no anchor")


def test_a_trail_begun_anew_is_not_the_old_one(tmp_path: Path) -> None:
    trail = trail_in(tmp_path)
    fill(trail, 3)
    exported = trail.anchor()
    for path in trail.folder.glob(f"{FILE}*"):
        path.unlink()
    assert [f.kind for f in check(trail_in(tmp_path), exported).faults] == ["other_trail"]


def test_nothing_said_and_no_name_outlives_its_patient(tmp_path: Path) -> None:
    trail = trail_in(tmp_path)
    fill(trail, 6)
    stored = b"".join(p.read_bytes() for p in trail.folder.glob(f"{FILE}*"))
    assert b"Zebulon" not in stored
    assert {line["subject_name"] for line in trail.lines()} == {ADA.name, BEN.name}
    trail.forget(ADA)
    trail.record(Event("delete", "done", ADA))
    stored = b"".join(p.read_bytes() for p in trail.folder.glob(f"{FILE}*"))
    assert b"Ada Canary" not in stored
    assert b"Canary note 0" not in stored
    assert b"Ben Canary" in stored
    mine = [line["n"] for line in trail.lines() if line["subject"] == trail.keys.pseudonym(ADA)]
    assert mine == [1, 3, 5, 7]
    assert not check(trail).faults


def test_an_unknown_name_is_not_kept(tmp_path: Path) -> None:
    trail = trail_in(tmp_path)
    trail.record(Event("ask", "refused", ADA, "x", reason="UnknownPartition"))
    assert b"Ada" not in b"".join(p.read_bytes() for p in trail.folder.glob(f"{FILE}*"))


def test_what_is_pruned_leaves_a_trail_that_holds(tmp_path: Path) -> None:
    trail = trail_in(tmp_path)
    fill(trail, 8)
    middle = [line["when"] for line in trail.lines()][5]
    assert trail.prune(middle) == 5
    kept = trail.kept_anchor()
    found = check(trail, *([kept] if kept else []))
    assert (found.faults, found.first, found.last) == ((), 6, 9)
    assert trail.prune("9999") == 3
    assert [line["action"] for line in trail.lines()] == ["prune", "prune"]
    with closing(sqlite3.connect(trail.path)) as connection:  # a beginning that nobody with the key has set
        connection.execute("UPDATE trail SET first = first + 1")
        connection.commit()
    with pytest.raises(StoreDamaged):
        trail_in(tmp_path)


def test_a_lost_or_foreign_key_is_named(tmp_path: Path) -> None:
    trail = trail_in(tmp_path)
    key = tmp_path / "keys" / "audit.key"
    assert key.stat().st_mode & 0o077 == 0
    assert trail.path.stat().st_mode & 0o077 == 0
    key.rename(tmp_path / "elsewhere")
    with pytest.raises(AuditKeyMissing):
        trail_in(tmp_path)
    key.write_text("00" * 32)
    with pytest.raises(StoreDamaged):
        trail_in(tmp_path)
    key.write_text("short")
    with pytest.raises(AuditKeyMissing):
        trail_in(tmp_path)


def test_the_key_is_never_inside_the_store(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    with pytest.raises(AuditKeyMissing, match="own folder"):
        AuditTrail(tmp_path / "store", tmp_path / "store" / "below" / "audit.key", "dr")


PROCESS = """
import sys
from pathlib import Path
from chartcite.core.audit import Event
from chartcite.core.scope import Scope
from chartcite.store.audit import AuditTrail
folder = Path(sys.argv[1])
trail = AuditTrail(folder / "store", folder / "keys" / "audit.key", "process")
for n in range(20):
    trail.record(Event("ask", "done", Scope.patient("p"), str(n)))
"""


def test_processes_and_threads_write_one_chain(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    processes = [subprocess.Popen([sys.executable, "-c", PROCESS, str(tmp_path)]) for _ in range(2)]
    trail = trail_in(tmp_path, "threads")
    threads = [threading.Thread(target=fill, args=(trail, 20)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for process in processes:
        assert process.wait(timeout=60) == 0
    kept = trail.kept_anchor()
    assert kept
    found = check(trail, kept)
    assert (found.faults, found.lines, found.anchored) == ((), 100, 100)


def test_an_anchor_goes_through_json() -> None:
    anchor = Anchor("t", 3, "ab")
    assert Anchor.from_json(anchor.to_json()) == anchor
    for text in ("[]", "{}", '{"schema": "chartcite.anchor/1", "trail": "t", "n": true, "mac": ""}'):
        with pytest.raises(ValueError, match="not an anchor"):
            Anchor.from_json(text)
