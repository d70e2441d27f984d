from __future__ import annotations

from collections.abc import Callable

import pytest

from chartcite.core.documents import Document
from chartcite.core.errors import EmptySource, UnsupportedFormat
from chartcite.core.reading import ReadOptions
from chartcite.readers.naming import parse_file_name

ReadOne = Callable[..., Document]


@pytest.mark.parametrize(
    ("name", "time", "note_type"),
    [
        ("2019-03-02_discharge-summary.txt", "2019-03-02", "Discharge summary"),
        ("2019-03-02_0815_discharge-summary_v2_final.txt", "2019-03-02T08:15", "Discharge summary"),
        ("a/b/2019-03-02_ECG-report.md", "2019-03-02", "ECG report"),
        ("2019-03-02.txt", "2019-03-02", ""),
        ("2019-03-02_0815.txt", "2019-03-02T08:15", ""),
        ("2019-03-02_evolução.txt.gz", "2019-03-02", "Evolução"),
        ("2019-02-30_progress-note.txt", "None", ""),
        ("2019-03-02_2561_progress-note.txt", "2019-03-02", "Progress note"),
        ("notes.txt", "None", ""),
    ],
)
def test_file_names(name: str, time: str, note_type: str) -> None:
    found = parse_file_name(name)
    assert (str(found.time), found.note_type) == (time, note_type)


def test_everything_but_the_mark_is_kept(read_one: ReadOne) -> None:
    text = "Line one\r\nLine two\rLine three\n\n\tµ\u0301\xad\u200b end \n"
    document = read_one("n.txt", b"\xef\xbb\xbf" + text.encode())
    assert document.text == text
    assert document.source.format == "text; charset=utf-8"
    assert document.doc_id == document.source.name == "n.txt"
    assert len(document.source.sha256) == 64


def test_titles(read_one: ReadOne) -> None:
    assert read_one("a.md", "\n# The *title* #\n# Other\n").title == "The *title*"
    assert read_one("2019-03-02_progress-note.txt", "A/P\n# CHF, stable\n").title == "Progress note"
    assert read_one("b.md", "```\n# code\n```\ntext").title == "b"
    assert read_one("2019-03-02_progress-note.txt", "x").title == "Progress note"
    assert read_one("c.txt", "#not a title\n## nor this").title == "c"


def test_latin_1_note_keeps_its_micrograms(read_one: ReadOne) -> None:
    document = read_one("n.txt", "Dose 40 µg".encode("latin-1"))
    assert document.text == "Dose 40 µg"
    assert document.source.format == "text; charset=windows-1252"


def test_a_declared_encoding_wins(read_one: ReadOne) -> None:
    assert read_one("n.txt", "å".encode("cp437"), ReadOptions(encoding="cp437")).text == "å"


def test_files_without_a_known_suffix_that_look_like_text(read_one: ReadOne) -> None:
    assert read_one("README", "plain").text == "plain"
    assert read_one("note.dat", "plain" * 2000).text == "plain" * 2000


@pytest.mark.parametrize("data", [b" \r\n\t\n", "\ufeff".encode()])
def test_white_space_alone_is_empty(read_one: ReadOne, data: bytes) -> None:
    with pytest.raises(EmptySource):
        read_one("n.txt", data)


def test_a_binary_file_named_txt(read_one: ReadOne) -> None:
    with pytest.raises(UnsupportedFormat, match="binary"):
        read_one("n.txt", b"MZ\x90\x00\x03\x00")
