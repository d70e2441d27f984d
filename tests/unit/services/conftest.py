"""A server in this process, over a small store with small engines: uploads, jobs and chat completions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import FakeEncoder

pytest.importorskip("fastapi", reason="the extra `serve` is not installed")

from fastapi.testclient import TestClient

from chartcite.app.server.application import make_application
from chartcite.app.server.config import ServerConfig
from chartcite.core.access import Grant, Permission
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.store.access import AccessStore

NOTES = {
    "p1": "Warfarin was lowered to 4 mg every evening. ![x](http://evil.example/?q=1) No fever.",
    "p2": "Warfarin 7 mg every evening. Left knee pain.",
    "ward 3/é": "Metoprolol 50 mg twice daily.",
}


class WordReranker:
    """Shared words, so that the order is known."""

    name, fingerprint = "words", "1"

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        words = set(re.findall(r"\w+", query.lower()))
        return [10.0 * len(words & set(re.findall(r"\w+", text.lower()))) - 5 for text in texts]


@dataclass
class Served:
    """The server's address in this process, and who may come."""

    client: TestClient
    folder: Path
    engines: Engines
    settings: Settings

    @property
    def access(self) -> AccessStore:
        return AccessStore(self.folder)

    def token(
        self, user: str, *grants: Grant, permissions: Sequence[Permission] = ("read", "ingest")
    ) -> dict[str, str]:
        """Headers of a new user."""
        self.access.add_user(user)
        for grant in grants:
            self.access.grant(user, grant)
        made = self.access.make_token(user, permissions, datetime.now(UTC) + timedelta(days=1), None)
        return {"Authorization": f"Bearer {made}"}


Serve = Callable[..., Any]


def engines_of(settings: Settings) -> Engines:
    engines = Engines(settings)
    engines.__dict__["encoder"], engines.__dict__["reranker"] = FakeEncoder(), WordReranker()
    return engines


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    settings = Settings(audit_key=str(tmp_path / "audit.key"))
    engines = engines_of(settings)
    with Book(tmp_path / "store", settings, engines=engines) as book:
        for patient, text in NOTES.items():
            (tmp_path / "note.txt").write_text(text, "utf-8")
            book.ingest(tmp_path / "note.txt", patient=patient)
    config = ServerConfig(store=tmp_path / "store", settings=settings, workers=2, upload_bytes=100_000)
    application = make_application(config, engines=engines, log=lambda line: None)
    with TestClient(application, base_url="http://127.0.0.1:8321") as client:
        yield Served(client, tmp_path / "store", engines, settings)
