"""A store that went through a backup answers to the byte as before."""

from __future__ import annotations

import json
from importlib.resources import as_file, files
from pathlib import Path

from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.store.backup import restore_backup, write_backup


def answers(book: Book) -> list[str]:
    questions = json.loads(files("chartcite.demo").joinpath("questions.json").read_text("utf-8"))
    said = [book.ask(q["question"], patient=q.get("patient"), collection=q.get("collection")) for q in questions]
    return [json.dumps(answer.to_dict(), sort_keys=True) for answer in said]


def test_answers_after_a_restore_are_those_of_before(tmp_path: Path) -> None:
    settings = Settings()
    engines = Engines(settings)
    with Book(tmp_path / "store", settings, engines=engines) as book, as_file(files("chartcite.demo")) as data:
        book.ingest(data / "records", patient_from_folder=True)
        book.ingest(data / "articles", collection="demo-articles")
        before = answers(book)
        assert answers(book) == before
        write_backup(tmp_path / "store", tmp_path / "backup")
    restore_backup(tmp_path / "backup", tmp_path / "again")
    with Book(tmp_path / "again", settings, engines=engines) as book:
        assert answers(book) == before
