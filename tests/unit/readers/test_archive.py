"""Archives: members read as files, hostile ones bounded and named, nothing written outside."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chartcite.core.errors import CorruptSource, EncryptedSource, LimitExceeded, ReadError, UnsupportedFormat
from chartcite.core.reading import Found, Problem
from chartcite.readers import archive

Read = Callable[..., tuple[list[Found], list[Problem]]]


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as made:
        for name, data in files.items():
            made.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data, method)
    return out.getvalue()


def tarred(files: dict[str, bytes], mode: str = "w:gz") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as made:  # type: ignore[call-overload]
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            made.addfile(info, io.BytesIO(data))
    return out.getvalue()


FILES = {"p1/2031-03-02_visit.txt": b"Seen by nurse.", "p2/b.csv": b"doc_id,patient_id,text\nd,p2,Well.\n"}
MAKERS: dict[str, Callable[[dict[str, bytes]], bytes]] = {
    "a.zip": zipped, "stored.zip": lambda f: zipped(f, zipfile.ZIP_STORED), "a.tar.gz": tarred, "a.tgz": tarred,
    "a.tar": lambda f: tarred(f, "w"), "no-suffix": zipped,
}  # fmt: skip


@pytest.mark.parametrize("name", MAKERS)
def test_members_are_read_as_files(read: Read, name: str) -> None:
    found, problems = read(name, MAKERS[name](FILES))
    assert not problems
    assert [(f.document.source.name, f.document.text, f.patient_id) for f in found] == [
        (f"{name}!/p1/2031-03-02_visit.txt", "Seen by nurse.", None),
        (f"{name}!/p2/b.csv", "Well.", "p2"),
    ]
    assert found[0].document.doc_id == f"{name}!/p1/2031-03-02_visit.txt"
    assert (found[0].document.note_type, str(found[0].document.time)) == ("Visit", "2031-03-02")


def test_one_bad_member_costs_nobody_else(read: Read) -> None:
    found, problems = read("a.zip", zipped({"a.txt": b"One.", "b.png": b"\x89PNG", "c.ndjson": b"{", "d.txt": b"Two."}))
    assert [f.document.text for f in found] == ["One.", "Two."]
    assert [p.where for p in problems] == ["a.zip!/b.png", "a.zip!/c.ndjson#1"]


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_archives_in_archives(read: Read, name: str) -> None:
    data, maker = b"One.", MAKERS[name]
    packed = maker({"n.txt": data})
    for _ in range(archive.MAX_DEPTH - 1):
        packed = maker({name: packed})
    found, problems = read(name, packed)
    assert ([f.document.text for f in found], problems) == (["One."], [])
    found, (problem,) = read(name, maker({name: packed, "after.txt": b"Two."}))
    assert [f.document.text for f in found] == ["Two."]
    assert isinstance(problem.error, LimitExceeded)


ODD_NAMES = ["../out.txt", "/etc/out.txt", "a/../../out.txt", "C:\\out.txt", "..\\out.txt", "\\\\host\\out.txt"]


@pytest.mark.parametrize("maker", [zipped, tarred], ids=["zip", "tar"])
def test_names_never_lead_out(read: Read, tmp_path: Path, maker: Callable[[dict[str, bytes]], bytes]) -> None:
    before = sorted(tmp_path.rglob("*"))
    found, (problem,) = read("a.bin", maker({**dict.fromkeys(ODD_NAMES, b"Zebulon"), "good.txt": b"Good."}))
    assert [f.document.text for f in found] == ["Good."]
    assert problem.skipped
    assert str(problem.error) == "members whose name leads out of the archive, left out: 6"
    assert sorted(tmp_path.rglob("*")) == [*before, tmp_path / "a.bin"]


def test_links_and_devices_are_left_alone(read: Read) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as made:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE):
            info = tarfile.TarInfo(f"link{kind.decode()}")
            info.type, info.linkname = kind, "/etc/hostname"
            made.addfile(info)
    found, (problem,) = read("a.tar", out.getvalue())
    assert not found
    assert str(problem.error) == "links and devices, left out: 4"
    link = zipfile.ZipInfo("link.txt")
    link.external_attr = 0o120777 << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as zip_file:
        zip_file.writestr(link, "/etc/hostname")
    found, (problem,) = read("a.zip", buffer.getvalue())
    assert not found
    assert str(problem.error) == "links and devices, left out: 1"


def encrypted(data: bytes) -> bytes:
    """The same archive with the mark of a password on every member."""
    out = bytearray(data)
    for magic, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = -1
        while (start := data.find(magic, start + 1)) >= 0:
            out[start + at] |= 1
    return bytes(out)


def test_a_password_is_named(read: Read) -> None:
    found, (problem,) = read("a.zip", encrypted(zipped({"a.txt": b"Zebulon"})))
    assert not found
    assert isinstance(problem.error, EncryptedSource)


@pytest.mark.parametrize("maker", [zipped, tarred], ids=["zip", "tar"])
def test_bombs_are_bounded(read: Read, maker: Callable[[dict[str, bytes]], bytes]) -> None:
    bomb = maker({"bomb.txt": bytes(16 << 20)})
    try:
        found, problems = read("a.bin", bomb)
    except LimitExceeded:
        return
    assert not found
    assert [type(p.error) for p in problems] == [LimitExceeded]


def test_many_members_and_much_in_all_are_bounded(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"{n}.txt": b"x" * 1000 for n in range(20)}
    monkeypatch.setattr(archive, "MAX_MEMBERS", 10)
    for name, maker in (("a.zip", zipped), ("a.tar", tarred)):
        with pytest.raises(LimitExceeded, match="members"):
            read(name, maker(files))
    monkeypatch.setattr(archive, "MAX_MEMBERS", 100)
    monkeypatch.setattr(archive, "MAX_TOTAL_BYTES", 5000)
    for name, maker in (("a.zip", zipped), ("a.tar", tarred)):
        with pytest.raises(LimitExceeded, match="holds more than"):
            read(name, maker(files))


def test_a_header_that_lies_about_its_length(read: Read) -> None:
    data = bytearray(tarred({"a.txt": b"One."}, "w"))
    info = tarfile.TarInfo("pax")
    info.type, info.size = tarfile.XHDTYPE, 8 << 30
    data[:0] = info.tobuf(tarfile.GNU_FORMAT)
    with pytest.raises(ReadError):
        read("a.tar", bytes(data))


def test_a_member_that_lies_about_its_length(read: Read) -> None:
    data = bytearray(zipped({"a.txt": bytes(1 << 20), "b.txt": b"Two."}))
    at = data.find(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<L", 4)
    found, problems = read("a.zip", bytes(data))
    assert [f.document.text for f in found][-1] == "Two."
    assert len(found) + len(problems) == 2


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.zip", zipped(FILES)[:-40], CorruptSource),
        ("a.zip", b"PK\x03\x04" + bytes(500), CorruptSource),
        ("a.tar.gz", tarred(FILES)[:-30], CorruptSource),
        ("a.tar", tarred(FILES, "w")[:700], CorruptSource),
        ("a.zip.gz", gzip.compress(zipped(FILES)), UnsupportedFormat),
        ("a.pptx.zip", zipped({"[Content_Types].xml": b"<x/>"}), UnsupportedFormat),
        ("renamed.zip", zipped({"[Content_Types].xml": b"<x/>", "w.xml": b"<x/>"}), UnsupportedFormat),
    ],
    ids=["zip-cut", "zip-noise", "gzip-cut", "tar-cut", "zip-in-gzip", "office", "office-renamed"],
)
def test_what_is_no_archive_is_named(read: Read, name: str, data: bytes, kind: type[ReadError]) -> None:
    with pytest.raises(kind):
        read(name, data)


def test_what_a_folder_walk_leaves_out_is_left_out(read: Read) -> None:
    found, problems = read(
        "a.zip", zipped({"__MACOSX/a.txt": b"x", ".DS_Store": b"x", "d/.h/n.txt": b"x", "n.txt": b"N"})
    )
    assert ([f.document.text for f in found], problems) == (["N"], [])


def test_the_temporary_folder_goes(read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "t"))
    read("a.zip", zipped(FILES))
    assert not list((tmp_path / "t").iterdir())


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(min_size=1, max_size=20), st.integers(0, 10_000), st.sampled_from(["zip", "tar.gz", "tar"]))
def test_any_damage_is_read_or_named(read: Read, noise: bytes, at: int, kind: str) -> None:
    data = bytearray(MAKERS[f"a.{kind}"](FILES))
    at %= len(data)
    data[at : at + len(noise)] = noise
    try:
        _, problems = read(f"a.{kind}", bytes(data))
    except ReadError as error:
        problems = [Problem("a", error)]
    assert all("Seen" not in str(p.error) for p in problems)


TWO = tarred({"a.txt": b"First.", "b.txt": b"Second."}, "w")
UNENDED = {
    "in-a-header": (TWO[:1400], 1), "at-the-end-of-a-member": (TWO[:1024], 1), "without-end": (TWO[:2048], 2),
    "two-in-one": (TWO + tarred({"c.txt": b"Third."}, "w"), 2), "packed": (gzip.compress(TWO[:1400]), 1),
    "cut-packing": (gzip.compress(TWO)[:-20], None), "words-behind": (gzip.compress(TWO) + b"more", None),
}  # fmt: skip


@pytest.mark.parametrize("name", UNENDED)
def test_a_tar_that_does_not_end_is_never_taken_for_whole(tmp_path: Path, name: str) -> None:
    data, before = UNENDED[name]
    path = tmp_path / "a.tar"
    path.write_bytes(data)
    members = archive.members(path, "a.tar", TWO[:600])
    for _ in range(before or 0):
        assert isinstance(next(members), archive.Member)
    with pytest.raises(CorruptSource):
        list(members)


def test_padding_is_no_damage(read: Read) -> None:
    found, problems = read("a.tar", TWO + bytes(5000))
    assert not problems
    assert len(found) == 2
