"""What readers hand over: a document for a partition, or a problem with one record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from chartcite.core.documents import Document
from chartcite.core.errors import ChartciteError
from chartcite.core.identity import Person
from chartcite.core.time import When


@dataclass(frozen=True, slots=True)
class Found:
    """A document and the patient its source names (None: the source names none).

    `person` is who that patient is, as far as the source says it, to be compared with what others say.
    """

    document: Document
    patient_id: str | None
    person: Person | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """One record that could not be used: a line of the ledger, never the end of the batch.

    `skipped` marks what is left out on purpose (an image, a resource without text) rather than broken.
    """

    where: str
    error: ChartciteError
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class Stated:
    """What the user says of one file; empty where nothing is said."""

    patient_id: str = ""
    encounter_id: str = ""
    time: When | None = None
    note_type: str = ""
    title: str = ""
    author: str = ""


@dataclass(frozen=True, slots=True)
class Working:
    """What the sandbox's child says before a page that may take long: a sign of life, never a result."""


@dataclass(frozen=True, slots=True)
class PagePicture:
    """One page of a file as it is shown: a PNG of so many pixels, and how many pages there are."""

    png: bytes
    width: int
    height: int
    pages: int


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read. `columns` maps our names (`doc_id, patient_id, time, note_type, text, ...`) to the source's.

    `name_pattern` says what files' names mean (`{patient}_{date}_{type}.txt`); `files` what is known of some, by the
    source's name. `ocr` is the module of the engine that reads pages without text, empty for none; a page may take
    `ocr_seconds`, a file has at most `ocr_pages` of them. `page` is the one that is drawn where a
    picture is asked for, not text.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    encoding: str = ""
    name_pattern: str = ""
    files: Mapping[str, Stated] = field(default_factory=dict)
    max_seconds: float = 20.0
    max_bytes_memory: int = 512 * 1024 * 1024
    ocr: str = ""
    ocr_seconds: float = 60.0
    ocr_pages: int = 200
    page: int = 1


class Reader(Protocol):
    """A format. One file in `readers/`; the file's name is the format's name."""

    name: str
    hostile: bool  # parsed in a child process with limits

    def accepts(self, path: Path, head: bytes) -> bool:
        """Whether this reader understands the file; `head` is its first 4,096 bytes (after gunzip)."""
        ...

    def read(self, path: Path, name: str, sha256: str, options: ReadOptions) -> Iterator[Found | Problem]:
        """Yield documents and problems one by one; memory does not grow with the file where the format allows.

        `name` is the source's name as ledgers and citations show it. Raises `ReadError` when nothing can be read.
        """
        ...
