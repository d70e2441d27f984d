from __future__ import annotations

import io
import random
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pypdf
import pytest

from chartcite.core.documents import Bibliography, Document
from chartcite.core.errors import CorruptSource, EmptySource, EncryptedSource, LimitExceeded, ReadError
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.detect import read_source
from chartcite.readers.pdf import _title
from chartcite.readers.sandbox import Sandbox

MakePdf = Callable[..., bytes]
Read = Callable[..., tuple[list[Found], list[Problem]]]
ReadOne = Callable[..., Document]


def image(rows: str) -> str:
    """An image of 64 x 64 pixels, each byte of a row eight of them."""
    return (
        "90 0 obj <</Type/XObject/Subtype/Image/Width 64/Height 64/BitsPerComponent 1/ColorSpace/DeviceGray"
        f"/Filter/ASCIIHexDecode/Length 1025>>\nstream\n{rows * 512}>\nendstream endobj"
    )


IMAGE, BLANK = image("A5"), image("FF")


def show(text: str, x: int = 20, y: int = 300, before: str = "") -> str:
    return f"q {before} BT /F1 12 Tf {x} {y} Td ({text}) Tj ET Q\n"


def test_pages_are_offsets_in_the_text(read_one: ReadOne, make_pdf: MakePdf) -> None:
    data = make_pdf(show("First page.") + show("Line two.", y=280), show("Second page."), show("Third."))
    document = read_one("2019-03-02_cardiology-letter.pdf", data)
    assert document.text == "First page.\nLine two.\n\fSecond page.\n\fThird."
    assert [document.text[at:].split("\n")[0] for at in document.pages] == ["First page.", "Second page.", "Third."]
    assert [document.page_at(document.text.index(word)) for word in ("Line", "Second", "Third")] == [1, 2, 3]
    assert (str(document.time), document.note_type, document.title) == (
        "2019-03-02",
        "Cardiology letter",
        "Cardiology letter",
    )
    assert document.hidden == ()
    assert document.source.format == "pdf"


@pytest.mark.parametrize(
    ("stated", "title"),
    [
        ("Discharge summary, 2 March", "Discharge summary, 2 March"),
        (" A \0 b ", "A b"),
        ("Microsoft Word - Document1", ""),
        ("untitled", ""),
        ("(anonymous)", "(anonymous)"),
        ("letter.docx", ""),
        ("C:\\\\temp\\\\x", ""),
        ("Scan_0001", ""),
        ("", ""),
        ("x" * 300, ""),
    ],
)
def test_titles(stated: str, title: str) -> None:
    assert _title(stated) == title


def test_the_title_comes_from_the_metadata(read_one: ReadOne, make_pdf: MakePdf) -> None:
    assert read_one("a.pdf", make_pdf(show("x"), info="/Title(Cardiology letter)")).title == "Cardiology letter"
    assert read_one("b.pdf", make_pdf(show("x"), info="/Title(untitled)")).title == "b"


def test_authors_and_doi_of_the_metadata_and_of_the_head_of_the_first_page(
    read_one: ReadOne, make_pdf: MakePdf
) -> None:
    stated = make_pdf(show("x"), info="/Author(Aalto R; Osei K)/Subject(Trials 2019, doi:10.5555/ab.1)")
    assert read_one("a.pdf", stated).bibliography == Bibliography(("Aalto R", "Osei K"), doi="10.5555/ab.1")
    printed = make_pdf(show("https://doi.org/10.5555/ab.2"), show("doi:10.5555/cited"), info="/Author(admin)")
    assert read_one("b.pdf", printed).bibliography == Bibliography(doi="10.5555/ab.2")
    two = make_pdf(show("doi:10.5555/a, doi:10.5555/b"))
    assert read_one("c.pdf", two).bibliography == Bibliography()


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize(
    ("matrix", "step"), [("1 0 0 1", (0, -20)), ("0 1 -1 0", (20, 0)), ("-1 0 0 -1", (0, 20)), ("0 -1 1 0", (-20, 0))]
)
def test_turned_pages_and_turned_text_are_read_in_order(
    read_one: ReadOne, make_pdf: MakePdf, rotate: int, matrix: str, step: tuple[int, int]
) -> None:
    lines = ["The sodium was 141 on day one.", "No change was made.", "Third line."]
    content = "".join(
        f"BT /F1 12 Tf {matrix} {200 + step[0] * n} {200 + step[1] * n} Tm ({line}) Tj ET\n"
        for n, line in enumerate(lines)
    )
    assert read_one("n.pdf", make_pdf(content, rotate=rotate)).text == "\n".join(lines)


