"""`benchmarks/as_of.py` on a small record, with engines that one can compute by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.unit.benchmarks.test_twins import WordReranker

import as_of
from chartcite.core.documents import Document, Provenance
from chartcite.core.time import When
from chartcite.lab.longchart.generate import questions_of, records
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder


def test_an_answer_as_of_a_day_is_that_of_the_record_of_that_day(tmp_path: Path, fake_encoder: FakeEncoder) -> None:
    engines = Engines(Settings())
    engines.__dict__.update(encoder=fake_encoder, reranker=WordReranker())
    everybody = records(2, 3, {"en": 0.5, "pt": 0.5}, 0.02)  # taken for one record in two languages
    rows = [{"doc_id": n.doc_id, "text": n.text, "time": n.at.isoformat()[:16], "note_type": n.note_type}
            for _, notes in everybody for n in notes[:13]]  # fmt: skip
    documents = as_of.documents_of(rows, 1)
    questions = [q.text for q in questions_of(everybody, 3)]
    days = as_of.days_of(documents, 3, 1)
    found = as_of.compared(tmp_path, documents, questions, days, engines, 1, 1, as_of.WAYS[:3], len(days) + 1)
    assert {name: n for name, n in found.items() if n and name not in ("compared", "spans")} == {}
    assert found["compared"] >= 3 * 7
    assert found["spans"] > 20


@pytest.mark.parametrize(
    ("time", "day", "is_written"),
    [
        ("2019-03-02", "2019-03-02", True), ("2019-03-02", "2019-03-01", False), ("2019-03", "2019-03-30", False),
        ("2019-03", "2019-03-31", True), ("2019", "2019-12", True), ("2019", "2019-11", False), ("", "2999", False),
        ("2019-03-02T23:30-11:00", "2019-03-02", True), ("2019-03-02T23:30-11:00", "2019-03-02T23:30", False),
        ("2019-03-02T10:30:59", "2019-03-02T10:30", True), ("2019-03-02T10:31", "2019-03-02T10:30", False),
        ("2019-03-02", "2019-03-02T23:58", False), ("2019-03-02", "2019-03-02T23:59", True),
    ],
)  # fmt: skip
def test_what_was_surely_written(time: str, day: str, is_written: bool) -> None:
    when = When.parse(time) if time else None
    assert as_of.written_by(Document(doc_id="d", text="t", source=Provenance("", "", ""), time=when), day) is is_written
