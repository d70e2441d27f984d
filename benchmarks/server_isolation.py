"""Fifty near-identical patients behind a server: does any route show one visitor anything of another's patient?

Usage: python benchmarks/server_isolation.py WORK [--patients 50] [--questions 500] [--seed 0] [--parallel 1]
       [--cluster] [--json OUT]

Each patient has the same notes but for numbers and a word of its own (a canary), which also stands in titles and file
names. One user a patient is granted that patient; one has a list of five; one has nothing. Every question is put over
every route, to the user's own patient and, from outside, to another's, whose name and documents the caller knows. Seen
and counted as a leak, in bodies, headers and the server's log: a canary of a patient who is not granted (an echo of
what the caller itself sent is taken out first); a status or body of a refusal that differs between a patient who is not
granted and one who does not exist.

With --cluster two servers, which take turns, work on one store in PostgreSQL and one index on three nodes of
OpenSearch, all started on loopback for the run; each server has a folder of its own with the same grants.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import sys
import threading
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

from chartcite.core.access import Grant
from chartcite.library.book import Book
from chartcite.library.settings import Settings
from chartcite.store.access import AccessStore
from served.process import Server

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

QUESTIONS = (
    "What is the warfarin dose?", "Who is the contact of this patient?", "What was the last creatinine?",
    "Which study code was given?", "Is there a history of stroke?", "What allergies are there?",
    "Quando foi a última creatinina?", "Does the patient have diabetes?",
)  # fmt: skip
_REQUEST_ID = re.compile(r"\b[0-9a-f]{16}\b")


@dataclass(frozen=True, slots=True)
class Call:
    """One request: its route, and how it is sent."""

    route: str
    method: str
    path: str
    body: dict[str, Any] | None = None
    form: dict[str, str] | None = None
    accept: str = "*/*"


def canary(n: int) -> str:
    """A word that stands in the record of patient `n` alone."""
    return f"zq{random.Random(f'canary {n}').getrandbits(60):x}qz"


def write_notes(folder: Path, patients: int) -> None:
    """Three notes a patient, alike but for a few numbers and the canary."""
    for n in range(patients):
        own = folder / f"twin-{n:03d}"
        own.mkdir(parents=True)
        word = canary(n)
        for year in (2020, 2021, 2022):
            (own / f"{year}-03-0{1 + n % 9}_note-{word}.txt").write_text(
                f"PROGRESS NOTE\nContact: {word} Silva. Study code {word}.\n\nWarfarin {2 + n % 5} mg every evening. "
                f"Creatinine 1.{n % 10} mg/dL. No history of stroke. Allergies: penicillin ({word}).\n"
                f"Type 2 diabetes, HbA1c 7.{n % 10} %.\n"
            )


def calls(patient: str, doc_id: str, question: str, stored: dict[str, Any]) -> Iterator[Call]:
    """Every route that takes a patient."""
    named, page = {"patient": patient}, f"/p/{quote(patient, safe='')}"
    inside = f"?patient={quote(patient, safe='')}"
    yield Call("ask", "POST", "/api/v1/ask", {"question": question, **named})
    yield Call("ask, events", "POST", "/api/v1/ask", {"question": question, **named}, accept="text/event-stream")
    yield Call("search", "POST", "/api/v1/search", {"query": question, **named})
    yield Call("documents", "GET", f"/api/v1/documents{inside}")
    yield Call("document", "GET", f"/api/v1/documents/{quote(doc_id)}{inside}")
    yield Call("timeline", "GET", f"/api/v1/timeline{inside}&topic=creatinine")
    yield Call("verify", "POST", "/api/v1/verify", {"answer": stored})
    chat = {"model": f"chartcite/patient/{patient}", "messages": [{"role": "user", "content": question}]}
    yield Call("chat", "POST", "/v1/chat/completions", chat)
    yield Call("chat, stream", "POST", "/v1/chat/completions", {**chat, "stream": True})
    yield Call("model", "GET", f"/v1/models/chartcite/patient/{quote(patient)}")
    yield Call("page", "GET", page)
    yield Call("page, asked", "POST", page, form={"question": question})
    within = quote(doc_id, safe="")
    yield Call("page, document", "GET", f"{page}/d/{within}")
    yield Call("page, picture", "GET", f"{page}/d/{within}/page/1")
    yield Call("export", "POST", "/api/v1/export?format=csv", {"answer": stored})
    yield Call("feedback", "POST", "/api/v1/feedback", {"answer": stored, "verdict": "right"})
    yield Call("feedback, list", "GET", f"/api/v1/feedback{inside}")
    yield Call("page, export", "POST", f"{page}/export", form={"answer": json.dumps(stored), "ending": "md"})
    yield Call("page, feedback", "POST", f"{page}/feedback", form={"answer": json.dumps(stored), "verdict": "right"})
    yield Call("page, timeline", "GET", f"{page}/timeline")


GENERAL = (
    Call("patients", "GET", "/api/v1/patients?limit=1000"), Call("collections", "GET", "/api/v1/collections"),
    Call("models", "GET", "/v1/models"), Call("jobs", "GET", "/api/v1/jobs"), Call("audit", "GET", "/api/v1/audit"),
    Call("start", "GET", "/"), Call("ledger", "GET", "/ledger"), Call("lab", "GET", "/lab"),
    Call("openapi", "GET", "/openapi.json"),
)  # fmt: skip
"""Routes that name no patient."""


class Watcher:
    """Sends requests, to each server in turn, and looks for canaries that the caller may not see."""

    def __init__(self, addresses: Sequence[str], patients: int) -> None:
        self.clients = [httpx.Client(base_url=address, timeout=120) for address in addresses]
        self._lock = threading.Lock()
        self.words = {n: canary(n) for n in range(patients)}
        self.routes: dict[str, Counter[str]] = {}

    def send(self, call: Call, token: str, number: int) -> httpx.Response:
        """One request under one token, to the server whose turn it is."""
        return self.clients[number % len(self.clients)].request(
            call.method, call.path, json=call.body, data=call.form,
            headers={"authorization": f"Bearer {token}", "accept": call.accept},
        )  # fmt: skip

    def look(self, call: Call, response: httpx.Response, granted: set[int], kind: str) -> None:
        """Count what is in a response that should not be."""
        echo = " ".join((call.path, json.dumps(call.body), json.dumps(call.form)))
        said = f"{response.headers} {response.text}"
        foreign = sum(word in said and word not in echo for n, word in self.words.items() if n not in granted)
        with self._lock:
            counts = self.routes.setdefault(call.route, Counter())
            counts[f"{kind} {response.status_code}"] += 1
            counts["own canary shown"] += any(self.words[n] in said for n in granted)
            counts["leaks"] += foreign


@contextmanager
def shared(work: Path) -> Iterator[str]:
    """PostgreSQL and OpenSearch, with the store's folder; gives the settings."""
    import psycopg  # noqa: PLC0415
    from tests.cluster.servers.opensearch import Loopback  # noqa: PLC0415
    from tests.cluster.servers.postgres import Postgres  # noqa: PLC0415

    with Postgres() as postgres, Loopback() as opensearch:
        with psycopg.connect(postgres.url, autocommit=True) as connection:
            connection.execute("CREATE ROLE keeper LOGIN")
            connection.execute("CREATE DATABASE records OWNER keeper")
        (work / "store").mkdir(parents=True)
        address = f"postgresql://keeper@127.0.0.1:{postgres.port}/records"
        (work / "store" / "postgres.toml").write_text(f'url = "{address}"\n')
        yield f'index = "opensearch"\nopensearch_url = "{",".join(opensearch.urls)}"\n'


