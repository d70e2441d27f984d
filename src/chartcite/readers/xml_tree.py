"""XML to an element tree, with everything off that makes XML dangerous.

A document type definition is refused where it begins, so no entity is ever declared, expanded or fetched. Formats whose
files name a public one by rule (JATS, PubMed, XHTML) may: it is never loaded, one with declarations of its own is
refused all the same, and only the character entities of HTML are known. Names lose their namespace prefix:
`sdtc:raceCode` and `raceCode` are one, and a prefix that nobody declared is no error. Runs in the child process; expat
does the parsing.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html.entities import html5
from typing import NoReturn
from xml.parsers import expat

from chartcite.core.errors import CorruptSource, LimitExceeded

MAX_DEPTH = 200
MAX_ELEMENTS = 2_000_000


def refuse_doctype(head: bytes) -> None:
    """Refuse a file whose first bytes hold a document type definition, before a child process is started for it.

    Raises:
        CorruptSource: they do.
    """
    if b"<!DOCTYPE" in head:
        _refuse()


def parse_xml(data: bytes, *, names_doctype: bool = False) -> ET.Element:
    """The root element; attribute names keep their prefix.

    Args:
        data: the file.
        names_doctype: whether a DOCTYPE may stand there that names a public one and declares nothing itself.

    Raises:
        CorruptSource: not well-formed, in a character set that expat cannot read, or with a DTD.
        LimitExceeded: nested more than 200 deep, or more than two million elements.
    """
    builder = _Builder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.tree.data
    parser.StartDoctypeDeclHandler = _refuse_declarations if names_doctype else _refuse
    if names_doctype:
        parser.SkippedEntityHandler = builder.entity
    try:
        parser.Parse(data, True)
        return builder.tree.close()
    except expat.ExpatError as error:
        raise CorruptSource(f"the file is not well-formed XML (line {error.lineno:,})", "export it again") from None
    except (AssertionError, LookupError, ValueError):
        raise CorruptSource("the file is not well-formed XML", "export it again") from None


class _Builder:
    def __init__(self) -> None:
        self.tree = ET.TreeBuilder()
        self._depth = 0
        self._count = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._count += 1
        if self._depth > MAX_DEPTH:
            raise LimitExceeded(f"the XML is nested more than {MAX_DEPTH} deep")
        if self._count > MAX_ELEMENTS:
            raise LimitExceeded(f"the XML has more than {MAX_ELEMENTS:,} elements")
        self.tree.start(name.rpartition(":")[2], attributes)

    def entity(self, name: str, is_parameter: bool) -> None:
        """A character by its name, as the definition that is not loaded would give it."""
        character = "" if is_parameter else html5.get(f"{name};", "")
        if not character:
            raise CorruptSource(
                "the XML uses an entity that is declared nowhere", "export it without DOCTYPE and entities"
            )
        self.tree.data(character)

    def end(self, name: str) -> None:
        self._depth -= 1
        self.tree.end(name.rpartition(":")[2])


def _refuse(*_: object) -> NoReturn:
    raise CorruptSource(
        "the XML has a document type definition, which is not read", "export it without DOCTYPE and entities"
    )


def _refuse_declarations(name: str, system: str | None, public: str | None, has_declarations: int) -> None:  # noqa: ARG001
    if has_declarations:
        _refuse()


def text_of(node: ET.Element | None) -> str:
    """All text inside on one line; empty for None."""
    return " ".join("".join(node.itertext()).split()) if node is not None else ""


def at(node: ET.Element | None, path: str) -> ET.Element | None:
    """The first element at a path below a node that may be missing."""
    return node.find(path) if node is not None else None


def attribute(node: ET.Element | None, path: str, name: str) -> str:
    """An attribute of the first element at a path; empty when either is missing."""
    found = node if not path else at(node, path)
    return (found.get(name) or "").strip() if found is not None else ""


def each(node: ET.Element | None, path: str) -> Iterator[ET.Element]:
    """All elements at a path."""
    yield from node.iterfind(path) if node is not None else ()
