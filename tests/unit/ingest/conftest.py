"""A whole ingest in one call, with the fake encoder, real files and the real readers."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chartcite.core.reading import ReadOptions
from chartcite.core.scope import Scope
from chartcite.ingest.corridor import Corridor
from chartcite.ingest.ledger import Ledger
from chartcite.ingest.pool import EncodingPool
from chartcite.ingest.routing import Route
from chartcite.ingest.walk import SourceFile, walk
from chartcite.readers.detect import read_source

if TYPE_CHECKING:
    from tests.conftest import Shelf

Ingest = Callable[..., Ledger]
WriteNotes = Callable[..., Path]


def run_ingest(
    shelf: Shelf, *paths: Path, patient: str = "", collection: str = "", folder: bool = False,
    progress: Any = None, read: Any = None,
) -> Ledger:  # fmt: skip
    """What `Book.ingest` does, for a shelf; `read` replaces the readers."""
    scope = Scope.patient(patient) if patient else Scope.collection(collection) if collection else None
    pool = EncodingPool(shelf.kitchen.encoder, 2)
    corridor = Corridor(shelf.kitchen, shelf.store.writer(uuid.uuid4().hex), pool, Route(scope, folder), "settings")

    def from_disk(source: SourceFile) -> Any:
        return read_source(source.path, source.name, ReadOptions())

    try:
        return corridor.run(walk(list(paths)), read or from_disk, progress or (lambda *_: None))
    finally:
        pool.close()


@pytest.fixture
def ingest(shelf: Shelf) -> Ingest:
    def go(*paths: Path, shelf: Shelf = shelf, **how: Any) -> Ledger:
        return run_ingest(shelf, *paths, **how)

    return go


@pytest.fixture
def write_notes(tmp_path: Path) -> WriteNotes:
    """A JSONL file of notes: (doc_id, patient_id, text)."""

    def go(name: str, *notes: tuple[str, str | None, str]) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = [{"doc_id": d, "text": t} | ({"patient_id": p} if p else {}) for d, p, t in notes]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        return path

    return go
