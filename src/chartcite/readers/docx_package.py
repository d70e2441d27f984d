"""The ZIP around a DOCX: its parts by name, within bounds; nothing is unpacked to disk, no link outside is followed."""

from __future__ import annotations

import posixpath
import struct
import xml.etree.ElementTree as ET
import zipfile
import zlib
from typing import BinaryIO

from chartcite.core.errors import CorruptSource, EncryptedSource, LimitExceeded, UnsupportedFormat
from chartcite.readers.archive import MAX_RATIO, check_directory
from chartcite.readers.xml_tree import parse_xml

MAX_PART_BYTES = 64 << 20
_RATIO_FROM_BYTES = 4 << 20
_OLE = b"\xd0\xcf\x11\xe0"
_PACKED = "EncryptedPackage".encode("utf-16-le")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_MAIN = "/officeDocument"


def attr(node: ET.Element | None, name: str) -> str:
    """An attribute whatever its prefix; empty without it, or without the element."""
    if node is None:
        return ""
    return next((value for key, value in node.attrib.items() if key.rpartition(":")[2] == name), "")


class Package:
    """The parts of a DOCX.

    Raises:
        EncryptedSource: a password is needed.
        UnsupportedFormat: it is another kind of office file.
        CorruptSource: it is none, or damaged.
        LimitExceeded: it holds too much.
    """

    def __init__(self, stream: BinaryIO) -> None:
        start = stream.read(4)
        if start == _OLE:
            stream.seek(0)
            if _PACKED in stream.read(MAX_PART_BYTES):
                raise EncryptedSource("a password is needed to open this document", "save it without password")
            raise UnsupportedFormat("a document of the old Word format (DOC) is not read", "save it as DOCX")
        if start[:2] != b"PK":
            raise CorruptSource("the file is not a DOCX, whatever its name says")
        check_directory(stream)
        try:
            self._zip = zipfile.ZipFile(stream)
        except (zipfile.BadZipFile, struct.error, NotImplementedError, ValueError) as error:
            raise CorruptSource("the ZIP is damaged; its list of members cannot be read") from error
        self._names: dict[str, zipfile.ZipInfo] = {}
        for info in self._zip.infolist():
            name = info.filename.replace("\\", "/").lstrip("/").lower()
            if name in self._names:
                raise CorruptSource("the document has two parts of one name", "save it again")
            self._names[name] = info

    def part(self, name: str) -> ET.Element | None:
        """A part's root; None where there is no such part.

        Raises:
            CorruptSource: damaged, or with a document type definition.
        """
        data = self.data(name)
        return parse_xml(data) if data is not None else None

    def data(self, name: str) -> bytes | None:
        """A part's bytes."""
        info = self._names.get(name.lstrip("/").lower())
        if info is None:
            return None
        if info.flag_bits & 0x1:
            raise EncryptedSource("a password is needed to open this document", "save it without password")
        if info.compress_type not in _METHODS:
            raise CorruptSource("a part of the document is packed with a method that is not read", "save it again")
        limit = max(_RATIO_FROM_BYTES, info.compress_size * MAX_RATIO)
        if info.file_size > min(limit, MAX_PART_BYTES):
            raise LimitExceeded("a part of the document is out of proportion", "save it again, or split it")
        try:
            with self._zip.open(info) as source:
                data = source.read(min(limit, MAX_PART_BYTES) + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, NotImplementedError, ValueError) as error:
            raise CorruptSource("a part of the document is damaged", "save it again") from error
        if len(data) > min(limit, MAX_PART_BYTES):
            raise LimitExceeded("a part of the document is out of proportion", "save it again, or split it")
        return data

    def main(self) -> str:
        """The name of the part that holds the text."""
        for kind, target in self.relations("").values():
            if kind.endswith(_MAIN):
                return target
        return "word/document.xml"

    def relations(self, part: str) -> dict[str, tuple[str, str]]:
        """Of a part: id -> (kind, the other part's name); those that lead outside are left away."""
        folder, base = posixpath.split(part)
        root = self.part(posixpath.join(folder, "_rels", f"{base}.rels"))
        found: dict[str, tuple[str, str]] = {}
        for node in root if root is not None else ():
            if node.get("TargetMode") != "External":
                target = node.get("Target", "")
                inside = target if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
                found[node.get("Id", "")] = node.get("Type", ""), inside.lstrip("/")
        return found
