from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from chartcite.core.errors import CorruptSource, EmptySource, LimitExceeded, UnreadableSource, UnsupportedFormat
from chartcite.core.reading import Found, Problem
from chartcite.readers import text
from chartcite.readers.detect import read_source, reader_for

Read = Callable[..., tuple[list[Found], list[Problem]]]


@pytest.mark.parametrize(
    ("name", "head", "reader"),
    [
        ("n.txt", b"x", "text"),
        ("n.md", b"# x", "text"),
        ("n", b"plain words", "text"),
        ("n.csv", b"doc_id,text\n", "csv"),
        ("n.tsv.gz", b"doc_id\ttext\n", "csv"),
        ("discharge.csv", b"note_id,subject_id,hadm_id,note_type,note_seq,charttime,storetime,text\n", "mimic"),
        ("NOTEEVENTS.csv", b'"ROW_ID","SUBJECT_ID","CHARTDATE","CATEGORY","TEXT"\n', "mimic"),
        ("note.tsv", b"note_id\tPERSON_ID\tnote_date\tNote_Text\n", "omop"),
        ("n.jsonl", b'{"doc_id": 1, "text": "\\"resourceType\\": \\"Patient\\""}\n', "jsonl"),
        ("n.jsonl", b'{"resourceType": "Patient"}\n', "fhir"),
        ("b.json", b'{"resourceType":"Bundle"', "fhir"),
        ("b", b' {"id": 1, "resourceType" : "Patient"}', "fhir"),
        ("n.pdf", b"MZ", "pdf"),
        ("n", b"junk\n%PDF-1.4\n", "pdf"),
    ],
)
def test_which_reader(tmp_path: Path, name: str, head: bytes, reader: str) -> None:
    (tmp_path / name).write_bytes(head)
    assert reader_for(tmp_path / name, head).name == reader


@pytest.mark.parametrize(
    ("name", "head", "what"),
    [
        ("n.odt", b"PK\x03\x04", "ODT"),
        ("n.xml", b"<a/>", "XML"),
        ("n.bin", b"\0\1\2\3", "not known"),
        ("n.json", b"[1, 2", "not known"),
    ],
)
def test_formats_that_are_not_read_are_named(tmp_path: Path, name: str, head: bytes, what: str) -> None:
    (tmp_path / name).write_bytes(head)
    with pytest.raises(UnsupportedFormat, match=what) as caught:
        list(read_source(tmp_path / name, name))
    assert "PDF" in caught.value.advice


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="not there"):
        list(read_source(tmp_path / "gone.txt", "gone.txt"))
    with pytest.raises(UnsupportedFormat, match="folder"):
        list(read_source(tmp_path, "folder"))
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises((UnsupportedFormat, EmptySource)):
        list(read_source(tmp_path / "pipe.txt", "pipe.txt"))


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="root may read everything")
def test_no_permission(tmp_path: Path) -> None:
    path = tmp_path / "n.txt"
    path.write_text("x")
    path.chmod(0)
    with pytest.raises(UnreadableSource, match="permission"):
        list(read_source(path, "n.txt"))


def test_empty_files(read: Read) -> None:
    for name in ("n.txt", "n.pdf", "n.csv", "b.json"):
        with pytest.raises(EmptySource):
            read(name, b"")
    with pytest.raises(EmptySource):
        read("n.txt.gz", gzip.compress(b""))


@pytest.mark.parametrize("cut", [5, 12, 40])
def test_broken_gzip(read: Read, cut: int) -> None:
    data = gzip.compress(os.urandom(100).hex().encode())
    with pytest.raises(CorruptSource, match="gzip"):
        read("n.txt.gz", data[:cut])
    with pytest.raises(CorruptSource, match="gzip"):
        read("n.txt.gz", data[:cut] + b"\xff" * 20 + data[cut + 20 :])


def test_gzip_in_gzip_and_gzip_without_the_name(read: Read) -> None:
    with pytest.raises(UnsupportedFormat, match="gzip in gzip"):
        read("n.txt.gz.gz", gzip.compress(gzip.compress(b"x")))
    (found,), _ = read("n.txt", gzip.compress(b"x"))
    assert found.document.text == "x"


def test_a_text_bomb_is_never_unpacked(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MAX_BYTES", 1 << 20)
    with pytest.raises(LimitExceeded, match="more than 1 MiB"):
        read("n.txt.gz", gzip.compress(b"x" * (8 << 20)))


def test_importing_the_room_is_cheap() -> None:
    code = (
        "import sys, chartcite.readers.detect as d; [__import__('chartcite.readers.' + m) for m in d._MODULES];"
        "print([m for m in ('pypdfium2', 'pypdf', 'charset_normalizer', 'lxml', 'numpy', 'subprocess', 'socket')"
        " if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_root_element_that_is_no_word_of_a_format_is_not_repeated(tmp_path: Path) -> None:
    (tmp_path / "n.xml").write_text("<Zebulon was=''/>")
    with pytest.raises(UnsupportedFormat) as caught:
        list(read_source(tmp_path / "n.xml", "n.xml"))
    assert "Zebulon" not in f"{caught.value} {caught.value.advice}"
