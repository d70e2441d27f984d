"""Which database a store's folder means: the file in it, or the one that `postgres.toml` in it names."""

from __future__ import annotations

import tomllib
from pathlib import Path

from chartcite.core.errors import MissingExtra, NotConfigured
from chartcite.store.engines.port import Database
from chartcite.store.engines.sqlite import SqliteDatabase

POSTGRES = "postgres.toml"
_KEYS = {"url", "schema", "password_file"}


def open_store_database(folder: Path, *, create: bool, busy_seconds: float) -> Database:
    """The database of a store.

    Raises:
        StoreError: as `store.database.open_database`.
        NotConfigured: `postgres.toml` cannot be used, or its library is not installed.
        EndpointFailed: the server cannot be reached, or refuses.
    """
    place = folder / POSTGRES
    if not place.is_file():
        return SqliteDatabase(folder, create=create, busy_seconds=busy_seconds)
    try:
        from chartcite.store.engines.postgres import PostgresDatabase  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("A store in PostgreSQL needs psycopg.", "pip install 'chartcite[cluster]'") from error
    said = _read(place)
    return PostgresDatabase(
        folder, said["url"], _password(folder, said), said.get("schema", "chartcite"), create=create,
        busy_seconds=busy_seconds,
    )  # fmt: skip


def _read(place: Path) -> dict[str, str]:
    try:
        said = tomllib.loads(place.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise NotConfigured(f"{place} cannot be read.", "See docs/cluster.md.") from error
    wrong = sorted(set(said) - _KEYS) or [key for key, value in said.items() if not isinstance(value, str)]
    if wrong or not str(said.get("url", "")).startswith("postgresql://"):
        raise NotConfigured(
            f"{place} says no address of a database.",
            'Write url = "postgresql://USER@HOST/DATABASE"; see docs/cluster.md.',
        )
    return said


def _password(folder: Path, said: dict[str, str]) -> str:
    """Of the file that is named; empty: PostgreSQL's own ways (PGPASSFILE, a certificate, the socket) decide."""
    if "password_file" not in said:
        return ""
    try:
        return (folder / said["password_file"]).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise NotConfigured(f"The password file that {POSTGRES} names cannot be read.", "Check its path.") from error
