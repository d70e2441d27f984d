"""Document: the canonical text of one note, report, letter or article, with where it came from."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from chartcite.core.layout import PageBox, WordBoxes
from chartcite.core.time import When

Status = Literal["current", "preliminary", "amended", "superseded", "entered-in-error"]


class Span(NamedTuple):
    """Half-open `[start, end)` in code points of `Document.text`: `text[start:end]` is the quote."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a document came from. `name` is a path or resource id, `sha256` that of the source's bytes."""

    name: str
    sha256: str
    format: str


@dataclass(frozen=True, slots=True)
class Bibliography:
    """What a citation of literature shows, only as its source states it; empty where it does not.

    `doi` has no resolver in front, `pmid` is digits, `url` is http or https.
    """

    authors: tuple[str, ...] = ()
    year: str = ""
    doi: str = ""
    pmid: str = ""
    url: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The schema's form; null for what the source does not state."""
        return {
            "authors": list(self.authors), "year": self.year or None, "doi": self.doi or None,
            "pmid": self.pmid or None, "url": self.url or None,
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Canonical text: only a byte-order mark is dropped, no normalisation form is applied.

    Attributes:
        doc_id: stable across re-ingest of the same source, unique in its partition.
        time: when the document was written, as precise as the source.
        pages: offset at which each page starts (`pages[0] == 0`); empty when the source has no pages.
        hidden: spans that a reader of the page cannot see; never evidence.
        lang: BCP 47, empty when unknown.
        running: headers, footers and numbers that run through the pages, after the text of the last: no evidence.
        words: where words stand on their pages; empty when the source does not say.
        units: the sentences as the source itself counts them, in order, apart from each other; empty: ours are made.
    """

    doc_id: str
    text: str
    source: Provenance
    title: str = ""
    note_type: str = ""
    time: When | None = None
    author: str = ""
    lang: str = ""
    status: Status = "current"
    replaces: tuple[str, ...] = ()
    encounter_id: str = ""
    pages: tuple[int, ...] = ()
    hidden: tuple[Span, ...] = ()
    units: tuple[Span, ...] = ()
    bibliography: Bibliography = field(default_factory=Bibliography)
    running: tuple[Span, ...] = ()
    words: WordBoxes = field(default_factory=WordBoxes, repr=False)

    def page_at(self, offset: int) -> int | None:
        """The page, counted from 1, that holds a character; None without pages."""
        return bisect_right(self.pages, offset) if self.pages else None

    def boxes_of(self, start: int, end: int) -> tuple[PageBox, ...]:
        """What to mark on the pages for a slice of the text, a box a line; empty without places."""
        return self.words.boxes_of(start, end)


SentenceKind = Literal["sentence", "header", "item", "row", "stated"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """The unit of citation: a slice of the text. `n` counts from 1 in its document.

    `section` is the path of headers above it, outermost first, without trailing colon. A `header` is a unit too,
    so that every character that is not white space belongs to exactly one sentence. `stated`: the source's own unit.
    """

    n: int
    start: int
    end: int
    kind: SentenceKind = "sentence"
    section: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """The unit of retrieval, made by a named splitter. `n` counts from 1 in its document."""

    n: int
    start: int
    end: int


def text_sha256(text: str) -> str:
    """The hash that citations carry: SHA-256 of the text in UTF-8, half surrogate pairs as they are."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
