"""Ingest by 1 and 2 workers on Ray against the local threads, in one run; what the command's own process can feed.

Usage: python benchmarks/cluster_ray.py NOTES.jsonl [--limit N] [--workers 1,2] [--json OUT]

Every ingest starts from nothing, in a process of its own; `seconds` is that of the ingest, `ready` of them until the
first document was stored (Ray and its workers start in that time). `rate` is passages a second after that, `same`
whether the store has the rows of the first run. `feeder` is the same ingest with an encoder that costs nothing: what
one command can read, split and commit, hence how many workers it can feed. `bytes`: the store's, by table.
`own_cpu_seconds` is the command's, `workers_cpu_seconds` that of Ray's workers (their start among it): on a machine
that others use too, these say more than waiting time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from chartcite.core.neural import EncodedPassage
from chartcite.library.book import Book
from chartcite.library.settings import Settings

OF_A_RUN = {"run", "at", "secret", "origin"}


class Free:
    """The real encoder's tokenizer and sizes; its vectors are made up from the text, and cost nothing."""

    def __init__(self, encoder: Any) -> None:
        self.name, self.fingerprint = encoder.name, "free"
        self.dims, self.token_dims, self.max_tokens = encoder.dims, encoder.token_dims, encoder.max_tokens
        self.offsets = encoder.offsets
        self.encode_query = encoder.encode_query

    def encode_passage(self, text: str) -> EncodedPassage:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
        vector = np.random.default_rng(seed).standard_normal(self.dims).astype(np.float32)
        codes = np.full((min(self.max_tokens, 1 + len(text) // 4), self.token_dims), seed % 100, np.int8)
        return EncodedPassage(vector / np.linalg.norm(vector), codes)


def workers_cpu() -> float:
    """CPU seconds of Ray's workers so far."""
    ticks = 0
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            if (place / "cmdline").read_bytes().startswith(b"ray::_Hand"):
                ticks += sum(map(int, (place / "stat").read_text().rpartition(")")[2].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def one(notes: Path, store: Path, compute: str, workers: int) -> dict[str, Any]:
    """One ingest from nothing; `free` is the feeder."""
    settings = Settings(jobs=workers, compute="ray" if compute == "ray" else "local")
    ready: list[tuple[float, int]] = []
    heard, others = [0.0], 0.0
    with Book(store, settings) as book:
        if compute == "free":
            book.engines.__dict__["encoder"] = Free(book.engines.encoder)
        book.engines.encoder.encode_passage("The model is loaded.")
        start, cpu = time.perf_counter(), time.process_time()

        def progress(*_: Any) -> None:
            nonlocal others
            if time.perf_counter() - heard[0] > 1:  # the last figure is at most a second old
                heard[0], others = time.perf_counter(), workers_cpu()
            if not ready:
                ready.append((time.perf_counter() - start, book.store.partitions()[0].documents))

        ledger = book.ingest(notes, progress=progress)
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    first = ready[0][0]
    return {
        "compute": compute, "workers": workers, "documents": ledger.total("added"),
        "passages": ledger.passages, "encoded": ledger.encoded, "seconds": round(seconds, 2),
        "ready": round(first, 2), "rate": round(ledger.encoded / (seconds - first), 1),
        "own_cpu_seconds": round(cpu, 2), "workers_cpu_seconds": round(others, 2),
        "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "workers_lost": ledger.workers_lost,
    }  # fmt: skip


def rows(store: Path) -> str:
    """A digest of all rows but marks of a run."""
    digest = hashlib.sha256()
    database = sqlite3.connect(store / "chartcite.sqlite3")
    for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall():
        columns = [c[1] for c in database.execute(f"PRAGMA table_info({table})") if c[1] not in OF_A_RUN]
        if columns:
            digest.update(
                repr(sorted(map(repr, database.execute(f"SELECT {', '.join(columns)} FROM {table}")))).encode()
            )
    database.close()
    return digest.hexdigest()


def sizes(store: Path) -> dict[str, int]:
    """Bytes by table with its indexes, where SQLite can tell."""
    database = sqlite3.connect(store / "chartcite.sqlite3")
    try:
        found = database.execute(
            "SELECT m.tbl_name, sum(s.pgsize) FROM dbstat s JOIN sqlite_master m ON s.name = m.name GROUP BY 1"
        ).fetchall()
    except sqlite3.OperationalError:
        found = [("whole file", (store / "chartcite.sqlite3").stat().st_size)]
    finally:
        database.close()
    return dict(sorted(found, key=lambda pair: -pair[1]))


def measured(notes: Path, compute: str, workers: int, place: Path) -> dict[str, Any]:
    """One run in a process of its own."""
    command = [sys.executable, __file__, str(notes), "--one", compute, "--workers", str(workers), "--store", str(place)]
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


def main() -> None:
    """Read the arguments, run, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--store", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(one(given.notes, given.store, given.one, int(given.workers))))
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        notes = place / "notes.jsonl"
        with given.notes.open(encoding="utf-8") as file:
            notes.write_text("".join(islice(file, given.limit or None)), "utf-8")
        runs, first = [], ""
        for workers in map(int, given.workers.split(",")):
            for compute in ("local", "ray"):
                store = place / f"{compute}{workers}"
                run = measured(notes, compute, workers, store)
                found = rows(store)
                first = first or found
                runs.append({**run, "same": found == first})
                print(json.dumps(runs[-1]), file=sys.stderr)
        store = place / "free"
        feeder = measured(notes, "free", len(os.sched_getaffinity(0)), store)
        result = {
            "cores": len(os.sched_getaffinity(0)), "runs": runs, "feeder": feeder, "bytes": sizes(place / "local1"),
            "input_bytes": notes.stat().st_size,
        }  # fmt: skip
    print(json.dumps(result, indent=2))
    if given.json:
        given.json.write_text(json.dumps(result, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
