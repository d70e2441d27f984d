"""FHIR sources to resources: a bundle or resource in one JSON value, or one resource a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from chartcite.core.errors import CorruptSource, ReadError, UnsupportedFormat
from chartcite.readers.apart import Apart
from chartcite.readers.bytes_in import bare_suffix, open_maybe_gzip, read_all
from chartcite.readers.decoding import decode
from chartcite.readers.fhir_access import Node, WrittenNumber, node_of
from chartcite.readers.fhir_beside import Beside
from chartcite.readers.fhir_references import References
from chartcite.readers.json_lines import json_lines, parse_object

MAX_BUNDLE_BYTES = 256 << 20
LINE_SUFFIXES = frozenset({".ndjson", ".jsonl"})
_FIRST_LINE_BYTES = 16 << 20
_MAX_NESTING = 4
_RESOURCE = re.compile(rb'(?<!\\)"resourceType"\s*:\s*"[A-Z]')


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource, its number in the source, and what is known of the others."""

    number: int
    node: Node
    references: References


@dataclass(frozen=True, slots=True)
class Broken:
    """A line or entry that is no resource."""

    number: int
    error: ReadError


def looks_like_fhir(path: Path, head: bytes) -> bool:
    """`.json` that holds an object; lines, or files of other names, only when a resource shows early."""
    suffix = bare_suffix(path)
    if suffix in LINE_SUFFIXES:
        return bool(_RESOURCE.search(head)) or (b"\n" not in head.strip() and _first_line_is_resource(path))
    begins = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return begins == b"{" and (suffix == ".json" or bool(_RESOURCE.search(head)))


def resources_of(path: Path, declared: str = "", apart: Apart | None = None) -> Iterator[Resource | Broken]:
    """Yield every resource of the source in its order; lines are streamed.

    Raises:
        CorruptSource: a file that is one JSON value and is broken.
        UnsupportedFormat: JSON, but no resource.
        LimitExceeded: one JSON value of more than 256 MiB.
    """
    if _is_lines(path):
        yield from _from_lines(path, declared, apart)
        return
    data = read_all(path, MAX_BUNDLE_BYTES, "export it as NDJSON, which is read line by line")
    text, _ = decode(data, declared)
    del data
    try:
        value = json.loads(text, parse_float=WrittenNumber, parse_constant=str)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":  # one resource a line, under the name of a bundle
            yield from _from_lines(path, declared, apart)
            return
        raise CorruptSource(f"not valid JSON (line {error.lineno:,}, column {error.colno:,})") from error
    except ValueError as error:  # a number of 5,000 digits
        raise CorruptSource("not usable JSON") from error
    if not isinstance(value, dict) or not isinstance(value.get("resourceType"), str):
        raise UnsupportedFormat("JSON, but not a FHIR resource", "notes in JSON are read as JSON Lines, one a line")
    yield from _unfold(1, Node(value), Beside(path), apart)


def _first_line_is_resource(path: Path) -> bool:
    """For a first line longer than the head, with `resourceType` behind the attachment."""
    with open_maybe_gzip(path) as stream:
        return bool(_RESOURCE.search(stream.readline(_FIRST_LINE_BYTES)))


def _is_lines(path: Path) -> bool:
    """By suffix, unless the first line shows an object printed over many lines."""
    if bare_suffix(path) not in LINE_SUFFIXES:
        return False
    with open_maybe_gzip(path) as stream:
        return stream.readline(_FIRST_LINE_BYTES).strip() != b"{"


def _from_lines(path: Path, declared: str, apart: Apart | None) -> Iterator[Resource | Broken]:
    """Resources one by one; an Encounter is known to the notes that follow it."""
    beside = Beside(path)
    references = References(beside=beside, apart=apart)
    for number, line in json_lines(path, declared):
        try:
            node = Node(parse_object(line, declared, WrittenNumber)[0])
        except ReadError as error:
            yield Broken(number, error)
            continue
        if node.value.get("resourceType") == "Bundle":
            yield from _unfold(number, node, beside, apart)
        else:
            references.learn(node)
            yield Resource(number, node, references)


def _unfold(number: int, node: Node, beside: Beside, apart: Apart | None) -> Iterator[Resource | Broken]:
    """A bundle's resources, numbered from 1, with all of them known to each; or the one resource itself."""
    references = References(beside=beside, apart=apart)
    if node.value.get("resourceType") != "Bundle":
        references.learn(node)
        yield Resource(number, node, references)
        return
    entries = list(_entries(node, _MAX_NESTING))
    for entry in entries:
        if isinstance(entry, tuple):
            references.learn(entry[0], entry[1], keep_binaries=True)
    for position, entry in enumerate(entries, start=1):
        if isinstance(entry, tuple):
            yield Resource(position, entry[0], references)
        else:
            yield Broken(position, entry)


def _entries(bundle: Node, depth: int) -> Iterator[tuple[Node, str] | ReadError]:
    entries = bundle.value.get("entry")
    if entries is None:
        return
    if not isinstance(entries, list) or not depth:
        yield CorruptSource("the bundle's entry is not a list" if depth else "bundles are nested too deeply")
        return
    for n, entry in enumerate(entries):
        try:
            outer = node_of(entry, f"entry[{n}]")
            resource, url = outer.node("resource"), outer.text("fullUrl")
        except CorruptSource as error:
            yield error
            continue
        if resource.value.get("resourceType") == "Bundle":
            yield from _entries(resource, depth - 1)
        elif resource:  # an entry may hold a request only
            yield Node(resource.value), url
