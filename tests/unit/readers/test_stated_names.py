"""Names of files by a pattern or a table: what they say, and when they say nothing rather than something wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chartcite.core.errors import CorruptSource, EmptySource, ReadError, UnsupportedFormat, UsageError
from chartcite.core.reading import Found, Problem, ReadOptions, Stated
from chartcite.core.time import When
from chartcite.readers.detect import read_source
from chartcite.readers.stated_names import NamePattern, by_source, naming, read_file_table

Read = Callable[..., tuple[list[Found], list[Problem]]]


@pytest.mark.parametrize(
    ("pattern", "name", "patient", "time", "note_type"),
    [
        ("{patient}_{date}_{type}.txt", "in/p7_2031-03-02_progress-note.txt", "p7", "2031-03-02", "Progress note"),
        ("{patient}_{date}_{type}", "p7_20310302_letter.pdf", "p7", "2031-03-02", "Letter"),
        ("{patient}/{date}{time} {type}", "p7/20310302081500 ICU.txt.gz", "p7", "2031-03-02T08:15:00", "ICU"),
        ("{type}-{date:DD.MM.YYYY}-{patient}", "Letter-02.03.2031-p 7.md", "p 7", "2031-03-02", "Letter"),
        ("{patient} {*}", "p7 whatever.txt", "p7", "None", ""),
        ("{date}_{time}_{*}", "2031-03-02_08.15_x.txt", "", "2031-03-02T08:15", ""),
        ("{patient}.{type}.txt", "a+b(1).note.txt", "a+b(1)", "None", "Note"),
    ],
    ids=["usual", "compact", "folder", "day first", "rest", "no patient", "dots"],
)  # fmt: skip
def test_what_a_name_says(pattern: str, name: str, patient: str, time: str, note_type: str) -> None:
    said = NamePattern.parse(pattern).read(name)
    assert (said.patient_id, str(said.time), said.note_type) == (patient, time, note_type)


@pytest.mark.parametrize(
    ("pattern", "name", "error", "words"),
    [
        ("{patient}_{date}", "p7.txt", UnsupportedFormat, "does not follow"),
        ("{patient}/{date}", "2031-03-02.txt", UnsupportedFormat, "does not follow"),
        ("{patient}_{type}", "smith_jones_note.txt", UnsupportedFormat, "two ways"),
        ("{patient}{type}", "p7note.txt", UnsupportedFormat, "two ways"),
        ("{date:DDMMYYYY}_{patient}", "31022031_p7.txt", CorruptSource, "calendar"),
    ],
    ids=["missing", "no folder", "three parts", "no border", "30 February"],
)
def test_a_name_that_says_nothing_certain(pattern: str, name: str, error: type[ReadError], words: str) -> None:
    with pytest.raises(error, match=words):
        NamePattern.parse(pattern).read(name)


@pytest.mark.parametrize(
    "pattern",
    ["note.txt", "{patien}_x", "{patient}_{patient}", "{patient", "{date:DD.MM}", "{type:DD}", "{*}"],
)
def test_a_pattern_that_is_none_is_refused(pattern: str) -> None:
    with pytest.raises(UsageError) as caught:
        NamePattern.parse(pattern)
    assert caught.value.advice


def test_a_file_takes_patient_time_and_type_from_its_name(read: Read) -> None:
    options = ReadOptions(name_pattern="{patient}_{date}_{type}")
    (found,), problems = read("p7_2031-03-02_letter.txt", "No fever.", options)
    document = found.document
    assert not problems
    assert (found.patient_id, str(document.time), document.note_type, document.title) == (
        "p7",
        "2031-03-02",
        "Letter",
        "Letter",
    )


def test_rows_of_a_file_take_the_patient_and_keep_their_times(read: Read) -> None:
    options = ReadOptions(name_pattern="{patient}_{date}")
    rows = "doc_id,time,text\n1,2030-01-01,No fever.\n2,2030-01-02,No cough.\n"
    found, problems = read("p7_2031-03-02.csv", rows, options)
    assert not problems
    assert [(f.patient_id, str(f.document.time)) for f in found] == [("p7", "2030-01-01"), ("p7", "2030-01-02")]


def test_who_the_file_names_and_who_its_name_does_must_be_one(read: Read) -> None:
    options = ReadOptions(name_pattern="{patient}_{type}")
    rows = "doc_id,patient_id,text\n1,p7,No fever.\n2,p8,No cough.\n"
    found, (problem,) = read("p7_all.csv", rows, options)
    assert [f.document.doc_id for f in found] == ["1"]
    assert (problem.where, problem.skipped) == ("2", False)
    assert "another patient" in str(problem.error)


def test_a_name_that_does_not_follow_costs_a_file_without_patient_only(read: Read) -> None:
    options = ReadOptions(name_pattern="{patient}_{date}")
    assert [(p.skipped, p.where) for p in read("p7.txt", "No fever.", options)[1]] == [(False, "p7.txt")]
    found, problems = read("n.jsonl", {"doc_id": "1", "patient_id": "p", "text": "No fever."}, options)
    assert ([f.patient_id for f in found], [p.skipped for p in problems]) == (["p"], [True])
    kept, problems = read("p7.txt", "No fever.", ReadOptions(name_pattern="{type}_{date}"))
    assert (len(kept), [p.skipped for p in problems]) == (1, [True])


def test_a_table_of_files(tmp_path: Path) -> None:
    table = tmp_path / "files.csv"
    table.write_text(
        "File;patient_id;time;note_type\n./a/x.txt;p7;2031-03-02;Letter\ny.txt;p8;;\nall.zip!/z.txt;p9;;\n"
    )
    rows = read_file_table(table)
    assert rows["a/x.txt"] == Stated(patient_id="p7", time=When.parse("2031-03-02"), note_type="Letter")
    names = ["a/x.txt", "b/y.txt", "all.zip"]
    assert sorted(by_source(rows, names)) == ["a/x.txt", "all.zip!/z.txt", "b/y.txt"]
    assert "a/y.txt" not in by_source(rows, ["a/y.txt", "b/y.txt"]), "which of two is meant is not guessed"
    (tmp_path / "x.txt").write_text("No fever.")
    options = naming(ReadOptions(), "{patient}_{date}", table, names)
    (found,) = read_source(tmp_path / "x.txt", "a/x.txt", options)
    assert isinstance(found, Found)
    assert (found.patient_id, found.document.title) == ("p7", "Letter"), "the table goes before the pattern"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("name,patient_id\nx,p\n", CorruptSource),
        ("file,patient_id\nx,p\nx,q\n", CorruptSource),
        ("file,patient_id\n,p\n", CorruptSource),
        ("file,time\nx,03/02/2031\n", CorruptSource),
        ("file,patient_id\n", EmptySource),
    ],
    ids=["no file", "twice", "nameless", "no ISO time", "empty"],
)
def test_a_table_that_cannot_be_used_is_refused_whole(tmp_path: Path, text: str, error: type[ReadError]) -> None:
    (tmp_path / "files.csv").write_text(text)
    with pytest.raises(error):
        read_file_table(tmp_path / "files.csv")
