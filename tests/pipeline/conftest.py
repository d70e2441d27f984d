"""One store with the demo records, ingested once with the real models."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from chartcite.library.book import Book

DEMO = Path(str(files("chartcite"))) / "demo"


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    with Book(tmp_path_factory.mktemp("demo")) as book:
        records = book.ingest(DEMO / "records", patient_from_folder=True)
        articles = book.ingest(DEMO / "articles", collection="demo-articles")
        assert not records.failed
        assert not articles.failed
        yield book
