"""Every reader on damaged sources: documents whose spans hold, or named errors without a word of the source.

Sixty of each in the usual run; `make soak` goes on for a minute a reader. FUZZ_SEED gives others, FUZZ_SECONDS a time,
FUZZ_KEEP a folder for what failed.
"""

from __future__ import annotations

import os
import random
import re
import signal
import time
import zlib
from collections.abc import Iterator
from itertools import count, takewhile
from pathlib import Path
from types import FrameType

import pytest
from tests.mutations import good_sources, mutated

from chartcite.core.documents import Document
from chartcite.core.errors import ReadError
from chartcite.core.reading import Found, ReadOptions
from chartcite.readers.detect import read_source
from chartcite.readers.sandbox import Sandbox

GOOD = good_sources()
A_HANG_S = 20


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as child:
        yield child


@pytest.fixture(autouse=True)
def no_hang() -> Iterator[None]:
    """An input that is read for longer than a reader may is a failure with its place, not a stuck run."""

    def ring(signum: int, frame: FrameType | None) -> None:
        raise AssertionError("a reader hangs")

    before = signal.signal(signal.SIGALRM, ring)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def chance_of(module: str) -> random.Random:
    return random.Random(zlib.crc32(module.encode()) + int(os.environ.get("FUZZ_SEED", "0")))


def check(path: Path, sandbox: Sandbox) -> None:
    said = ""
    signal.alarm(A_HANG_S + 5)
    try:
        for item in read_source(path, path.name, ReadOptions(max_seconds=A_HANG_S), sandbox):
            if isinstance(item, Found):
                spans_hold(item.document)
            else:
                assert isinstance(item.error, ReadError)
                said += f"{item.error} {item.error.advice} "
    except ReadError as error:
        said += f"{error} {error.advice}"
    finally:
        signal.alarm(0)
    # What a table or an object calls its columns is said, so that they can be mapped.
    assert "zebulon" not in re.sub(r"(?:the columns are|fields found:) [\w.,; -]*", "", said).lower()
    assert "the parser failed (" not in said or "Pdfium" in said, "an error that the reader did not see coming"
    assert "crashed" not in said
    assert f"more than {A_HANG_S} s" not in said, "a reader hangs"


def spans_hold(document: Document) -> None:
    length, at = len(document.text), 0
    assert document.text.strip()
    for unit in document.units:
        assert at <= unit.start < unit.end <= length
        assert document.text[slice(*unit)].strip()
        at = unit.end
    assert all(0 <= start <= end <= length for start, end in document.hidden)
    assert list(document.pages) == sorted(document.pages)
    assert all(0 <= page <= length for page in document.pages)


def fuzz(module: str, folder: Path, sandbox: Sandbox, tries: Iterator[int]) -> int:
    name, data = GOOD[module]
    path, chance, n = folder / name, chance_of(module), 0
    for n in tries:
        path.write_bytes(mutated(data, chance))
        try:
            check(path, sandbox)
        except BaseException:
            kept = Path(os.environ.get("FUZZ_KEEP", folder)) / f"{module}-{n}-{name}"
            kept.write_bytes(path.read_bytes())
            raise
    return n


@pytest.mark.parametrize("module", sorted(GOOD))
def test_a_few_damaged_sources(module: str, tmp_path: Path, sandbox: Sandbox) -> None:
    assert fuzz(module, tmp_path, sandbox, iter(range(60))) == 59


@pytest.mark.soak
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("module", sorted(GOOD))
def test_damaged_sources_for_a_minute(module: str, tmp_path: Path, sandbox: Sandbox) -> None:
    end = time.monotonic() + float(os.environ.get("FUZZ_SECONDS", "60"))
    tested = fuzz(module, tmp_path, sandbox, takewhile(lambda _: time.monotonic() < end, count()))
    assert tested > 100
    if kept := os.environ.get("FUZZ_KEEP"):
        (Path(kept) / f"{module}.count").write_text(str(tested))
