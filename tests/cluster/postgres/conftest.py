"""The tests of this folder are those of a store, of reading and of ingest, on PostgreSQL in place of SQLite."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from tests.conftest import OpenShelf, Shelf

from chartcite.ingest.prepare import Kitchen
from chartcite.store.store import Store

if TYPE_CHECKING:
    from tests.cluster.servers.postgres import Postgres

OnPostgres = Callable[[Path], Path]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests that look into SQLite's file say so."""
    own = [item for item in items if item.path.parent == Path(__file__).parent]
    leave = [item for item in own if item.get_closest_marker("sqlite")]
    if leave:
        config.hook.pytest_deselected(items=leave)
        items[:] = [item for item in items if item not in leave]


@pytest.fixture(scope="session")
def database(postgres: Postgres) -> str:
    """A database whose owner is no superuser."""
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("CREATE ROLE keeper LOGIN NOSUPERUSER NOBYPASSRLS")
        connection.execute("CREATE DATABASE records OWNER keeper")
    return f"postgresql://keeper@127.0.0.1:{postgres.port}/records"


@pytest.fixture
def on_postgres(database: str) -> Iterator[OnPostgres]:
    """Make a folder that of a store in PostgreSQL, with tables of its own."""
    made: dict[Path, str] = {}

    def go(folder: Path) -> Path:
        if folder not in made:
            made[folder] = f"s{uuid.uuid4().hex[:12]}"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "postgres.toml").write_text(f'url = "{database}"\nschema = "{made[folder]}"\n', "utf-8")
        return folder

    yield go
    with psycopg.connect(database, autocommit=True) as connection:
        for schema in made.values():
            connection.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE")


@pytest.fixture
def open_shelf(tmp_path: Path, kitchen: Kitchen, on_postgres: OnPostgres) -> Iterator[OpenShelf]:
    """As in the default run; the rows are in PostgreSQL."""
    opened: list[Store] = []

    def go(name: str = "store", own_kitchen: Kitchen | None = None, busy_seconds: float = 10.0) -> Shelf:
        store = Store(on_postgres(tmp_path / name), create=True, busy_seconds=busy_seconds)
        opened.append(store)
        return Shelf(store, own_kitchen or kitchen)

    yield go
    for store in opened:
        store.close()


@pytest.fixture
def shelf(open_shelf: OpenShelf) -> Any:
    """One."""
    return open_shelf()
