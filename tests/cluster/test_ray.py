"""Workers on Ray, real ones, on loopback: the same store as without, whatever becomes of them; nothing left behind."""

from __future__ import annotations

import hashlib
import ipaddress
import os
import signal
import sqlite3
import stat
from collections.abc import Callable, Iterator
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests.cluster import ray_jobs
from tests.cluster.ray_processes import hands

from chartcite.compute.port import ComputeFailed, JobFailed, JobLost, Worker, WorkerDiffers
from chartcite.ingest.ledger import Ledger
from chartcite.library.book import Book
from chartcite.library.settings import Settings

if find_spec("ray") is None:
    pytest.skip("no Ray: pip install 'chartcite[cluster]'", allow_module_level=True)

from chartcite.compute.engines import ray as engine

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("default")]

OF_A_RUN = {"run", "at", "secret", "origin"}  # when and from which folder it was read; what chance gave
CANARY = "zebrafinch"


@pytest.fixture
def crew() -> Iterator[Callable[..., engine.RayCrew]]:
    made: list[engine.RayCrew] = []

    def crew(make: Callable[..., Any], workers: int = 2) -> engine.RayCrew:
        made.append(engine.load(Worker(make), workers))
        return made[-1]

    yield crew
    for one in made:
        one.close()


def test_jobs_come_back_in_their_own_futures(crew: Callable[..., engine.RayCrew]) -> None:
    working = crew(ray_jobs.doubling)
    futures = [working.submit(n % 3, n) for n in range(500)]
    assert [f.result(timeout=120) for f in futures] == [2 * n for n in range(500)]
    assert working.lost == 0


def test_a_job_that_ends_every_worker_is_given_up_and_takes_nobody_with_it(
    crew: Callable[..., engine.RayCrew],
) -> None:
    working = crew(ray_jobs.careful)
    words = ["a", "b", "poison", "c", "d", "fault", "e"]
    futures = [working.submit("one", word) for word in words]
    with pytest.raises(JobLost):
        futures[2].result(timeout=240)
    with pytest.raises(JobFailed) as told:
        futures[5].result(timeout=60)
    assert "text of a note" not in str(told.value)
    assert [futures[i].result(timeout=60) for i in (0, 1, 3, 4, 6)] == ["A", "B", "C", "D", "E"]
    assert working.lost == 3


def test_a_worker_that_will_not_do_the_same_ends_the_crew(crew: Callable[..., engine.RayCrew]) -> None:
    working = crew(ray_jobs.never)
    with pytest.raises(WorkerDiffers):
        working.submit("one", 1).result(timeout=120)


def test_a_cluster_that_is_not_there_is_a_named_error() -> None:
    with pytest.raises(ComputeFailed, match="Ray cannot be reached"):
        engine.load(Worker(ray_jobs.doubling), 1, "127.0.0.1:1")


def ingest(folder: Path, settings: Settings, during: Callable[[int], None] = lambda n: None) -> Ledger:
    done = 0

    def progress(*_: object) -> None:
        nonlocal done
        done += 1
        during(done)

    with Book(folder / "store", settings) as book, as_file(files("chartcite.demo")) as data:
        return book.ingest(data / "records", folder / "more", patient_from_folder=True, progress=progress)


def rows(folder: Path) -> dict[str, str]:
    """Every table as a digest of its rows, without the marks of a run."""
    database = sqlite3.connect(next((folder / "store").glob("*.sqlite*")))
    found = {}
    for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall():
        columns = [c[1] for c in database.execute(f"PRAGMA table_info({table})")]
        kept = [c for c in columns if c not in OF_A_RUN]
        content = sorted(repr(row) for row in database.execute(f"SELECT {', '.join(kept) or '1'} FROM {table}"))
        found[table] = f"{len(content)} {hashlib.sha256(repr(content).encode()).hexdigest()}"
    database.close()
    return found


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A patient whose notes no other document has."""
    own = tmp_path / "more" / "p-canary"
    own.mkdir(parents=True)
    for n in range(60):
        text = " ".join(f"Visit {n}.{i}: the {CANARY}{n}x{i} level was {n + i} mg/dL on day {i}." for i in range(12))
        (own / f"{n}.txt").write_text(text, "utf-8")
    return tmp_path


def test_the_store_is_the_same_row_by_row_also_when_a_worker_is_killed(notes: Path, tmp_path: Path) -> None:
    killed: list[int] = []

    def kill_once(done: int) -> None:
        there = hands()
        if done >= 5 and not killed and there:
            killed.append(there[0])
            os.kill(there[0], signal.SIGKILL)

    stores = {}
    for name, settings, during in (
        ("local", Settings(jobs=2), lambda n: None),
        ("ray", Settings(jobs=2, compute="ray"), lambda n: None),
        ("killed", Settings(jobs=2, compute="ray"), kill_once),
    ):
        place = tmp_path / name
        place.mkdir()
        (place / "more").symlink_to(notes / "more")
        ledger = ingest(place, settings, during)
        assert not ledger.failed
        stores[name] = (rows(place), ledger.passages, ledger.encoded)
        assert ledger.workers_lost == len(killed if name == "killed" else [])
    assert len(killed) == 1
    tables, *counted = stores["local"]
    for name in ("ray", "killed"):
        assert {t: (d, stores[name][0][t]) for t, d in tables.items() if stores[name][0][t] != d} == {}
        assert list(stores[name][1:]) == counted


def test_no_port_is_open_to_others_and_no_text_is_left(notes: Path, tmp_path: Path) -> None:
    seen: dict[str, Any] = {}

    def look(done: int) -> None:
        if done == 40:
            folder = Path(engine._SESSION._folder)
            seen["folder"], seen["mode"] = folder, stat.S_IMODE(folder.stat().st_mode)
            seen["ports"] = listening(folder)
            seen["spilt"] = holding(folder)

    ingest(tmp_path, Settings(jobs=1, compute="ray"), look)
    assert seen["mode"] == 0o700
    assert seen["ports"], "Ray listens somewhere"
    assert {host for host, _ in seen["ports"]} <= {"127.0.0.1", "::1", "::ffff:127.0.0.1"}
    assert seen["spilt"] == []
    assert not seen["folder"].exists()
    assert hands() == []


def holding(folder: Path) -> list[Path]:
    found = []
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink() and CANARY.encode() in path.read_bytes():
            found.append(path)
    return found


def listening(folder: Path) -> set[tuple[str, int]]:
    """Addresses at which Ray's processes listen."""
    inodes = set()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            command = (place / "cmdline").read_bytes()
            if str(folder).encode() in command or command.startswith(b"ray::"):
                links = [str(one.readlink()) for one in (place / "fd").iterdir()]
                inodes |= {link[8:-1] for link in links if link.startswith("socket:")}
        except OSError:
            continue
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            parts = line.split()
            if parts[3] == "0A" and parts[9] in inodes:
                found.add(address(parts[1]))
    return found


def address(text: str) -> tuple[str, int]:
    """As the kernel writes it: 32-bit words in the machine's own byte order."""
    host, _, port = text.partition(":")
    packed = b"".join(int(host[i : i + 8], 16).to_bytes(4, "little") for i in range(0, len(host), 8))
    found = ipaddress.ip_address(packed)
    mapped = getattr(found, "ipv4_mapped", None)
    return (str(mapped) if mapped else str(found)), int(port, 16)
