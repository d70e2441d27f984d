from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest

from chartcite.core.errors import CorruptSource, EmptySource, UnsupportedFormat
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers import bytes_in, json_lines

Read = Callable[..., tuple[list[Found], list[Problem]]]
GOOD = {"doc_id": "d1", "patient_id": "p1", "time": "2019-03-02", "note_type": "Progress note", "text": "Well."}


def lines(*rows: Any) -> bytes:
    return b"\n".join(row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows)


def test_all_fields(read: Read) -> None:
    more = {"encounter_id": 7, "author": "A. B.", "lang": "pt", "title": "T", "status": "Entered_in_error"}
    (found,), problems = read("n.jsonl", lines(GOOD | more))
    document = found.document
    assert not problems
    assert (found.patient_id, document.doc_id, document.text, str(document.time)) == ("p1", "d1", "Well.", "2019-03-02")
    assert (document.encounter_id, document.author, document.lang, document.title) == ("7", "A. B.", "pt", "T")
    assert (document.note_type, document.status) == ("Progress note", "entered-in-error")


def test_a_broken_line_in_the_middle_costs_itself(read: Read) -> None:
    found, problems = read(
        "n.jsonl", lines(GOOD, b'{"doc_id": "x", "text": "secret', GOOD | {"doc_id": "d2"}, b"[1]", b"", b"7")
    )
    assert [f.document.doc_id for f in found] == ["d1", "d2"]
    assert [p.where for p in problems] == ["n.jsonl#2", "n.jsonl#4", "n.jsonl#6"]
    assert all(isinstance(p.error, CorruptSource) and not p.skipped for p in problems)
    assert "secret" not in "".join(str(p.error) + p.error.advice for p in problems)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"text": None}, "no text field"),
        ({"text": 5}, "text field is a number"),
        ({"text": ["a"]}, "text field is a list"),
        ({"doc_id": {"a": 1}}, "doc_id field is an object"),
        ({"doc_id": True}, "doc_id field is a truth value"),
        ({"patient_id": ["p1"]}, "patient_id field is a list"),
        ({"status": "entered in eror"}, "status"),
        ({"status": 3}, "status"),
    ],
)
def test_records_that_cannot_be_used(read: Read, change: dict[str, object], message: str) -> None:
    found, problems = read("n.jsonl", lines(GOOD, GOOD | change))
    assert len(found) == 1
    assert [p.where for p in problems] == ["n.jsonl#2"]
    assert message in str(problems[0].error)


@pytest.mark.parametrize(
    "change", [{"time": "last week"}, {"time": "2021-02-30"}, {"time": [1]}, {"author": {}}, {"title": [1]}]
)
def test_fields_that_only_describe_are_left_out_and_said(read: Read, change: dict[str, object]) -> None:
    (found,), (problem,) = read("n.jsonl", lines(GOOD | change))
    assert found.document.text == "Well."
    assert found.document.time is None or "time" not in change
    assert not problem.skipped


def test_ids(read: Read) -> None:
    found, _ = read(
        "n.jsonl", lines(GOOD | {"doc_id": 17, "patient_id": 12.0}, {"text": "no ids"}, GOOD | {"doc_id": " "})
    )
    assert [(f.document.doc_id, f.patient_id) for f in found] == [
        ("17", "12"),
        ("n.jsonl#2", None),
        ("n.jsonl#3", "p1"),
    ]


def test_empty_text_is_skipped(read: Read) -> None:
    _, (problem,) = read("n.jsonl", lines(GOOD | {"text": " \n"}))
    assert isinstance(problem.error, EmptySource)
    assert problem.skipped


def test_a_column_map(read: Read) -> None:
    options = ReadOptions(columns={"text": "body", "doc_id": "ref", "patient_id": "mrn", "time": "when"})
    (found,), _ = read("n.jsonl", lines({"body": "Well.", "ref": 1, "mrn": 2, "when": 2019}), options)
    assert (found.document.text, found.document.doc_id, found.patient_id) == ("Well.", "1", "2")
    assert str(found.document.time) == "2019"


def test_a_file_of_other_objects_is_refused_with_its_fields(read: Read) -> None:
    with pytest.raises(UnsupportedFormat, match=r"no record has the field 'text'; fields found: event, at"):
        read("log.ndjson", lines(*[{"event": "x", "at": n, "bad name: Jane Doe!": 1} for n in range(3)]))


def test_gzip_latin_1_lines_and_utf16(read: Read) -> None:
    line = json.dumps(GOOD | {"text": "40 µg"}, ensure_ascii=False)
    data = line.encode() + b"\n" + line.encode("latin-1")
    found, _ = read("n.jsonl.gz", gzip.compress(data))
    assert [f.document.text for f in found] == ["40 µg", "40 µg"]
    assert [f.document.source.format for f in found] == ["jsonl; charset=utf-8", "jsonl; charset=windows-1252"]
    found, _ = read("n.jsonl", (line + "\r\n" + line + "\n").encode("utf-16"))
    assert [f.document.text for f in found] == ["40 µg", "40 µg"]


def test_what_json_allows_and_no_store_could_hold(read: Read) -> None:
    rows = (b'{"doc_id": "a", "text": "\\ud800"}', b'{"text": "x", "n": ' + b"9" * 5000 + b"}", b"[" * 100_000, GOOD)
    found, problems = read("n.jsonl", lines(*rows))
    assert len(found) == 1
    assert len(problems) == 3
    (found_pair,), _ = read("n.jsonl", b'{"doc_id": "a", "text": "\\ud83d\\ude00"}')
    assert found_pair.document.text == "😀"


def test_a_line_that_is_too_long_costs_itself(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (bytes_in, json_lines):
        monkeypatch.setattr(module, "MAX_RECORD_BYTES", 200)
    found, problems = read("n.jsonl", lines(GOOD, GOOD | {"text": "long " * 1000}, GOOD))
    assert len(found) == 2
    assert [(p.where, p.error.kind) for p in problems] == [("n.jsonl#2", "LimitExceeded")]


def test_a_truncated_gzip_gives_what_it_holds_then_an_error(read: Read) -> None:
    whole = gzip.compress(lines(*[GOOD | {"text": f"{n} " * 50} for n in range(500)]))
    with pytest.raises(CorruptSource, match="gzip"):
        read("n.jsonl.gz", whole[: len(whole) // 2])
