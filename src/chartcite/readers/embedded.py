"""A body inside another format, in base64 or plain: its text, where there is a reader for it.

Runs where hostile bytes are parsed: in the child process.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field

from chartcite.core.documents import Span
from chartcite.core.errors import CorruptSource, EmptySource, ReadError, UnsupportedFormat
from chartcite.core.layout import WordBoxes
from chartcite.readers.decoding import decode
from chartcite.readers.html_text import html_to_text

_PLAIN = frozenset(("", "text/plain", "text/markdown", "text", "plain", "text/txt"))
_HTML = frozenset(("text/html", "application/xhtml+xml", "html"))
_PDF = frozenset(("application/pdf", "pdf"))
_NAMES = {
    "text/rtf": "RTF", "application/rtf": "RTF", "rtf": "RTF", "application/msword": "DOC", "text/xml": "XML",
    "application/xml": "XML", "image/jpeg": "JPEG image", "image/png": "PNG image", "image/tiff": "TIFF image",
    "image/gif": "GIF image", "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "DOCX",
}  # fmt: skip
_MIME = re.compile(r"[\w.+-]{1,60}(?:/[\w.+-]{1,80})?", re.ASCII)
_MAGIC = ((b"%PDF-", "application/pdf"), (b"{\\rtf", "text/rtf"))


@dataclass(frozen=True, slots=True)
class Body:
    """Text with, for a PDF, its pages, what cannot be seen, and where words stand; `problems` are of pages left out."""

    text: str
    format: str
    pages: tuple[int, ...] = ()
    hidden: tuple[Span, ...] = ()
    problems: tuple[ReadError, ...] = ()
    words: WordBoxes = field(default_factory=WordBoxes, repr=False)
    running: tuple[Span, ...] = ()


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
        ReadError: whatever a PDF's reader says.
    """
    kind = mime.partition(";")[0].strip().lower()
    kind = next((found for magic, found in _MAGIC if data.lstrip()[:8].startswith(magic)), kind)
    if kind in _PDF:
        from chartcite.readers.pdf import read_pdf  # noqa: PLC0415 - the engine only where there is a PDF

        return read_pdf(data)
    if kind not in _PLAIN and kind not in _HTML:
        shown = _NAMES.get(kind, kind if _MIME.fullmatch(kind) else "unknown")
        raise UnsupportedFormat(f"an embedded body is in a format that is not read ({shown})")
    text, charset = decode(data)
    text = html_to_text(text) if kind in _HTML else text
    if not text.strip():
        raise EmptySource("an embedded body holds no text")
    return Body(text, f"{'text/html' if kind in _HTML else 'text/plain'}; charset={charset.name}")
