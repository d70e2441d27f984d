"""The entry of the room: which reader understands a source, and reading it with every failure named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from chartcite.core.errors import EmptySource, LimitExceeded, ReadError, UnsupportedFormat
from chartcite.core.reading import Found, Problem, Reader, ReadOptions
from chartcite.readers.archive import MAX_DEPTH, is_archive, members
from chartcite.readers.bytes_in import bare_suffix, named_errors, read_head, sha256_of
from chartcite.readers.stated_names import with_names
from chartcite.readers.xml_tree import refuse_doctype

if TYPE_CHECKING:
    from chartcite.readers.sandbox import Sandbox

_BY_ROOT = {"archehr": (b"annotations",), "ccda": (b"ClinicalDocument",), "jats": (b"article", b"PubmedArticle")}
"""Asked before suffixes are looked at: what knows its own root element in XML, once its name is seen."""
_NAMES_DOCTYPE = frozenset(("jats",))
"""Whose files may name a document type, which is never loaded."""
_BY_START = ("docx", "rtf", "html", "image")
"""Asked next: what is told by its first bytes, whatever it is called."""
_MODULES = ("hl7v2", "mimic", "omop", "fhir", "jsonl", "csv_table", "pdf", "text")
"""In the order asked: what knows its header or its first resource before what goes by suffix, text last."""

KNOWN = (
    "MIMIC and OMOP notes, FHIR R4 (JSON, NDJSON), C-CDA, HL7 v2, JSON Lines, CSV, PDF, images, DOCX, RTF, HTML, "
    "JATS and PubMed XML, plain text and Markdown, and archives"
)

_NOT_YET = {
    ".doc": "DOC", ".odt": "ODT", ".xml": "XML", ".nxml": "XML", ".7z": "7z", ".xlsx": "XLSX",
    ".xls": "XLS", ".pptx": "PPTX", ".parquet": "Parquet", ".dcm": "DICOM", ".eml": "EML", ".msg": "MSG",
    ".gif": "GIF image", ".svg": "SVG image",
}  # fmt: skip
_MAGIC = (
    (b"GIF8", "GIF image"), (b"\xd0\xcf\x11\xe0", "DOC"),
    (b"<?xml", "XML"), (b"BZh", "bzip2"), (b"\xfd7zXZ", "xz"), (b"7z\xbc\xaf", "7z"),
    (b"\x28\xb5\x2f\xfd", "zstd"), (b"\x1f\x8b", "gzip in gzip"), (b"SQLite format 3\0", "SQLite"),
)  # fmt: skip


_ROOTS = frozenset((
    "article", "bundle", "clinicaldocument", "component", "composition", "document", "dataset", "entry", "feed",
    "html", "head", "kml", "book", "mods", "organizer", "patient", "plist", "project", "pubmedarticle",
    "pubmedarticleset", "rdf:rdf", "rss", "section", "soap:envelope", "svg", "table", "tei", "text", "urlset",
    "workbook", "worksheet", "xsl:stylesheet",
))  # fmt: skip
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_FIRST_ELEMENT = re.compile(rb"<([A-Za-z_][\w.:-]{0,60})", re.ASCII)


def reader_for(path: Path, head: bytes) -> Reader:
    """The first reader that accepts the source; `head` is its first 4,096 bytes after gunzip.

    Raises:
        UnsupportedFormat: no reader does; says which formats there are.
    """
    narrow = head.replace(b"\0", b"")
    for module in (module for module, roots in _BY_ROOT.items() if any(root in narrow for root in roots)):
        known = _reader(module)
        if known.accepts(path, head):
            if module not in _NAMES_DOCTYPE:
                refuse_doctype(narrow)
            return known
    for module in _BY_START:
        if _reader(module).accepts(path, head):
            return _reader(module)
    foreign = _NOT_YET.get(bare_suffix(path)) or next((what for magic, what in _MAGIC if head.startswith(magic)), "")
    if foreign.endswith("XML"):
        if b"2.16.840.1.113883.10.20" in narrow:
            raise UnsupportedFormat(
                f"a piece of a C-CDA document{_root(narrow)} is not read: it does not say whose it is",
                "C-CDA is read as whole documents",
            )
        raise UnsupportedFormat(f"XML{_root(narrow)} is not read", f"the formats read are {KNOWN}")
    if foreign:
        raise UnsupportedFormat(f"the format {foreign} is not supported yet", f"the formats read are {KNOWN}")
    for module in _MODULES:
        if _reader(module).accepts(path, head):
            return _reader(module)
    raise UnsupportedFormat("the format is not known", f"the formats read are {KNOWN}")


def _reader(module: str) -> Reader:
    return cast(Reader, import_module(f"chartcite.readers.{module}").READER)


def _root(head: bytes) -> str:
    """Its root element, for a message, if it is a word of a format: any other may be a word of the text."""
    found = _FIRST_ELEMENT.search(_COMMENT.sub(b"", head))
    return f" that begins with `{found[1].decode()}`" if found and found[1].decode().lower() in _ROOTS else ""


def read_source(
    path: Path, name: str, options: ReadOptions | None = None, sandbox: Sandbox | None = None
) -> Iterator[Found | Problem]:
    """Yield the documents of a source and the problems of its records; of an archive those of all its members.

    Args:
        path: the file.
        name: the source's name as ledgers and citations show it; doc_ids of files that hold one document.
        options: column names, encoding, what names say, and limits.
        sandbox: the child process for formats that are parsed apart; None makes one for this source alone.

    Raises:
        ReadError: nothing, or nothing more, can be read from it.
    """
    options = options or ReadOptions()
    with named_errors(), _child(sandbox) as child:
        yield from with_names(_read(path, name, options, child, depth=0), options)


def _read(path: Path, name: str, options: ReadOptions, child: Sandbox, depth: int) -> Iterator[Found | Problem]:
    size = path.stat().st_size
    if not path.is_file():
        raise UnsupportedFormat("this is a folder or a device, not a file")
    if not size:
        raise EmptySource("the file is empty")
    head = read_head(path)
    if not head:
        raise EmptySource("the file is empty once unpacked")
    if bare_suffix(path) not in _NOT_YET and not _reader("docx").accepts(path, head) and is_archive(head):
        yield from _members(path, name, head, options, child, depth)
        return
    reader = reader_for(path, head)
    sha256 = sha256_of(path)
    if reader.hostile:
        yield from child.read(reader, path, name, sha256, options)
    else:
        yield from reader.read(path, name, sha256, options)


def _members(
    path: Path, name: str, head: bytes, options: ReadOptions, child: Sandbox, depth: int
) -> Iterator[Found | Problem]:
    """What is in an archive; a member that fails is a problem, and the next is read."""
    if depth >= MAX_DEPTH:
        raise LimitExceeded(f"archives are nested more than {MAX_DEPTH} deep", "unpack the inner ones")
    for member in members(path, name, head):
        if isinstance(member, Problem):
            yield member
            continue
        try:
            with named_errors():
                yield from _read(member.path, member.name, options, child, depth + 1)
        except ReadError as error:
            yield Problem(member.name, error)


def _child(sandbox: Sandbox | None) -> AbstractContextManager[Sandbox]:
    from chartcite.readers.sandbox import Sandbox  # noqa: PLC0415 - most sources need no child process

    return Sandbox() if sandbox is None else nullcontext(sandbox)
