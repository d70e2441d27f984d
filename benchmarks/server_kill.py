"""`kill -9` of a server that takes uploads and answers questions, again and again: is anything acknowledged lost?

Usage: python benchmarks/server_kill.py STORE WORK [--kills 20] [--seed 0] [--json OUT]

STORE is copied into WORK. In each round uploads (one note of its own each), asks and feedback are sent from threads
until, 0.3 to 2.5 seconds (by the seed) after the first answer, the server is killed. At the end a server is started
once more and its jobs are waited for. Lost is an upload that was acknowledged (202) whose note is not in the store and
whose job does not say why; feedback that was acknowledged (201) and is not there; an answer that came whole and that
the audit trail does not know; a store or a trail that is not whole.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx

from chartcite.core.scope import Scope
from chartcite.store.audit import AuditTrail
from chartcite.store.audit_check import check
from chartcite.store.store import Store
from served.process import USER, Server, token_of

PATIENT = "killed"


class Round:
    """What was acknowledged while one server lived."""

    def __init__(self, server: Server, token: str, n: int, asked: str) -> None:
        self.server, self.n, self.asked = server, n, asked
        self.headers = {"Authorization": f"Bearer {token}"}
        self.jobs: dict[str, str] = {}
        self.statuses: Counter[str] = Counter()
        self.said: set[str] = set()
        self.stop = threading.Event()

    def uploads(self) -> None:
        """One note after the other."""
        k = 0
        with httpx.Client(base_url=self.server.address, headers=self.headers, timeout=10) as client:
            while not self.stop.is_set():
                k += 1
                name = f"r{self.n}-{k}.txt"
                lines = " ".join(f"Weight {n} kg on visit {k} of round {self.n}." for n in range(60, 160))
                try:
                    response = client.post(
                        "/api/v1/ingest", data={"patient": PATIENT}, files={"files": (name, lines.encode())}
                    )
                except httpx.TransportError:
                    return
                self.statuses[f"upload {response.status_code}"] += 1
                if response.status_code == 202:
                    self.jobs[response.json()["id"]] = name
                time.sleep(0.05)

    def asks(self) -> None:
        """One question after the other."""
        sent = {"question": "What is the metformin dose?", "patient": self.asked}
        with httpx.Client(base_url=self.server.address, headers=self.headers, timeout=10) as client:
            while not self.stop.is_set():
                try:
                    response = client.post("/api/v1/ask", json=sent)
                except httpx.TransportError:
                    return
                self.statuses[f"ask {response.status_code}"] += 1

    def says(self) -> None:
        """Feedback on the same answer, each with a comment of its own."""
        answer: dict[str, Any] | None = None
        k = 0
        sent = {"question": "What is the metformin dose?", "patient": self.asked}
        with httpx.Client(base_url=self.server.address, headers=self.headers, timeout=10) as client:
            while not self.stop.is_set():
                try:
                    if answer is None:
                        response = client.post("/api/v1/ask", json=sent)
                        self.statuses[f"ask {response.status_code}"] += 1
                        answer = response.json() if response.status_code == 200 else None
                        continue
                    k += 1
                    comment = f"round {self.n} word {k}"
                    given = {"answer": answer, "verdict": "right", "comment": comment}
                    response = client.post("/api/v1/feedback", json=given)
                except httpx.TransportError:
                    return
                self.statuses[f"feedback {response.status_code}"] += 1
                if response.status_code == 201:
                    self.said.add(comment)
                time.sleep(0.05)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    store, dice = given.work / "store", random.Random(given.seed)
    given.work.mkdir(parents=True, exist_ok=True)
    shutil.copytree(given.store, store)
    with Store(store) as opened:
        asked = opened.partitions("patient")[0].scope.name
    token = token_of(store)
    jobs: dict[str, str] = {}
    said: set[str] = set()
    statuses: Counter[str] = Counter()
    for n in range(given.kills):
        server = Server(store, given.work / "log")
        one = Round(server, token, n, asked)
        threads = [threading.Thread(target=work) for work in (one.uploads, one.uploads, one.asks, one.says)]
        for thread in threads:
            thread.start()
        warm = time.monotonic() + 30
        while not one.statuses["ask 200"] and time.monotonic() < warm:
            time.sleep(0.05)  # the models are loaded with the first question
        time.sleep(dice.uniform(0.3, 2.5))
        server.kill()
        one.stop.set()
        for thread in threads:
            thread.join()
        jobs |= one.jobs
        said |= one.said
        statuses += one.statuses
        print(f"kill {n + 1}: {len(jobs)} uploads acknowledged", flush=True)
    found = {
        "kills": given.kills,
        "statuses": dict(sorted(statuses.items())),
        **_looked(store, given.work, token, jobs),
    }
    found |= {"feedback_acknowledged": len(said), "feedback_lost": len(said - _comments(store, asked))}
    found["answers_not_in_trail"] = max(0, statuses["ask 200"] - found.pop("answers_in_trail"))
    print(json.dumps(found, indent=1))
    if given.json:
        given.json.write_text(json.dumps(found), "utf-8")


def _comments(store: Path, patient: str) -> set[str]:
    with Store(store) as opened:
        return {row["comment"] for row in opened.feedback(Scope.patient(patient))}


def _looked(store: Path, work: Path, token: str, jobs: dict[str, str]) -> dict[str, Any]:
    server = Server(store, work / "log")
    with httpx.Client(base_url=server.address, headers={"Authorization": f"Bearer {token}"}, timeout=30) as client:
        until = time.monotonic() + 300
        while time.monotonic() < until:
            rows = {job["id"]: job for job in client.get("/api/v1/jobs").json()["jobs"]}
            if all(job["ended"] for job in rows.values()):
                break
            time.sleep(0.5)
        states = Counter(rows[job]["state"] if job in rows else "not there" for job in jobs)
    code = server.end()
    trail = AuditTrail(store, work / "audit.key", "check")
    answers = sum(line["action"] == "ask" and line["who"] == USER for line in trail.lines())
    kept = trail.kept_anchor()
    with Store(store) as opened:
        problems = opened.check()
        there = {row[0] for row in opened._connection.execute("SELECT doc_id FROM documents")}
    told = [job for job in jobs if job in rows and rows[job]["state"] == "interrupted"]
    lost = [name for job, name in jobs.items() if not any(d.startswith(name) for d in there) and job not in told]
    return {
        "acknowledged": len(jobs), "states": dict(states), "lost": len(lost), "store_problems": problems,
        "trail_faults": len(check(trail, *([kept] if kept else [])).faults), "exit": code,
        "left_in_spool": sum(p.suffix == ".txt" for p in (store / "spool").rglob("*")), "answers_in_trail": answers,
    }  # fmt: skip


if __name__ == "__main__":
    main()
