"""Originals of pages: kept with the document, drawn in the child, boxes over the right words, gone when deleted."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image
from tests.scans import drawn, encoded

from chartcite.core.errors import CorruptSource, LimitExceeded, ReadError, UsageError
from chartcite.core.reading import PagePicture, ReadOptions
from chartcite.core.scope import Scope
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.pictures import picture
from chartcite.library.settings import Settings
from chartcite.readers.page_image import MOST_SHOWN
from chartcite.readers.sandbox import Sandbox

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder

LETTER = "2021-06-14_cardiology-letter.pdf"
DEMO = Path(str(files("chartcite.demo").joinpath("records", "demo-maria-castello", LETTER)))


@pytest.fixture
def book(tmp_path: Path, fake_encoder: FakeEncoder) -> Iterator[Book]:
    settings = Settings()
    engines = Engines(settings)
    engines.__dict__["encoder"] = fake_encoder
    with Book(tmp_path / "store", settings, engines=engines) as made:
        yield made


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def pixels(found: PagePicture) -> np.ndarray:
    """Grey, [height, width]."""
    return np.asarray(Image.open(io.BytesIO(found.png)).convert("L"))


def kept(book: Book) -> list[tuple[int, str]]:
    return list(book.store._connection.execute("SELECT length(data), sha256 FROM originals"))


def test_boxes_lie_over_the_words(book: Book) -> None:
    book.ingest(DEMO, patient="p")
    found = book.page_picture(LETTER, 1, patient="p")
    assert found is not None
    shown = pixels(found)
    assert shown.shape == (found.height, found.width)
    with book.store.read(Scope.patient("p")) as reader:
        document = reader.document(reader.documents()[0].key)
    dark = shown < 128
    inside = np.zeros_like(dark)
    for word in document.words:
        if word.page == 1:
            top, bottom = int(word.top * found.height), int(np.ceil(word.bottom * found.height))
            left, right = int(word.left * found.width), int(np.ceil(word.right * found.width))
            assert dark[top:bottom, left:right].any(), document.text[word.start : word.end]
            inside[top:bottom, left:right] = True
    assert (dark & inside).sum() > 0.95 * dark.sum()


def test_a_box_is_the_word_that_it_says(book: Book) -> None:
    """The widest word's box, moved by its own width, holds other ink: places are of the words, not of the lines."""
    book.ingest(DEMO, patient="p")
    found = book.page_picture(LETTER, 1, patient="p")
    assert found is not None
    with book.store.read(Scope.patient("p")) as reader:
        document = reader.document(reader.documents()[0].key)
    start = document.text.index("Warfarin 4.5 mg")
    (box,) = document.boxes_of(start, start + len("Warfarin 4.5 mg"))
    dark = pixels(found) < 128
    row = dark[int(box.top * found.height) : int(np.ceil(box.bottom * found.height))]
    left, right = int(box.left * found.width), int(np.ceil(box.right * found.width))
    gap = int(0.003 * found.width)
    assert not row[:, left - gap : left].any()  # a space stands before the first letter and behind the last
    assert not row[:, right : right + gap].any()


def test_originals_go_with_the_document_and_the_patient(book: Book, tmp_path: Path) -> None:
    copied = tmp_path / "a" / LETTER
    copied.parent.mkdir()
    shutil.copy(DEMO, copied)
    book.ingest(copied, patient="p")
    book.ingest(copied, patient="other")
    assert len(kept(book)) == 2
    book.delete(patient="p")
    assert len(kept(book)) == 1
    book.delete(patient="other")
    assert kept(book) == []
    head = DEMO.read_bytes()[:64]
    assert not any(head in path.read_bytes() for path in (tmp_path / "store").iterdir())


def test_what_was_lost_in_between_is_kept_by_a_rerun(book: Book) -> None:
    book.ingest(DEMO, patient="p")
    book.store._connection.execute("DELETE FROM originals")
    book.store._connection.execute("DELETE FROM sources")  # as after a kill between the two transactions
    book.ingest(DEMO, patient="p")
    assert len(kept(book)) == 1


def test_without_the_file_there_is_no_picture(tmp_path: Path, fake_encoder: FakeEncoder) -> None:
    settings = Settings(keep_originals_mb=0)
    engines = Engines(settings)
    engines.__dict__["encoder"] = fake_encoder
    with Book(tmp_path / "store", settings, engines=engines) as book:
        book.ingest(DEMO, patient="p")
        assert kept(book) == []
        assert book.page_picture(LETTER, 1, patient="p") is None


@pytest.mark.parametrize("page", [0, 99, -1])
def test_a_page_that_is_not_there(page: int, book: Book) -> None:
    book.ingest(DEMO, patient="p")
    with pytest.raises(ReadError, match="no such page"):
        book.page_picture(LETTER, page, patient="p")


def test_a_document_that_is_not_there(book: Book) -> None:
    book.ingest(DEMO, patient="p")
    with pytest.raises(UsageError, match="no such document"):
        book.page_picture("other.pdf", 1, patient="p")


def test_an_image_is_drawn_upright_and_small_enough(sandbox: Sandbox) -> None:
    wide = drawn("Warfarin 5 mg", width=3_000, size=400)
    found = picture(encoded([wide], "PNG"), ReadOptions(), sandbox)
    assert found.width * found.height <= MOST_SHOWN
    two = encoded([drawn("one"), drawn("two", width=400)], "TIFF")
    assert picture(two, ReadOptions(page=2), sandbox).width == 400
    assert picture(two, ReadOptions(page=2), sandbox).pages == 2
    turned = Image.new("RGB", (40, 20), "red")
    exif = turned.getexif()
    exif[0x0112] = 6
    data = io.BytesIO()
    turned.save(data, "JPEG", exif=exif)
    assert pixels(picture(data.getvalue(), ReadOptions(), sandbox)).shape == (40, 20)


BAD = {"nothing": b"", "text": b"no image", "cut PDF": b"%PDF-1.7\n1 0 obj", "cut PNG": b"\x89PNG\r\n\x1a\n\0\0"}


@pytest.mark.parametrize("kind", BAD)
def test_what_cannot_be_drawn_is_named(kind: str, sandbox: Sandbox) -> None:
    with pytest.raises(CorruptSource):
        picture(BAD[kind], ReadOptions(), sandbox)


def test_drawing_has_limits(sandbox: Sandbox) -> None:
    with pytest.raises((LimitExceeded, CorruptSource)):
        picture(DEMO.read_bytes(), ReadOptions(max_bytes_memory=1 << 20), sandbox)
    assert picture(DEMO.read_bytes(), ReadOptions(), sandbox).pages >= 1  # the next one is drawn all the same
