"""Where words stand: what pdfium finds in the boxes of a quote is the quote, whatever the page is like."""

from __future__ import annotations

import ctypes
import random
import re
from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chartcite.core.documents import Document
from chartcite.core.layout import PageBox
from chartcite.core.reading import Found, ReadOptions
from chartcite.readers.pdf import READER
from chartcite.text.sentences import split_sentences

MakePdf = Callable[..., bytes]

# A font whose code 1 is the ligature of f and i, as its character map says.
LIGATURE = (
    "81 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[1/fi]>>/FirstChar 1/LastChar 1"
    "/Widths[500]/ToUnicode 82 0 R>> endobj"
)
CMAP = (
    "82 0 obj <</Length 200>>\nstream\n/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF>"
    " endcodespacerange 1 beginbfchar <01> <00660069> endbfchar endcmap end                                     "
    "\nendstream endobj"
)
WORDS = ["dose", "pain", "no", "fever", "was", "given", "5", "mg", "daily", "heparin", "141.2", "mmol/L", "today"]


def read(path: Path, data: bytes) -> Document:
    path.write_bytes(data)
    (found,) = READER.read(path, "n.pdf", "", ReadOptions())
    assert isinstance(found, Found)
    return found.document


def in_box(document: pypdfium2.PdfDocument, box: PageBox) -> str:
    """The text whose letters lie in a box, by pdfium's own search."""
    page = document[box.page - 1]
    left, bottom, right, top = page.get_bbox()
    wide, high = right - left, top - bottom
    corners = [(box.left, box.top), (box.right, box.bottom)]
    turns: dict[int, Callable[[float, float], tuple[float, float]]] = {
        0: lambda x, y: (left + x * wide, top - y * high),
        90: lambda x, y: (left + y * wide, bottom + x * high),
        180: lambda x, y: (right - x * wide, bottom + y * high),
        270: lambda x, y: (right - y * wide, top - x * high),
    }
    turn = turns[page.get_rotation()]
    (x1, y1), (x2, y2) = (turn(x, y) for x, y in corners)
    text_page = page.get_textpage()
    buffer = (ctypes.c_ushort * 4096)()
    slack = 0.05
    count = pdfium.FPDFText_GetBoundedText(
        text_page, min(x1, x2) - slack, max(y1, y2) + slack, max(x1, x2) + slack, min(y1, y2) - slack, buffer, 4096
    )
    return bytes(buffer)[: 2 * count].decode("utf-16-le")


def letters(text: str) -> list[str]:
    """What must agree: the reader mends hyphens; pdfium has spaces of its own, and another order on turned pages."""
    return sorted(re.sub(r"[\s\x00\x02\ufffe\u00ad-]", "", text))


@st.composite
def pages(draw: st.DrawFn) -> tuple[str, int]:
    """A page of one or two columns of sentences, some lines hyphenated, and how it is turned."""
    chance = random.Random(draw(st.integers(0, 10_000)))
    size = draw(st.sampled_from([7, 9, 11]))
    content = ""
    for column in range(draw(st.integers(1, 2))):
        lines: list[str] = []
        for _ in range(draw(st.integers(1, 6))):
            words = chance.sample(WORDS, 4 if size > 7 else 5)
            lines.append(" ".join(words) + chance.choice(["", ".", ".", " medi-"]))
            if lines[-1].endswith("-"):
                lines.append("cine was " + chance.choice(WORDS) + ".")
        for n, text in enumerate(lines):
            mark = (
                f"/F2 {size} Tf (\x01) Tj /F1 {size} Tf (nd) Tj "
                if chance.random() < 0.3 and not text.endswith("-")
                else ""
            )
            content += f"BT /F1 {size} Tf {20 + 190 * column} {370 - n * size * 1.3:g} Td ({text} ) Tj {mark}ET\n"
    return content, draw(st.sampled_from([0, 90, 180, 270]))


def check_boxes(page: tuple[str, int], tmp_path: Path, make_pdf: MakePdf) -> None:
    content, rotate = page
    data = make_pdf(content, content, rotate=rotate, extra=LIGATURE, more=CMAP, resources="", fonts="/F2 81 0 R")
    document = read(tmp_path / "n.pdf", data)
    source = pypdfium2.PdfDocument(data)
    for sentence in split_sentences(document.text):
        quote = document.text[sentence.start : sentence.end]
        boxes = document.boxes_of(sentence.start, sentence.end)
        assert letters("".join(in_box(source, box) for box in boxes)) == letters(quote)
        assert {box.page for box in boxes} <= {1, 2}
        for box in boxes:
            assert 0 <= box.left < box.right <= 1
            assert 0 <= box.top < box.bottom <= 1
    source.close()


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(page=pages())
def test_what_is_in_the_boxes_of_a_sentence_is_the_sentence(
    page: tuple[str, int], tmp_path: Path, make_pdf: MakePdf
) -> None:
    check_boxes(page, tmp_path, make_pdf)


def test_every_word_has_a_place_and_a_word_cut_by_a_hyphen_two(tmp_path: Path, make_pdf: MakePdf) -> None:
    data = make_pdf("BT /F1 10 Tf 20 300 Td (No ther-) Tj 0 -12 Td (apy yet.) Tj ET")
    document = read(tmp_path / "n.pdf", data)
    assert document.text == "No therapy yet."
    assert [document.text[word.start : word.end] for word in document.words] == ["No", "ther", "apy", "yet."]
    assert len(document.boxes_of(3, 10)) == 2


def test_places_on_a_page_with_notes_that_inherits_its_box(tmp_path: Path, make_pdf: MakePdf) -> None:
    content = "BT /F1 10 Tf 20 480 Td (Corner) Tj ET"
    note = "90 0 obj <</Type/Annot/Subtype/Square/Rect[100 100 120 120]/F 4>> endobj"
    data = make_pdf(content, extra=note, page="/Annots[90 0 R]", box="/Tabs/S", pages="/MediaBox[0 0 500 500]")
    (box,) = read(tmp_path / "n.pdf", data).boxes_of(0, 6)
    assert [box.left, box.bottom] == pytest.approx([0.04, 0.04], abs=0.01)


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_places_are_on_the_page_as_it_is_shown(tmp_path: Path, make_pdf: MakePdf, rotate: int) -> None:
    data = make_pdf("BT /F1 10 Tf 20 380 Td (Corner) Tj ET", rotate=rotate)
    (box,) = read(tmp_path / "n.pdf", data).boxes_of(0, 6)
    at = {
        0: (box.left, box.top),
        90: (1 - box.right, box.top),
        180: (1 - box.right, 1 - box.bottom),
        270: (box.left, 1 - box.bottom),
    }
    assert all(edge < 0.06 for edge in at[rotate])
    image = pypdfium2.PdfDocument(data)[0].render(scale=1, grayscale=True).to_numpy()
    high, wide = image.shape[:2]
    inside = image[int(box.top * high) : int(box.bottom * high) + 1, int(box.left * wide) : int(box.right * wide) + 1]
    assert inside.min() < 100
    assert (image < 128).sum() == (inside < 128).sum()


@pytest.mark.soak
@settings(
    max_examples=2000, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(page=pages())
def test_boxes_of_many_pages(page: tuple[str, int], tmp_path: Path, make_pdf: MakePdf) -> None:
    check_boxes(page, tmp_path, make_pdf)
