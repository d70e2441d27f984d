"""The whole road on a cluster: ingest, ask, delete; the same answers as with arrays, and nothing left behind."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chartcite.core.errors import EndpointFailed
from chartcite.index.opensearch.cluster import Cluster
from chartcite.index.opensearch.connection import Address
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

if TYPE_CHECKING:
    from tests.cluster.servers.opensearch import Loopback

pytestmark = pytest.mark.cluster


class Demo:
    """The bundled records in one store, asked through arrays and through the cluster."""

    def __init__(self, folder: Path, opensearch: Loopback) -> None:
        self.prefix = f"t{uuid.uuid4().hex[:12]}"
        self.settings = Settings(
            index="opensearch", opensearch_url=",".join(opensearch.urls), opensearch_prefix=self.prefix
        )
        self.engines = Engines(Settings())  # loaded once for both
        self.far = Book(folder, self.settings, engines=self.engines)
        self.near = Book(folder, Settings(), engines=self.engines)
        with as_file(files("chartcite.demo")) as data:
            self.far.ingest(data / "records", patient_from_folder=True)
            self.far.ingest(data / "articles", collection="demo-articles")
            self.questions: list[dict[str, Any]] = json.loads((data / "questions.json").read_text("utf-8"))
        self.cluster = Cluster(Address(tuple(opensearch.urls), prefix=self.prefix))


@pytest.fixture
def demo(tmp_path: Path, opensearch: Loopback) -> Iterator[Demo]:
    made = Demo(tmp_path / "store", opensearch)
    yield made
    made.cluster.remove()
    for it in (made.far, made.near, made.cluster):
        it.close()


def answered(book: Book, question: dict[str, Any]) -> dict[str, Any]:
    scope = {k: question[k] for k in ("patient", "collection") if question.get(k)}
    said = book.ask(question["question"], **scope).to_dict()
    return {key: value for key, value in said.items() if key not in {"seconds", "timings"}}


def test_every_demo_question_has_the_same_answer(demo: Demo) -> None:
    assert demo.cluster.count() > 0
    for question in demo.questions:
        assert answered(demo.far, question) == answered(demo.near, question)


def test_a_deleted_patient_is_gone_there_too(demo: Demo) -> None:
    before = demo.cluster.count()
    for summary in demo.far.patients():
        demo.far.delete(patient=summary.scope.name)
        assert demo.cluster.count() < before
        before = demo.cluster.count()
    for summary in demo.far.collections():
        demo.far.delete(collection=summary.scope.name)
    assert demo.cluster.count() == 0


def test_nothing_is_deleted_here_that_cannot_be_deleted_there(tmp_path: Path, demo: Demo) -> None:
    name = demo.far.patients()[0].scope.name
    gone = demo.settings.model_copy(update={"opensearch_url": "http://127.0.0.1:9"})
    with Book(tmp_path / "store", gone, engines=demo.engines) as book, pytest.raises(EndpointFailed) as said:
        book.delete(patient=name)
    assert said.value.exit_code == 5
    assert name in {p.scope.name for p in demo.far.patients()}
    assert name not in str(said.value)
