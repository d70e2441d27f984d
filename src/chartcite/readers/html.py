"""HTML: one document a file, of what a reader of the page sees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from chartcite.core.documents import Document, Provenance
from chartcite.core.errors import CorruptSource, EmptySource, UnsupportedFormat
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.bytes_in import bare_suffix, read_all
from chartcite.readers.decoding import Charset, decode
from chartcite.readers.html_text import read_page
from chartcite.readers.left_out import left_out
from chartcite.readers.naming import parse_file_name

MAX_BYTES = 64 << 20
_SUFFIXES = frozenset((".html", ".htm", ".xhtml", ".xht"))
_BEGINS = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*(?:<!doctype\s+html|<html[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_META = re.compile(rb"<(?:meta[^>]{0,200}charset|\?xml[^>]{0,100}encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_HEAD_BYTES = 4096
_WESTERN = frozenset(("iso-8859-1", "iso8859-1", "latin1", "latin-1", "ascii", "us-ascii"))
_LANG = re.compile(r"[a-zA-Z]{2,3}(?:-[A-Za-z0-9]{2,8})*", re.ASCII)


class HtmlReader:
    """One document a file; gzip is looked through."""

    name = "html"
    hostile = True

    def accepts(self, path: Path, head: bytes) -> bool:
        """By suffix, or by how it begins."""
        return bare_suffix(path) in _SUFFIXES or _BEGINS.match(head.replace(b"\0", b"")) is not None

    def read(self, path: Path, name: str, sha256: str, options: ReadOptions) -> Iterator[Found | Problem]:
        """Yield the document, then what of the page was left out.

        Raises:
            EmptySource: nothing on the page can be seen.
            UnsupportedFormat: binary data.
            LimitExceeded: over 64 MiB, or a table without end.
        """
        data = read_all(path, MAX_BYTES, "export it in several pages")
        source, charset = decode_html(data, options.encoding)
        page = read_page(source)
        if not page.text.strip():
            raise EmptySource("nothing on the page can be seen")
        named = parse_file_name(name)
        document = Document(
            doc_id=name,
            text=page.text,
            source=Provenance(name, sha256, f"html; charset={charset.name}"),
            title=page.title or named.note_type or named.stem,
            note_type=named.note_type,
            time=named.time,
            author=page.author,
            lang=page.lang if _LANG.fullmatch(page.lang) else "",
            units=page.units,
        )
        yield Found(document, patient_id=None)
        yield from (Problem(name, error, skipped=True) for error in left_out(page.left_out))


def decode_html(data: bytes, declared: str = "") -> tuple[str, Charset]:
    """The source in the character set that is declared, else in the one it names, else in the one found.

    A label that is wrong or unknown must not cost the page: a byte-order mark is believed before it, so is text that
    can only be UTF-8, and `iso-8859-1` means Windows-1252, as in browsers.

    Raises:
        UnsupportedFormat: binary data.
    """
    found = decode(data) if data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[:3] == b"\xef\xbb\xbf" else None
    said = _META.search(data[:_HEAD_BYTES])
    for label in (declared, said[1].decode("ascii") if said else ""):
        if label and found is None:
            try:
                found = decode(data, "windows-1252" if label.lower() in _WESTERN else label)
            except (CorruptSource, UnsupportedFormat):
                continue
            if found[1].name == "windows-1252" and not data.isascii():
                found = decode(data)  # finds UTF-8 where it can be nothing else, and what a wrong label hides
    return found or decode(data)


READER = HtmlReader()