@pytest.mark.parametrize(
    "secret",
    [
        show("SECRET", y=200, before="3 Tr"),
        show("SECRET", y=200, before="7 Tr"),
        show("SECRET", y=200, before="1 1 1 rg"),
        show("SECRET", y=200, before="1 g"),
        show("SECRET", y=200, before="0.99 0.99 1 rg"),
        show("SECRET", x=-900, y=200),
        "BT /F1 0.5 Tf 20 200 Td (SECRET) Tj ET\n",
        "q 0.01 0 0 0.01 0 0 cm BT /F1 12 Tf 2000 20000 Td (SECRET) Tj ET Q\n",
        "q 1 g 10 190 200 30 re f Q " + show("SECRET", y=200, before="1 g"),
        show("SECRET", y=200) + "q 1 g 10 190 200 30 re f Q ",
        show("SECRET", y=200) + "q 0 g 10 190 200 30 re f Q ",
        show("SECRET", y=200) + "q 200 0 0 30 10 190 cm /Im Do Q ",
        show("SECRET", y=200, before="300 190 50 50 re W n"),
        "/OC /Off BDC " + show("SECRET", y=200) + "EMC ",
    ],
)
def test_text_nobody_can_see_is_marked(read_one: ReadOne, make_pdf: MakePdf, secret: str) -> None:
    data = make_pdf(
        show("Seen one.") + secret + show("Seen two.", y=100), show("Page two."), extra=BLANK,
        catalog="/OCProperties<</OCGs[80 0 R]/D<</OFF[80 0 R]>>>>", resources="/Properties<</Off 80 0 R>>",
        more="80 0 obj <</Type/OCG/Name(x)>> endobj",
    )  # fmt: skip
    document = read_one("n.pdf", data)
    assert [document.text[a:b] for a, b in document.hidden] == ["SECRET"]
    assert "Seen one." in document.text
    assert "Seen two." in document.text


@pytest.mark.parametrize(
    "shown",
    [
        "q 0 0 0.5 rg 10 190 200 30 re f Q " + show("HEADER", y=200, before="1 g"),
        show("HEADER", y=200, before="1 g 2 Tr"),
        show("HEADER", y=200, before="0.5 g"),
        "q 400 0 0 400 0 0 cm /Im Do Q " + show("HEADER", y=200, before="3 Tr"),  # OCR over a scan
        "q 300 0 0 50 10 180 cm /Im Do Q " + show("HEADER", y=200, before="1 g"),
    ],
)
def test_what_can_be_seen_is_not_marked(read_one: ReadOne, make_pdf: MakePdf, shown: str) -> None:
    document = read_one("n.pdf", make_pdf(show("Seen one.") + shown, extra=IMAGE))
    assert document.hidden == ()
    assert "HEADER" in document.text


def test_hidden_spans_stay_right_when_hyphens_are_mended(read_one: ReadOne, make_pdf: MakePdf) -> None:
    content = (
        show("The ther-")
        + show("apy was stopped.", y=285)
        + show("SE\xadCRET", y=200, before="3 Tr")
        + show("End.", y=100)
    )
    document = read_one("n.pdf", make_pdf(content, show("Two.")))
    assert "therapy was stopped." in document.text
    assert [document.text[a:b].replace("-", "") for a, b in document.hidden] == ["SECRET"]
    assert document.text[document.pages[1] :] == "Two."


def test_pages_without_text_are_counted(read: Read, make_pdf: MakePdf) -> None:
    (found,), (problem,) = read("n.pdf", make_pdf("", show("Text."), "q 400 0 0 400 0 0 cm /Im Do Q", extra=IMAGE))
    assert found.document.text == "\n\fText.\n\f"
    assert found.document.page_at(found.document.text.index("Text")) == 2
    assert str(problem.error) == "2 of 3 pages have no text; they may be scans that need OCR"
    assert "chartcite[ocr]" in problem.error.advice
    assert problem.skipped
    with pytest.raises(EmptySource) as caught:
        read("scan.pdf", make_pdf("q 400 0 0 400 0 0 cm /Im Do Q", extra=IMAGE))
    assert "chartcite[ocr]" in caught.value.advice


def test_a_page_of_hidden_text_alone_has_no_text(read: Read, make_pdf: MakePdf) -> None:
    with pytest.raises(EmptySource):
        read("n.pdf", make_pdf(show("SECRET", before="3 Tr")))


