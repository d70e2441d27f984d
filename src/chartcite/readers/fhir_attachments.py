"""FHIR attachments to text: inline base64 or a Binary; text or HTML in any character set, pages in the child."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import Literal

from chartcite.core.errors import CorruptSource, EmptySource, ReadError, UnsupportedFormat
from chartcite.readers.decoding import Charset, decode
from chartcite.readers.embedded import PAGES, Body, kind_of
from chartcite.readers.fhir_access import Node
from chartcite.readers.html import decode_html
from chartcite.readers.html_text import read_page
from chartcite.readers.left_out import left_out

_PLAIN = ("text/plain", "text/markdown", "text/x-markdown", "")
_HTML = ("text/html", "application/xhtml+xml")
_MIME = re.compile(r"[a-z]+/[\w.+-]{1,80}", re.ASCII)
_CHARSET = re.compile(r"charset\s*=\s*[\"']?(?P<label>[\w.:-]+)", re.IGNORECASE)


_RANK = {"docx": 5, "rtf": 6, "pdf": 7}

FindBinary = Callable[[str], Node]
ReadPages = Callable[[bytes, Literal["pdf", "docx", "rtf"]], Body]


def best_text(attachments: list[Node], find_binary: FindBinary, read_pages: ReadPages) -> Body:
    """The text of the plainest readable attachment; they are renderings of one document.

    Raises:
        ReadError: none is readable; the reason of the first that is broken, else of the first.
    """
    errors: list[ReadError] = []
    for attachment in sorted(attachments, key=_rank):
        try:
            return _text(attachment, find_binary, read_pages)
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
    return _PLAIN.index(mime) if mime in _PLAIN else 4 if mime in _HTML else _RANK.get(PAGES.get(mime, ""), 8)


def _text(attachment: Node, find_binary: FindBinary, read_pages: ReadPages) -> Body:
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
    mime = _mime(content_type)
    name = PAGES.get(kind_of(raw, mime) if mime not in _HTML else mime)
    if name is not None:
        return read_pages(raw, name)
    return _of_html(raw, content_type) if mime in _HTML else _of_text(raw, content_type)


def _of_text(raw: bytes, content_type: str) -> Body:
    text, charset = _decode(raw, _declared(content_type))
    if not text.strip():
        raise EmptySource("the attachment holds no text")
    return Body(text, f"{_mime(content_type) or 'text/plain'}; charset={charset.name}")


def _of_html(raw: bytes, content_type: str) -> Body:
    source, charset = decode_html(raw, _declared(content_type))
    page = read_page(source)
    if not page.text.strip():
        raise EmptySource("the attachment holds no text")
    said = f"{_mime(content_type)}; charset={charset.name}"
    return Body(page.text, said, problems=tuple(left_out(page.left_out)), units=page.units)


def _check_supported(content_type: str) -> None:
    mime = _mime(content_type)
    if mime not in _PLAIN and mime not in _HTML and mime not in PAGES:
        shown = mime if _MIME.fullmatch(mime) else "unknown"
        raise UnsupportedFormat(f"format of the attachment not supported yet ({shown})")


def _mime(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def _unbase64(data: str, path: str) -> bytes:
    try:
        return base64.b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise CorruptSource(f"{path}.data is not base64" if path else "the Binary's data are not base64") from error


def _declared(content_type: str) -> str:
    found = _CHARSET.search(content_type)
    return found["label"] if found else ""


def _decode(raw: bytes, declared: str) -> tuple[str, Charset]:
    """What is declared is tried first; a label that is wrong or unknown must not cost the note."""
    if declared:
        try:
            return decode(raw, declared)
        except (CorruptSource, UnsupportedFormat):
            pass
    return decode(raw)