@contextmanager
def servers(work: Path, settings: str, number: int) -> Iterator[list[Server]]:
    """So many servers; the second has a copy of what lies beside the rows."""
    (work / "serve.toml").write_text(f"{settings}[serve]\nrate = 1e6\nburst = 100000\n")
    running: list[Server] = []
    try:
        for n in range(number):
            folder = work / f"store{n or ''}"
            if n:
                folder.mkdir()
                for name in ("postgres.toml", "access.sqlite3"):
                    shutil.copy(work / "store" / name, folder / name)
            running.append(Server(folder, work / f"server{n}.log", "--config", str(work / "serve.toml")))
        yield running
    finally:
        for server in running:
            server.end()


def run(work: Path, patients: int, questions: int, seed: int, parallel: int, *, cluster: bool) -> dict[str, Any]:
    """The whole of it."""
    shutil.rmtree(work, ignore_errors=True)
    write_notes(work / "notes", patients)
    with ExitStack() as stack:
        settings = stack.enter_context(shared(work)) if cluster else ""
        told = tomllib.loads(settings)
        with Book(work / "store", Settings(audit_key=str(work / "audit.key"), **told)) as book:
            book.ingest(work / "notes", patient_from_folder=True)
            documents = {n: book.documents(patient=f"twin-{n:03d}")[0].doc_id for n in range(patients)}
            stored = {n: book.ask(QUESTIONS[0], patient=f"twin-{n:03d}").to_dict() for n in range(patients)}
        access = AccessStore(work / "store")
        tokens = {n: _token(access, f"user{n}", Grant("patient", f"twin-{n:03d}")) for n in range(patients)}
        access.make_list("five")
        for n in range(5):
            access.add_to_list("five", f"twin-{n:03d}")
        listed, nobody = _token(access, "listed", Grant("list", "five")), _token(access, "nobody")
        running = stack.enter_context(servers(work, settings, 2 if cluster else 1))
        watch = Watcher([server.address for server in running], patients)
        differing: Counter[str] = Counter()

        def turned(turn: int) -> None:
            n, question = turn % patients, QUESTIONS[turn % len(QUESTIONS)]
            other = random.Random(f"{seed} {turn}").choice([m for m in range(patients) if m != n])
            for call in calls(f"twin-{n:03d}", documents[n], question, stored[n]):
                watch.look(call, watch.send(call, tokens[n], turn), {n}, "own")
            there = list(calls(f"twin-{other:03d}", documents[other], question, stored[other]))
            gone = list(calls("nobody-at-all", documents[other], question, _as_of_nobody(stored[other])))
            who, granted = ((tokens[n], {n}), (listed, set(range(5))), (nobody, set()))[turn % 3]
            if other not in granted:
                for at, (call, without) in enumerate(zip(there, gone, strict=True)):
                    refused, absent = watch.send(call, who, at), watch.send(without, who, at)
                    watch.look(call, refused, granted, "other's")
                    if _shape(refused, f"twin-{other:03d}") != _shape(absent, "nobody-at-all"):
                        differing[call.route] += 1
            for call in GENERAL:
                watch.look(call, watch.send(call, who, turn), granted, "general")

        with ThreadPoolExecutor(parallel) as threads:
            list(threads.map(turned, range(questions)))
        for client in watch.clients:
            client.close()
    said = "".join(path.read_text("utf-8") for path in sorted(work.glob("server*.log")))
    return {
        "patients": patients, "questions": questions, "at_once": parallel, "servers": 2 if cluster else 1,
        "requests": sum(_sent(c) for c in watch.routes.values()),
        "leaks": sum(c["leaks"] for c in watch.routes.values()), "refusals_that_differ": dict(+differing),
        # A route that never shows a canary to whom it belongs cannot show that it hides one.
        "blind": sorted(n for n, c in watch.routes.items() if c["own 200"] and not c["own canary shown"]),
        "canaries_in_log": sum(word in said for word in watch.words.values()),
        "names_in_log": said.count("twin-"),
        "routes": {name: dict(sorted(c.items())) for name, c in watch.routes.items()},
    }  # fmt: skip


def _sent(counts: Counter[str]) -> int:
    return sum(n for name, n in counts.items() if name[-3:].isdigit())


def _as_of_nobody(stored: dict[str, Any]) -> dict[str, Any]:
    return {**stored, "scope": {"patient": "nobody-at-all"}}


def _shape(response: httpx.Response, name: str) -> tuple[int, str]:
    """Status and body of a refusal, without what names the request and the patient asked for."""
    return response.status_code, _REQUEST_ID.sub("", response.text).replace(name, "")


def _token(access: AccessStore, user: str, *grants: Grant) -> str:
    access.add_user(user)
    for grant in grants:
        access.grant(user, grant)
    return access.make_token(
        user, ["read", "audit", "ingest", "feedback"], datetime.now(UTC) + timedelta(hours=6), None
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("--patients", type=int, default=50)
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--parallel", type=int, default=1, help="so many questions' requests at once")
    parser.add_argument("--cluster", action="store_true", help="two servers on PostgreSQL and OpenSearch")
    given = parser.parse_args()
    found = run(given.work, given.patients, given.questions, given.seed, given.parallel, cluster=given.cluster)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1))
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