def encrypted(data: bytes, user: str, owner: str = "owner") -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    writer.encrypt(user_password=user, owner_password=owner, algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_an_empty_password_opens_a_real_one_is_named(read_one: ReadOne, make_pdf: MakePdf) -> None:
    data = make_pdf(show("The potassium was 3.9."))
    assert read_one("a.pdf", encrypted(data, "")).text == "The potassium was 3.9."
    with pytest.raises(EncryptedSource, match="password"):
        read_one("b.pdf", encrypted(data, "secret"))


def test_what_was_filled_into_a_form_is_text(read_one: ReadOne, make_pdf: MakePdf) -> None:
    widget = "90 0 obj <</Subtype/Widget/FT/Tx/T(dose)/F 4/Rect[60 295 160 315]/AP<</N 91 0 R>>>> endobj\n"
    form = (
        "91 0 obj <</Type/XObject/Subtype/Form/BBox[0 0 100 20]/Resources<</Font<</F1 3 0 R>>>>/Length 38>>\nstream\n"
    )
    stream = "BT /F1 12 Tf 2 5 Td (Forty mg) Tj ET   \nendstream endobj"
    data = make_pdf(show("Dose:"), extra=widget, page="/Annots[90 0 R]")
    # The second object is reached by repair, as in many files that were edited by hand.
    data = data.replace(b"xref\n0 1", (form + stream).encode() + b"\nxrfe\n0 1", 1)
    assert read_one("n.pdf", data).text.split() == ["Dose:", "Forty", "mg"]


def test_not_a_pdf_truncated_and_cyclic(read: Read, make_pdf: MakePdf) -> None:
    good = make_pdf(show("Good."))
    assert read("junk.pdf", b"junk\r\n" * 20 + good)[0][0].document.text == "Good."
    with pytest.raises(CorruptSource, match="not a PDF"):
        read("n.pdf", b"MZ\x90\x00" * 100)
    with pytest.raises(ReadError):
        read("n.pdf", good[: len(good) // 3])
    with pytest.raises(ReadError):
        read("n.pdf", good.replace(b"/Kids[10 0 R]", b"/Kids[ 2 0 R]"))
    found, _ = read("n.pdf", make_pdf(show("The calcium was 2.2.") + "BI /W 10 /H 10 /BPC 8 /CS /G ID \x01\x02"))
    assert found[0].document.text == "The calcium was 2.2."


def test_one_broken_page_does_not_cost_the_others(read: Read, make_pdf: MakePdf) -> None:
    data = make_pdf(show("One."), show("Two."), show("Three.")).replace(
        b"12 0 obj <</Type/Page/", b"12 0 obj <</Type/Pagx/"
    )
    found, _ = read("n.pdf", data)
    assert "One." in found[0].document.text
    assert "Three." in found[0].document.text


def test_a_file_that_claims_a_million_pages(read: Read, make_pdf: MakePdf) -> None:
    found, (problem,) = read("n.pdf", make_pdf(show("One.")).replace(b"/Count 1>>", b"/Count 1000000>>"))
    assert len(found[0].document.pages) == 101
    assert str(problem.error) == "100 of 101 pages cannot be read"


def bomb(mebibytes: int) -> bytes:
    packer = zlib.compressobj(1)
    body = b"".join(packer.compress(b" " * (1 << 20)) for _ in range(mebibytes)) + packer.flush()
    body = zlib.compress(body)
    head = (
        b"%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n"
        b"3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>> endobj\n"
    )
    stream = b"4 0 obj <</Filter[/FlateDecode/FlateDecode]/Length %d>>\nstream\n" % len(body)
    return head + stream + body + b"\nendstream endobj\ntrailer <</Root 1 0 R>>\n%%EOF"


def test_a_flate_bomb_stays_inside_its_limits(read: Read, make_pdf: MakePdf) -> None:
    data = bomb(300)
    assert len(data) < 10_000
    start = time.monotonic()
    with pytest.raises((LimitExceeded, CorruptSource)):
        read("bomb.pdf", data, ReadOptions(max_bytes_memory=128 << 20))
    assert time.monotonic() - start < 10
    assert read("good.pdf", make_pdf(show("Good.")))[0][0].document.text == "Good."


def mutated(data: bytes, seed: int) -> bytes:
    """Some bytes flipped, deleted or inserted."""
    chance = random.Random(seed)
    out = bytearray(data)
    for _ in range(chance.randint(1, 12)):
        at = chance.randrange(len(out))
        kind = chance.randrange(3)
        if kind == 0:
            out[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del out[at : at + chance.randint(1, 20)]
        else:
            out[at:at] = chance.randbytes(chance.randint(1, 20))
    return bytes(out)


def check_mutations(folder: Path, sandbox: Sandbox, data: bytes, seeds: range) -> None:
    for seed in seeds:
        path = folder / f"{seed}.pdf"
        path.write_bytes(mutated(data, seed))
        try:
            items = list(read_source(path, path.name, ReadOptions(), sandbox))
        except ReadError:
            continue
        document = next(i.document for i in items if isinstance(i, Found))
        document.text.encode()
        assert document.pages[0] == 0
        assert list(document.pages) == sorted(set(document.pages))
        assert document.pages[-1] <= len(document.text)
        assert all(0 <= a < b <= len(document.text) for a, b in document.hidden)


def test_mutated_files(tmp_path: Path, sandbox: Sandbox, make_pdf: MakePdf) -> None:
    data = make_pdf(
        show("The ther-") + show("apy.", y=285), show("SECRET", before="3 Tr") + show("Seen.", y=100), info="/Title(T)"
    )
    check_mutations(tmp_path, sandbox, data, range(20))


@pytest.mark.soak
def test_many_mutated_files(tmp_path: Path, sandbox: Sandbox, make_pdf: MakePdf) -> None:
    data = make_pdf(
        show("The ther-") + show("apy.", y=285), show("SECRET", before="3 Tr") + show("Seen.", y=100), info="/Title(T)"
    )
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    for page in writer.pages:
        page.compress_content_streams()
    out = io.BytesIO()
    writer.write(out)
    check_mutations(tmp_path, sandbox, data, range(20, 60))
    check_mutations(tmp_path, sandbox, out.getvalue(), range(60, 120))
