"""Readers of pages on files changed at random: a document or a named error, units in the text, no content told."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from tests.page_samples import DOCX_PARTS, GOOD, docx

from chartcite.core.errors import ReadError
from chartcite.core.reading import Found, Reader, ReadOptions
from chartcite.readers.bytes_in import named_errors

each = pytest.mark.parametrize("kind", ["docx", "html", "jats", "rtf"])


def check(reader: Reader, path: Path) -> None:
    said = ""
    try:
        with named_errors():
            for item in reader.read(path, path.name, "", ReadOptions()):
                if isinstance(item, Found):
                    document, at = item.document, 0
                    assert document.text.strip()
                    for unit in document.units:
                        assert at <= unit.start < unit.end <= len(document.text)
                        assert document.text[slice(*unit)].strip()
                        at = unit.end
                else:
                    assert isinstance(item.error, ReadError)
                    said += f"{item.error} {item.error.advice}"
    except ReadError as error:
        said += f"{error} {error.advice}"
    assert "Zebulon" not in said


def changed(data: bytes, chance: random.Random) -> bytes:
    """A few bytes flipped, dropped or put in, or a piece of the file put elsewhere."""
    made = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(made))
        if chance.random() < 0.3:
            start = chance.randrange(len(made))
            made[at:at] = made[start : start + chance.randint(1, 60)]
        else:
            made[at : at + chance.randint(0, 2)] = bytes(chance.randrange(256) for _ in range(chance.randint(0, 3)))
    return bytes(made)


def files(kind: str, seed: int) -> Iterator[bytes]:
    """Changed files without end, the same for a seed; of a DOCX now the package, now a part in a good package."""
    chance = random.Random(seed)
    while True:
        if kind == "docx" and chance.random() < 0.8:
            name = chance.choice(sorted(DOCX_PARTS))
            yield docx({**DOCX_PARTS, name: changed(DOCX_PARTS[name], chance)})
        else:
            yield changed(GOOD[kind], chance)


@each
def test_good_files_are_read(tmp_path: Path, kind: str) -> None:
    (tmp_path / "a").write_bytes(GOOD[kind])
    reader: Reader = import_module(f"chartcite.readers.{kind}").READER
    found = [item for item in reader.read(tmp_path / "a", "a", "", ReadOptions()) if isinstance(item, Found)]
    assert "Zebulon" in found[0].document.text


@each
def test_changed_files(tmp_path: Path, kind: str) -> None:
    reader: Reader = import_module(f"chartcite.readers.{kind}").READER
    for _, data in zip(range(100), files(kind, 7), strict=False):
        (tmp_path / "a").write_bytes(data)
        check(reader, tmp_path / "a")


@pytest.mark.soak
@pytest.mark.timeout(400)
@each
def test_changed_files_for_a_minute(tmp_path: Path, kind: str) -> None:
    reader: Reader = import_module(f"chartcite.readers.{kind}").READER
    source, end = files(kind, 16), time.monotonic() + 60
    while time.monotonic() < end:
        (tmp_path / "a").write_bytes(next(source))
        check(reader, tmp_path / "a")
