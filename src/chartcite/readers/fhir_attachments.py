"""FHIR attachments to text: inline base64 or a Binary; plain text or HTML in any character set, PDF in the child."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable

from chartcite.core.errors import CorruptSource, EmptySource, ReadError, UnsupportedFormat
from chartcite.readers.decoding import Charset, decode
from chartcite.readers.embedded import Body
from chartcite.readers.fhir_access import Node
from chartcite.readers.html_text import html_to_text

_PLAIN = ("text/plain", "text/markdown", "text/x-markdown", "")
_HTML = ("text/html", "application/xhtml+xml")
_PDF = "application/pdf"
_MIME = re.compile(r"[a-z]+/[\w.+-]{1,80}", re.ASCII)
_CHARSET = re.compile(r"charset\s*=\s*[\"']?(?P<label>[\w.:-]+)", re.IGNORECASE)
_META = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?(?P<label>[\w.:-]+)", re.IGNORECASE)


FindBinary = Callable[[str], Node]
ReadPdf = Callable[[bytes], Body]


def best_text(attachments: list[Node], find_binary: FindBinary, read_pdf: ReadPdf) -> Body:
    """The text of the plainest readable attachment; they are renderings of one document.

    Raises:
        ReadError: none is readable; the reason of the first that is broken, else of the first.
    """
    errors: list[ReadError] = []
    for attachment in sorted(attachments, key=_rank):
        try:
            return _text(attachment, find_binary, read_pdf)
        except ReadError as error:
            errors.append(error)
    if not errors:
        raise EmptySource("the resource has no attachment")
    raise next((error for error in errors if isinstance(error, CorruptSource)), errors[0])


def _rank(attachment: Node) -> int:
    try:
        mime = _mime(attachment.text("contentType"))
    except CorruptSource:
        return 3
    return _PLAIN.index(mime) if mime in _PLAIN else 4 + (mime not in _HTML) + (mime not in _HTML and mime != _PDF)


def _text(attachment: Node, find_binary: FindBinary, read_pdf: ReadPdf) -> Body:
    content_type, holder = attachment.text("contentType"), attachment
    data, url = attachment.text("data"), attachment.text("url")
    if content_type:
        _check_supported(content_type)
    if not data and url:
        holder = find_binary(url)
        content_type, data = holder.text("contentType") or content_type, holder.text("data")
        _check_supported(content_type)
    if not data:
        raise EmptySource("the attachment holds no data")
    raw = _unbase64(data, holder.path)
    if _mime(content_type) == _PDF:
        return read_pdf(raw)
    html = _mime(content_type) in _HTML
    text, charset = _decode(raw, _declared(content_type, raw if html else b""))
    text = html_to_text(text) if html else text
    if not text.strip():
        raise EmptySource("the attachment holds no text")
    return Body(text, f"{_mime(content_type) or 'text/plain'}; charset={charset.name}")


def _check_supported(content_type: str) -> None:
    mime = _mime(content_type)
    if mime not in _PLAIN and mime not in _HTML and mime != _PDF:
        shown = mime if _MIME.fullmatch(mime) else "unknown"
        raise UnsupportedFormat(f"format of the attachment not supported yet ({shown})")


def _mime(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def _unbase64(data: str, path: str) -> bytes:
    try:
        return base64.b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise CorruptSource(f"{path}.data is not base64" if path else "the Binary's data are not base64") from error


def _declared(content_type: str, html: bytes) -> str:
    if found := _CHARSET.search(content_type):
        return found["label"]
    meta = _META.search(html[:1024])
    return meta["label"].decode("ascii") if meta else ""


def _decode(raw: bytes, declared: str) -> tuple[str, Charset]:
    """What is declared is tried first; a label that is wrong or unknown must not cost the note."""
    if declared:
        try:
            return decode(raw, declared)
        except (CorruptSource, UnsupportedFormat):
            pass
    return decode(raw)
