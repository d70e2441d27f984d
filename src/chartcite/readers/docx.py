"""DOCX: one document a file, of what a reader of its pages sees. Macros are never looked at, nothing is fetched."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from chartcite.core.errors import EmptySource
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.bytes_in import bare_suffix, read_all
from chartcite.readers.docx_body import Body
from chartcite.readers.docx_package import Package
from chartcite.readers.office_pages import OfficePages, office_document
from chartcite.readers.page_text import PageText
from chartcite.readers.xml_tree import text_of

MAX_PACKED_BYTES = 64 << 20
_FIRST = (b"[Content_Types].xml", b"_rels/", b"word/", b"docProps/")
"""What the first part of the package may be."""
SUFFIXES = frozenset((".docx", ".docm", ".dotx", ".dotm"))


class DocxReader:
    """One document a file; gzip is looked through."""

    name = "docx"
    hostile = True

    def accepts(self, path: Path, head: bytes) -> bool:
        """By suffix, or a ZIP that begins as Word writes it."""
        first = head[30 : 30 + int.from_bytes(head[26:28], "little")] if head[:4] == b"PK\x03\x04" else b""
        return bare_suffix(path) in SUFFIXES or (first.startswith(_FIRST) and b"word/document.xml" in head)

    def read(self, path: Path, name: str, sha256: str, options: ReadOptions) -> Iterator[Found | Problem]:  # noqa: ARG002
        """Yield the document, then what of it was left out.

        Raises:
            EncryptedSource: a password is needed.
            UnsupportedFormat: another kind of office file.
            CorruptSource: none, or damaged.
            EmptySource: there is no text in it.
            LimitExceeded: a part is out of proportion.
        """
        with path.open("rb") as stream:
            if stream.read(2) == b"\x1f\x8b":
                made = read_docx(io.BytesIO(read_all(path, MAX_PACKED_BYTES, "save it without pictures")))
            else:
                stream.seek(0)
                made = read_docx(stream)
        yield Found(office_document(made, name, sha256, "docx"), patient_id=None)
        yield from (Problem(name, error, skipped=True) for error in made.problems)


def read_docx(stream: BinaryIO) -> OfficePages:
    """The pages of a DOCX.

    Raises:
        ReadError: as for a file.
    """
    package = Package(stream)
    body, page = Body(package), PageText()
    page.put(body.pieces())
    page.left_out = body.left_out
    if not page.has_body:
        raise EmptySource("there is no text in it that can be seen")
    core = package.part("docProps/core.xml")
    title, author, created = ("", "", "")
    if core is not None:
        title, author, created = (text_of(core.find(tag)) for tag in ("title", "creator", "created"))
    return OfficePages(page.text, tuple(page.units), title, author, created[:20], tuple(page.asides()))


READER = DocxReader()
