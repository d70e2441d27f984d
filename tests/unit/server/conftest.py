"""A small audited store behind the application, with users whose tokens open this and that."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from chartcite.app.server.application import make_application
from chartcite.app.server.config import ServerConfig
from chartcite.app.server.run import Server, make_server
from chartcite.core.access import PERMISSIONS, Grant, Permission
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.store.access import AccessStore
from chartcite.store.audit import AuditTrail

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder

PATIENTS = ("p1", "p2", "a/b é😀")
LATER = datetime.now(UTC) + timedelta(days=1)


@dataclass
class Served:
    """An application with a client, and what lies behind it."""

    app: FastAPI
    client: TestClient
    access: AccessStore
    tokens: dict[str, str]
    log: list[str] = field(default_factory=list)
    trail: AuditTrail | None = None

    def bearer(self, name: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[name]}"} if name else {}

    def send(self, method: str, path: str, who: str = "", **more: Any) -> Any:
        headers = {**self.bearer(who), **more.pop("headers", {})}
        return self.client.request(method, path, headers=headers, **more)

    def refusals(self) -> list[dict[str, Any]]:
        assert self.trail is not None
        return [line for line in self.trail.lines() if line["outcome"] == "refused"]


Serve = Callable[..., Served]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test that serves puts the store that all of them copy."""
    return tmp_path_factory.mktemp("served")


_ENGINES: dict[str, Engines] = {}
"""The small models of an answer are loaded once a process; nothing of a store is in them."""


@dataclass
class Shop:
    """A store of one's own, and what serves it."""

    store: Path
    settings: Settings
    engines: Engines

    def config(self, **more: Any) -> ServerConfig:
        return ServerConfig(store=self.store, settings=self.settings, workers=2, **more)


@pytest.fixture
def shop(tmp_path: Path, made: Path, fake_encoder: FakeEncoder) -> Shop:
    settings = Settings(audit_key=str(tmp_path / "all" / "keys" / "audit.key"), rerank="none")
    engines = _ENGINES.setdefault("engines", Engines(settings))
    engines.__dict__["encoder"] = fake_encoder
    if not (made / "all").exists():
        _fill(tmp_path / "all", settings, engines)
        shutil.copytree(tmp_path / "all", made / "all")
    else:
        shutil.copytree(made / "all", tmp_path / "all")
    return Shop(tmp_path / "all" / "store", settings, engines)


@pytest.fixture
def serve(shop: Shop) -> Iterator[Serve]:
    """Starts applications over one store; `users=False` leaves it to the process's own user."""
    opened: list[TestClient] = []

    def go(*, users: bool = True, address: str = "127.0.0.1", **config: Any) -> Served:
        access = AccessStore(shop.store)
        tokens = _people(access) if users else {}
        log: list[str] = []
        app = make_application(shop.config(**config), engines=shop.engines, log=log.append)
        client = TestClient(app, base_url="http://localhost", client=(address, 50000))
        client.__enter__()
        opened.append(client)
        trail = AuditTrail(shop.store, Path(shop.settings.audit_key), "test")
        return Served(app, client, access, tokens, log, trail)

    yield go
    for client in opened:
        client.__exit__(None, None, None)


@dataclass
class Listening:
    """A real server on loopback, in a thread."""

    server: Server
    thread: threading.Thread
    port: int
    log: list[str]

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def end(self) -> None:
        self.server.handle_exit(2, None)
        self.thread.join(30)
        assert not self.thread.is_alive()


@pytest.fixture
def listen(shop: Shop) -> Iterator[Callable[..., Listening]]:
    """Starts real servers for the process's own user."""
    running: list[Listening] = []

    def go(**config: Any) -> Listening:
        log: list[str] = []
        server = make_server(shop.config(port=0, **config), engines=shop.engines, log=log.append)
        thread = threading.Thread(target=server.run)
        thread.start()
        until = time.monotonic() + 30
        while not server.started and time.monotonic() < until:
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        running.append(Listening(server, thread, port, log))
        return running[-1]

    yield go
    for one in running:
        if one.thread.is_alive():
            one.end()


def _fill(folder: Path, settings: Settings, engines: Engines) -> None:
    with Book(folder / "store", settings, engines=engines, who="operator") as book:
        for number, patient in enumerate(PATIENTS):
            notes = folder / "notes" / str(number)
            notes.mkdir(parents=True)
            canary = f"Canary{patient.replace('/', '').replace(' ', '')}"
            text = f"PLAN\nWarfarin 5 mg nightly. Creatinine 1.1 mg/dL. {canary} was seen.\n"
            (notes / "2021-01-01_note.txt").write_text(text)
            book.ingest(notes, patient=patient)


def _people(access: AccessStore) -> dict[str, str]:
    for name in ("alice", "bob", "nobody", "chief"):
        access.add_user(name)
    access.grant("alice", Grant("patient", "p1"))
    access.grant("bob", Grant("patient", "p2"))
    access.grant("chief", Grant("everything"))

    def token(user: str, *permissions: Permission) -> str:
        return access.make_token(user, permissions or PERMISSIONS, LATER, None)

    tokens = {name: token(name) for name in ("alice", "bob", "nobody", "chief")}
    for permission in sorted(PERMISSIONS):
        tokens[f"alice-{permission}"] = token("alice", permission)
    soon = access.make_token("alice", PERMISSIONS, datetime.now(UTC) + timedelta(seconds=0.9), None)
    ended = token("alice")
    access.revoke_token(ended.split("_")[1])
    return {**tokens, "expired": _aged(access, soon), "revoked": ended, "wrong": tokens["alice"][:-2] + "xx"}


def _aged(access: AccessStore, token: str) -> str:
    """A token whose end has come, without waiting for it."""
    with access._writing() as cursor:
        cursor.execute("UPDATE tokens SET expires = ? WHERE id = ?", ("2020-01-01T00:00:00+00:00", token.split("_")[1]))
    return token
