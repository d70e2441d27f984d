"""The runbook's backup: pg_dump of the rows, the index made again from them. The answers are those of that day."""

from __future__ import annotations

import json
import subprocess
import uuid
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from chartcite.core.errors import UnknownPartition
from chartcite.index.opensearch.cluster import Cluster
from chartcite.index.opensearch.connection import Address
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

if TYPE_CHECKING:
    from tests.cluster.servers.opensearch import Loopback
    from tests.cluster.servers.postgres import Postgres

pytestmark = pytest.mark.cluster
QUESTIONS: list[dict[str, Any]] = json.loads(files("chartcite.demo").joinpath("questions.json").read_text("utf-8"))


class Site:
    """A store in PostgreSQL, its index on OpenSearch, and a superuser who makes the backups."""

    def __init__(self, place: Path, postgres: Postgres, opensearch: Loopback) -> None:
        self.place, self.postgres = place, postgres
        self.name = f"b{uuid.uuid4().hex[:12]}"
        self.settings = Settings(
            index="opensearch", opensearch_url=",".join(opensearch.urls), opensearch_prefix=self.name
        )
        self.engines = Engines(Settings())
        self.cluster = Cluster(Address(tuple(opensearch.urls), prefix=self.name))
        self.sql(f"CREATE ROLE {self.name} LOGIN")

    def sql(self, statement: str) -> None:
        with psycopg.connect(self.postgres.url, autocommit=True) as connection:
            connection.execute(statement)  # type: ignore[arg-type, unused-ignore]

    def address(self, database: str, user: str) -> str:
        return f"postgresql://{user}@127.0.0.1:{self.postgres.port}/{database}"

    def book(self, database: str) -> Book:
        folder = self.place / database
        folder.mkdir(exist_ok=True)
        (folder / "postgres.toml").write_text(f'url = "{self.address(database, self.name)}"\n', "utf-8")
        return Book(folder, self.settings, engines=self.engines)


@pytest.fixture
def site(tmp_path: Path, postgres: Postgres, opensearch: Loopback) -> Iterator[Site]:
    made = Site(tmp_path, postgres, opensearch)
    yield made
    made.cluster.remove()
    made.cluster.close()


def answered(book: Book) -> list[dict[str, Any]]:
    found = []
    for question in QUESTIONS:
        scope = {k: question[k] for k in ("patient", "collection") if question.get(k)}
        said = book.ask(question["question"], **scope).to_dict()
        found.append({key: value for key, value in said.items() if key not in {"seconds", "timings"}})
    return found


def test_a_dump_and_an_index_made_again_give_the_answers_of_that_day(site: Site) -> None:
    first, second = site.name, f"{site.name}x"
    site.sql(f"CREATE DATABASE {first} OWNER {site.name}")
    late = site.place / "late" / "latecomer"
    late.mkdir(parents=True)
    (late / "note.txt").write_text("Warfarin 9 mg daily, latecomercanary.", "utf-8")
    with site.book(first) as book, as_file(files("chartcite.demo")) as data:
        book.ingest(data / "records", patient_from_folder=True)
        book.ingest(data / "articles", collection="demo-articles")
        before = answered(book)
        dump = site.place / "rows.dump"
        dump.write_bytes(
            site.postgres.tool("pg_dump", "--format=custom", f"--dbname={site.address(first, 'chartcite')}")
        )
        book.ingest(site.place / "late", patient_from_folder=True)
        assert book.search("warfarin", patient="latecomer")
    site.sql(f"DROP DATABASE {first}")
    site.sql(f"CREATE DATABASE {second} OWNER {site.name}")
    restored = site.address(second, "chartcite")
    site.postgres.tool("pg_restore", "--exit-on-error", f"--dbname={restored}", str(dump))
    with site.book(second) as book:
        book.index()
        assert answered(book) == before
        with pytest.raises(UnknownPartition):
            book.search("warfarin", patient="latecomer")
        book.ingest(site.place / "late", patient_from_folder=True)  # numbers that the lost rows had are given again
        assert "9 mg" in book.search("warfarin", patient="latecomer")[0].text
        assert answered(book) == before


def test_the_user_of_the_server_cannot_make_a_dump_that_lacks_rows(site: Site) -> None:
    site.sql(f"CREATE DATABASE {site.name} OWNER {site.name}")
    with site.book(site.name) as book:
        note = site.place / "note.txt"
        note.write_text("Warfarin 5 mg.", "utf-8")
        book.ingest(note, patient="p")
    with pytest.raises(subprocess.CalledProcessError) as told:
        site.postgres.tool("pg_dump", f"--dbname={site.address(site.name, site.name)}")
    assert b"row-level security" in told.value.stderr
