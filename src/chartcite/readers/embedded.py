"""A body inside another format, in base64 or plain: its text, where there is a reader for it.

Runs where hostile bytes are parsed: in the child process.
"""

from __future__ import annotations

import base64
import binascii
import io
import re
from dataclasses import dataclass, field
from typing import Literal

from chartcite.core.documents import Span
from chartcite.core.errors import CorruptSource, EmptySource, ReadError, UnsupportedFormat
from chartcite.core.layout import WordBoxes
from chartcite.readers.decoding import decode
from chartcite.readers.html import decode_html
from chartcite.readers.html_text import read_page
from chartcite.readers.left_out import left_out

_PLAIN = frozenset(("", "text/plain", "text/markdown", "text", "plain", "text/txt"))
_HTML = frozenset(("text/html", "application/xhtml+xml", "html"))
PAGES: dict[str, Literal["pdf", "docx", "rtf"]] = {
    "application/pdf": "pdf", "pdf": "pdf", "text/rtf": "rtf", "application/rtf": "rtf", "application/x-rtf": "rtf",
    "text/richtext": "rtf", "rtf": "rtf", "docx": "docx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.ms-word.document.macroenabled.12": "docx",
}  # fmt: skip
"""Formats of pages by their MIME type: the readers that run in the child process."""
_NAMES = {
    "application/msword": "DOC", "text/xml": "XML", "application/xml": "XML", "image/jpeg": "JPEG image",
    "image/png": "PNG image", "image/tiff": "TIFF image", "image/gif": "GIF image",
}  # fmt: skip
_MIME = re.compile(r"[\w.+-]{1,60}(?:/[\w.+-]{1,80})?", re.ASCII)
_MAGIC = ((b"%PDF-", "application/pdf"), (b"{\\rtf", "text/rtf"))


@dataclass(frozen=True, slots=True)
class Body:
    """Text with, for a PDF, its pages, what cannot be seen, and where words stand; `problems` are of what was left out.

    `units`: rows of tables.
    """

    text: str
    format: str
    pages: tuple[int, ...] = ()
    hidden: tuple[Span, ...] = ()
    problems: tuple[ReadError, ...] = ()
    words: WordBoxes = field(default_factory=WordBoxes, repr=False)
    running: tuple[Span, ...] = ()
    units: tuple[Span, ...] = ()


def unbase64(text: str) -> bytes:
    """The bytes of base64 with any white space in it.

    Raises:
        CorruptSource: it is none.
    """
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise CorruptSource("an embedded body is not base64") from error


def read_body(data: bytes, mime: str) -> Body:
    """The text of an embedded body.

    Raises:
        UnsupportedFormat: there is no reader for its format.
        EmptySource: there is no text in it.
        ReadError: whatever the reader of its format says.
    """
    kind = kind_of(data, mime)
    if kind in PAGES:
        return _of_pages(data, PAGES[kind])
    if kind in _HTML:
        source, charset = decode_html(data)
        page = read_page(source)
        if not page.text.strip():
            raise EmptySource("an embedded body holds no text")
        said = f"text/html; charset={charset.name}"
        return Body(page.text, said, problems=tuple(left_out(page.left_out)), units=page.units)
    if kind not in _PLAIN:
        shown = _NAMES.get(kind, kind if _MIME.fullmatch(kind) else "unknown")
        raise UnsupportedFormat(f"an embedded body is in a format that is not read ({shown})")
    text, charset = decode(data)
    if not text.strip():
        raise EmptySource("an embedded body holds no text")
    return Body(text, f"text/plain; charset={charset.name}")


def kind_of(data: bytes, mime: str) -> str:
    """The MIME type in small letters without parameters; what the data begin with is believed before it."""
    stated = mime.partition(";")[0].strip().lower()
    return next((found for magic, found in _MAGIC if data.lstrip()[:8].startswith(magic)), stated)


def _of_pages(data: bytes, name: Literal["pdf", "docx", "rtf"]) -> Body:
    """By the reader of files of the format, whose engine is loaded only where there is such a body."""
    if name == "pdf":
        from chartcite.readers.pdf import read_pdf  # noqa: PLC0415

        return read_pdf(data)
    if name == "rtf":
        from chartcite.readers.rtf import read_rtf  # noqa: PLC0415

        rtf = read_rtf(data)
        return Body(rtf.text, "application/rtf", problems=rtf.problems, units=rtf.units)
    from chartcite.readers.docx import read_docx  # noqa: PLC0415

    docx = read_docx(io.BytesIO(data))
    return Body(docx.text, "docx", problems=docx.problems, units=docx.units)
