"""The bundled records on PostgreSQL and OpenSearch, asked by two at once: the answers of one machine's files."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from chartcite.index.opensearch.cluster import Cluster
from chartcite.index.opensearch.connection import Address
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

if TYPE_CHECKING:
    from tests.cluster.servers.opensearch import Loopback
    from tests.cluster.servers.postgres import Postgres

pytestmark = pytest.mark.cluster
NOT_COMPARED = {"seconds", "timings"}


@pytest.fixture(scope="module")
def engines() -> Engines:
    return Engines(Settings())


@pytest.fixture(scope="module")
def shared(
    tmp_path_factory: pytest.TempPathFactory, opensearch: Loopback, postgres: Postgres, engines: Engines
) -> Iterator[tuple[Book, Book]]:
    """Two books on the same rows and index, as two servers have them."""
    name = f"t{uuid.uuid4().hex[:12]}"
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {name} LOGIN")  # type: ignore[arg-type, unused-ignore]
        connection.execute(f"CREATE DATABASE {name} OWNER {name}")  # type: ignore[arg-type, unused-ignore]
    books = []
    settings = Settings(index="opensearch", opensearch_url=",".join(opensearch.urls), opensearch_prefix=name)
    for server in ("one", "two"):
        folder = tmp_path_factory.mktemp(server)
        address = f'url = "postgresql://{name}@127.0.0.1:{postgres.port}/{name}"\n'
        (folder / "postgres.toml").write_text(address, "utf-8")
        books.append(Book(folder, settings, engines=engines))
    ingest(books[0])
    yield books[0], books[1]
    for book in books:
        book.close()
    cluster = Cluster(Address(tuple(opensearch.urls), prefix=name))
    cluster.remove()
    cluster.close()


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory, engines: Engines) -> Iterator[Book]:
    with Book(tmp_path_factory.mktemp("alone"), Settings(), engines=engines) as book:
        ingest(book)
        yield book


def ingest(book: Book) -> None:
    with as_file(files("chartcite.demo")) as data:
        book.ingest(data / "records", patient_from_folder=True)
        book.ingest(data / "articles", collection="demo-articles")


QUESTIONS: list[dict[str, Any]] = json.loads(files("chartcite.demo").joinpath("questions.json").read_text("utf-8"))


def answered(book: Book, question: dict[str, Any]) -> dict[str, Any]:
    scope = {k: question[k] for k in ("patient", "collection") if question.get(k)}
    said = book.ask(question["question"], **scope).to_dict()
    return {key: value for key, value in said.items() if key not in NOT_COMPARED}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: str(q["question"])[:30])
def test_both_servers_answer_as_one_machine_does(
    question: dict[str, Any], shared: tuple[Book, Book], alone: Book
) -> None:
    expected = answered(alone, question)
    for book in shared:
        assert answered(book, question) == expected


def test_searches_find_the_same_passages_with_the_same_scores(shared: tuple[Book, Book], alone: Book) -> None:
    for patient in (p.scope.name for p in alone.patients()):
        for query in ("warfarin dose", "chest pain", "creatinine kidney", "no fever", "left knee surgery"):
            expected = found(alone, query, patient)
            assert found(shared[0], query, patient) == expected
            assert found(shared[1], query, patient) == expected


def found(book: Book, query: str, patient: str) -> list[Any]:
    passages = book.search(query, patient=patient)
    return [(hit.places, hit.text, pytest.approx(hit.score, abs=1e-6)) for hit in passages]


def test_two_at_once(shared: tuple[Book, Book], alone: Book) -> None:
    expected = [answered(alone, question) for question in QUESTIONS]
    with ThreadPoolExecutor(2) as pool:
        said = pool.map(lambda book: [answered(book, q) for q in QUESTIONS], shared)
        assert list(said) == [expected, expected]


def test_what_one_server_deletes_the_other_no_longer_has(shared: tuple[Book, Book]) -> None:
    one, two = shared
    before = {p.scope.name for p in two.patients()}
    name = min(before)
    one.delete(patient=name)
    assert {p.scope.name for p in two.patients()} == before - {name}
