"""Images of pages: refused by name without an engine, bounded, and read with places and confidence with one."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.scans import OCR_ENGINE, drawn, encoded, needs_ocr, png

from chartcite.core.documents import Document
from chartcite.core.errors import CorruptSource, EmptySource, LimitExceeded
from chartcite.core.ocr import OcrLine, OcrPage, OcrWord
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.image import READER
from chartcite.readers.ocr import PageOcr
from chartcite.readers.ocr_words import words_on_page

FAKE = "tests.unit.readers.fake_ocr"


def read(path: Path, ocr: str = FAKE, **limits: float) -> list[Found | Problem]:
    options = ReadOptions(ocr=ocr, **limits)  # type: ignore[arg-type]
    return list(READER.read(path, path.name, "", options))


def only(items: list[Found | Problem]) -> Document:
    (item,) = items
    assert isinstance(item, Found)
    return item.document


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, bytes], Path]:
    def go(name: str, data: bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return go


Write = Callable[[str, bytes], Path]


def test_without_an_engine_it_is_skipped_with_what_to_do(write: Write) -> None:
    (problem,) = read(write("scan.png", png("Text")), ocr="")
    assert isinstance(problem, Problem)
    assert problem.skipped
    assert "chartcite[ocr]" in str(problem.error)


def test_an_engine_that_is_not_installed_is_named(write: Write) -> None:
    with pytest.raises(EmptySource, match="needs OCR, and no_such_engine is not installed"):
        read(write("scan.png", png("Text")), ocr="no_such_engine")


def test_each_page_of_a_tiff_is_a_page(write: Write) -> None:
    document = only(read(write("fax.tif", encoded([drawn("a"), drawn("b"), drawn("c")], "TIFF"))))
    assert document.text.count("\f") == 2
    assert len(document.pages) == 3
    assert document.source.format == "image; read by OCR (fake_ocr)"
    assert [word.page for word in document.words] == [1, 1, 2, 2, 3, 3]


def test_words_have_places_and_the_least_sure_one_counts(write: Write) -> None:
    document = only(read(write("scan.png", png("Text"))))
    assert document.text == "Potassium   5.8"
    assert [(w.left, w.right, w.confidence) for w in document.words] == [(0.1, 0.4, 0.99), (0.5, 0.6, 0.42)]
    assert document.words.confidence_of(0, len(document.text)) == 0.42


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "BMP", "WEBP", "TIFF"])
def test_formats_are_told_by_their_bytes(kind: str, write: Write) -> None:
    data = encoded([drawn("a")], kind)
    assert only(read(write("scan.png", data))).text
    assert READER.accepts(Path("a.png" if kind == "BMP" else "a.dat"), data[:4096])


def test_a_bomb_is_refused_before_it_is_unpacked(write: Write) -> None:
    def chunk(name: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")

    header = (30_000).to_bytes(4, "big") * 2 + bytes([8, 0, 0, 0, 0])
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(10_000)))
    with pytest.raises((LimitExceeded, CorruptSource)):
        read(write("bomb.png", data + chunk(b"IEND", b"")))


def test_a_file_that_is_none_is_named(write: Write) -> None:
    with pytest.raises(CorruptSource, match="not an image"):
        read(write("scan.png", b"no image at all"))


def test_pages_beyond_the_limit_are_named_and_the_others_kept(write: Write) -> None:
    data = encoded([drawn("a"), drawn("b"), drawn("c")], "TIFF")
    found, problem = read(write("fax.tif", data), ocr_pages=2)
    assert isinstance(found, Found)
    assert isinstance(problem, Problem)
    assert isinstance(problem.error, LimitExceeded)
    assert str(problem.error).startswith("1 more need OCR")


def test_a_page_that_takes_too_long_is_named() -> None:
    ocr = PageOcr(ReadOptions(ocr=FAKE, ocr_seconds=-1.0))
    assert ocr.words(np.zeros((9, 9), dtype=np.uint8), 4) == ()
    (error,) = ocr.failures()
    assert str(error).startswith("page 4 took more than")


@pytest.mark.parametrize(
    ("turned", "box"),
    [
        (0, (0.1, 0.2, 0.3, 0.25)),
        (180, (0.7, 0.75, 0.9, 0.8)),
        (90, (0.2, 0.7, 0.25, 0.9)),
        (270, (0.75, 0.1, 0.8, 0.3)),
    ],
    ids=str,
)
def test_places_are_those_of_the_page_as_shown(turned: int, box: tuple[float, ...]) -> None:
    word = OcrWord("x", 10, 40, 30, 50, 0.9)
    (placed,) = words_on_page(OcrPage((OcrLine((word,)),), 100, 200, turned))
    assert placed.shown == pytest.approx(box)


def test_straightening_is_undone() -> None:
    word = OcrWord("x", 490, 90, 510, 110, 0.9)  # 400 above the middle of a page that fell to the right by 45 degrees
    (placed,) = words_on_page(OcrPage((OcrLine((word,)),), 1000, 1000, 0, 45.0))
    middle = ((placed.shown[0] + placed.shown[2]) / 2, (placed.shown[1] + placed.shown[3]) / 2)
    assert middle == pytest.approx((0.5 + 0.4 * 2**-0.5, 0.5 - 0.4 * 2**-0.5))


@needs_ocr
def test_a_scan_is_read_by_the_engine(write: Write) -> None:
    document = only(read(write("scan.png", png("Potassium 5.8 mmol/L.", "She denies chest pain.")), ocr=OCR_ENGINE))
    assert document.text == "Potassium 5.8 mmol/L.\nShe denies chest pain."


def test_transparent_is_white(write: Write) -> None:
    from PIL import Image  # noqa: PLC0415

    kept = io.BytesIO()
    Image.new("RGBA", (20, 20), (0, 0, 0, 0)).save(kept, "PNG")
    seen: list[int] = []
    from tests.unit.readers import fake_ocr  # noqa: PLC0415

    fake_ocr.SEEN = lambda image: seen.append(int(image.min()))
    only(read(write("scan.png", kept.getvalue())))
    assert seen == [255]
