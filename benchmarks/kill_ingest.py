"""Kill an ingest at random times, again and again, and look at what it left.

Usage: python benchmarks/kill_ingest.py [KILLS] [--encoder fake|real] [--seed N] [--documents N] [--json OUT]

Generated notes of several patients are ingested in a child process, which prints `ok PATIENT DOC_ID` after each commit.
SIGKILL comes between 50 and 800 ms after the child has opened the store (seeded). After each kill: SQLite's integrity
check; every document there has its sentences, passages, postings and vectors; every acknowledged document is there.
When a run gets through, the notes are changed and the next child updates them. At the end one whole run must equal an
undisturbed ingest. Exit code 1 if anything was lost, partial or different.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chartcite.core.neural import EncodedPassage, EncodedQuery
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.store.database import FILE
from chartcite.store.store import Store
from chartcite.store.writer import Writer

WORDS = ["warfarin", "dose", "INR", "pain", "chest", "no", "fever", "left", "knee", "stopped", "mg", "daily", "seen"]
PATIENTS = 5


class FakeEncoder:
    """Vectors from a hash of the text, a few milliseconds each, so that kills meet every stage."""

    name, fingerprint, dims, token_dims, max_tokens = "fake", "1", 32, 8, 510

    def encode_passage(self, text: str) -> EncodedPassage:
        time.sleep(0.002)
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
        rng = np.random.default_rng(seed)
        tokens = rng.integers(-100, 100, (20, self.token_dims)).astype(np.int8)
        vector = rng.standard_normal(self.dims)
        return EncodedPassage((vector / np.linalg.norm(vector)).astype(np.float32), tokens)

    def encode_query(self, text: str) -> EncodedQuery:
        raise NotImplementedError  # an ingest asks no query

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        return [[m.span() for m in re.finditer(r"\S+", text)] for text in texts]


def open_book(folder: Path, encoder: str) -> Book:
    settings = Settings()
    engines = Engines(settings)
    if encoder == "fake":
        engines.__dict__["encoder"] = FakeEncoder()
    return Book(folder, settings, engines=engines)


def write_notes(folder: Path, documents: int, version: int) -> None:
    """Notes with paragraphs copied forward; a later version changes every third note."""
    folder.mkdir(exist_ok=True)
    rows: list[str] = []
    for n in range(documents):
        rng = random.Random(n)
        shared = random.Random(n // 4)
        copied = " ".join(shared.choices(WORDS, k=30))
        own = " ".join(rng.choices(WORDS, k=30))
        changed = f"\n\nADDENDUM\nVersion {version}, {own[::-1]}.\n" if n % 3 == 0 and version else "\n"
        text = f"HISTORY\n{copied}. Visit {n // 4}.\n\nASSESSMENT\n{own}. Note {n}.{changed}"
        row = {"doc_id": f"d{n}", "patient_id": f"p{n % PATIENTS}", "time": f"2021-01-{n % 28 + 1:02d}", "text": text}
        rows.append(json.dumps(row))
    half = len(rows) // 2
    (folder / "one.jsonl").write_text("\n".join(rows[:half]) + "\n", "utf-8")
    (folder / "two.jsonl").write_text("\n".join(rows[half:]) + "\n", "utf-8")


def child(store: Path, notes: Path, encoder: str) -> None:
    """Ingest, acknowledging every commit on stdout; the parent kills this process."""
    with open_book(store, encoder) as book:
        commit = Writer.commit

        def acknowledged(self: Any, scope: Any, prepared: Any, recipe: Any) -> Any:
            what = f"{scope.name} {prepared.document.doc_id} {prepared.fingerprint}\n"
            os.write(1, f"try {what}".encode())
            outcome = commit(self, scope, prepared, recipe)
            os.write(1, f"ok {what}".encode())
            return outcome

        Writer.commit = acknowledged  # type: ignore[method-assign]
        os.write(1, b"ready\n")
        book.ingest(notes)
    os.write(1, b"done\n")


def kill_once(store: Path, notes: Path, encoder: str, after_s: float) -> tuple[list[str], bool]:
    """Start a child, kill it `after_s` after it is ready; what it tried and acknowledged; whether it got through."""
    command = [sys.executable, "-c", "import sys; sys.path.insert(0, sys.argv[1]); import kill_ingest as k; "
               "from pathlib import Path; k.child(Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4])",
               str(Path(__file__).parent), str(store), str(notes), encoder]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines: list[str] = []
    if process.stdout.readline() != "ready\n":
        raise SystemExit("the child did not start")
    timer = threading.Timer(after_s, lambda: os.kill(process.pid, signal.SIGKILL))
    timer.start()
    lines = process.stdout.read().splitlines()
    timer.cancel()
    process.stdout.close()
    process.wait()
    done = bool(lines) and lines[-1] == "done"
    return [line for line in lines if line.startswith(("ok ", "try "))], done


_PARTIAL = {
    "documents without sentences": "SELECT COUNT(*) FROM documents d WHERE NOT EXISTS"
    " (SELECT 1 FROM sentences s WHERE s.document = d.id)",
    "documents without passages": "SELECT COUNT(*) FROM documents d WHERE NOT EXISTS"
    " (SELECT 1 FROM passages s WHERE s.document = d.id)",
    "texts without postings": "SELECT COUNT(*) FROM texts t WHERE NOT EXISTS"
    " (SELECT 1 FROM postings o WHERE o.text = t.id)",
    "texts without vectors": "SELECT COUNT(*) FROM texts t WHERE NOT EXISTS"
    " (SELECT 1 FROM vectors v WHERE v.text = t.id)",
    "texts without token vectors": "SELECT COUNT(*) FROM texts t WHERE NOT EXISTS"
    " (SELECT 1 FROM token_vectors v WHERE v.text = t.id)",
    "texts of no document": "SELECT COUNT(*) FROM texts t WHERE NOT EXISTS"
    " (SELECT 1 FROM passages s WHERE s.text = t.id)",
    "sentence numbers with gaps": "SELECT COUNT(*) FROM (SELECT 1 FROM sentences GROUP BY document"
    " HAVING MAX(n) <> COUNT(*) OR MIN(n) <> 1)",
    "passage numbers with gaps": "SELECT COUNT(*) FROM (SELECT 1 FROM passages GROUP BY document, splitter"
    " HAVING MAX(n) <> COUNT(*) OR MIN(n) <> 1)",
    "partitions with another seq than commits": "SELECT COUNT(*) FROM partitions p WHERE seq <"
    " (SELECT COUNT(*) FROM documents d WHERE d.partition = p.id)",
}


def faults(folder: Path, promised: dict[tuple[str, str], set[str]]) -> list[str]:
    """What is wrong in a store after a kill; opening it is the recovery.

    A document must be there as it was last acknowledged, or as it was being committed when the kill came.
    """
    with Store(folder, create=True) as store:
        found = list(store.check())
        connection = store._connection
        found += [f"{n} {what}" for what, sql in _PARTIAL.items() for n in connection.execute(sql).fetchone() if n]
        there = {
            (patient, doc_id): fingerprint
            for patient, doc_id, fingerprint in connection.execute(
                "SELECT p.name, d.doc_id, d.fingerprint FROM documents d JOIN partitions p ON p.id = d.partition"
            )
        }
    found += [f"lost: {key}" for key, marks in promised.items() if there.get(key) not in marks]
    return found


def content(folder: Path) -> str:
    """A hash of all documents with what is derived from them, without the store's own numbers."""
    with sqlite3.connect(folder / FILE) as connection:
        words = dict(connection.execute("SELECT id, term FROM terms"))
        digest = hashlib.sha256()
        queries = (
            "SELECT p.name, d.doc_id, d.fingerprint, s.n, s.start, s.end, s.kind, s.section FROM sentences s"
            " JOIN documents d ON d.id = s.document JOIN partitions p ON p.id = d.partition ORDER BY 1, 2, 4",
            "SELECT p.name, d.doc_id, s.splitter, s.n, s.start, s.end, t.sha256, v.vector, k.codes FROM passages s"
            " JOIN documents d ON d.id = s.document JOIN partitions p ON p.id = d.partition"
            " JOIN texts t ON t.id = s.text JOIN vectors v ON v.text = t.id JOIN token_vectors k ON k.text = t.id"
            " ORDER BY 1, 2, 3, 4",
            "SELECT name, target, sha256, documents FROM sources ORDER BY 1, 2",
        )
        for sql in queries:
            for row in connection.execute(sql):
                digest.update(repr(row).encode())
        postings = (
            "SELECT p.name, t.sha256, o.terms, o.counts FROM postings o JOIN texts t ON t.id = o.text"
            " JOIN partitions p ON p.id = t.partition ORDER BY 1, 2"
        )
        for name, text, terms, counts in connection.execute(postings):
            numbers = zip(np.frombuffer(terms, np.int64), np.frombuffer(counts, np.uint16), strict=True)
            digest.update(repr((name, text, sorted((words[int(n)], int(c)) for n, c in numbers))).encode())
    connection.close()
    return digest.hexdigest()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", type=int, nargs="?", default=30)
    parser.add_argument("--encoder", choices=("fake", "real"), default="fake")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    problems: list[str] = []
    restarts: list[float] = []
    acknowledged = version = whole = killed = 0
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as temporary:
        store, notes = Path(temporary) / "store", Path(temporary) / "notes"
        write_notes(notes, args.documents, version)
        promised: dict[tuple[str, str], set[str]] = {}
        while killed < args.kills or not acknowledged:  # where a machine is busy, kills may all come before a commit
            said, done = kill_once(store, notes, args.encoder, rng.uniform(0.05, 0.8))
            for line in said:
                word, patient, doc_id, fingerprint = line.split()
                acknowledged += word == "ok"
                if word == "ok":
                    promised[patient, doc_id] = {fingerprint}
                elif (patient, doc_id) in promised:
                    promised[patient, doc_id].add(fingerprint)
            begin = time.perf_counter()
            problems += faults(store, promised)
            restarts.append(time.perf_counter() - begin)
            killed += not done
            if done:
                whole += 1
                version += 1
                write_notes(notes, args.documents, version)
        for folder in (store, Path(temporary) / "undisturbed"):
            with open_book(folder, args.encoder) as book:
                if book.ingest(notes).failed:
                    problems.append("the last run had failures")
            problems += faults(folder, {})
        if content(store) != content(Path(temporary) / "undisturbed"):
            problems.append("the store differs from an undisturbed ingest")
    summary = {
        "kills": killed, "got_through": whole, "encoder": args.encoder, "acknowledged": acknowledged,
        "problems": len(problems), "reopen_and_check_s_max": round(max(restarts, default=0.0), 3),
        "seconds": round(time.perf_counter() - start, 1),
    }  # fmt: skip
    for problem in problems[:20]:
        print(problem, file=sys.stderr)
    print(json.dumps(summary))
    if args.json:
        args.json.write_text(json.dumps(summary) + "\n", "utf-8")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
