"""What goes into the store and what comes out of it: plain rows and arrays, whatever the engine behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from chartcite.core.documents import Bibliography, Document, Passage, Sentence
from chartcite.core.scope import Scope
from chartcite.core.time import When

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chartcite.core.neural import EncodedPassage


@dataclass(frozen=True, slots=True)
class Recipe:
    """How derived rows were made: names with version or hash. Sets of different recipes coexist in a store.

    `sparse` is empty without a sparse encoder. Then nothing shows it: what was written before there were any, with the
    marks of the sources that were read, stays valid.
    """

    splitter: str
    analyser: str
    encoder: str
    sparse: str = field(default="", repr=False)

    def to_dict(self) -> dict[str, str]:
        """For `config show`, manifests and the answer's configuration hash."""
        names = {"splitter": self.splitter, "analyser": self.analyser, "encoder": self.encoder}
        return {**names, "sparse": self.sparse} if self.sparse else names

    @property
    def arrays_name(self) -> str:
        """Names packs and search files, which hold no sparse weights."""
        return "\n".join((self.splitter, self.analyser, self.encoder))


@dataclass(frozen=True, slots=True)
class DerivedText:
    """One distinct passage text: its SHA-256 and, unless the partition has them already, term counts and vectors.

    `sparse`: the terms of a sparse encoder as the store names them, with their weights in steps (`index/sparse.py`).
    """

    sha256: bytes
    term_counts: Mapping[str, int] | None
    encoded: EncodedPassage | None
    sparse: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document with all that is derived from it, ready to be committed in one transaction.

    `texts[i]` belongs to `passages[i]`; `origin` is the absolute path of a file that is itself the document (its
    doc_id is only as unique as the path), empty for records that carry an identifier of their own.
    """

    document: Document
    fingerprint: str
    sentences: Sequence[Sentence]
    passages: Sequence[Passage]
    texts: Sequence[DerivedText]
    origin: str = ""


Outcome = Literal["added", "updated", "unchanged", "repeated", "clash"]


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document without its text.

    `key` is the store's own number, valid while the store is open; `sort_key` that of `time`, empty without one.
    """

    key: int
    doc_id: str
    title: str
    note_type: str
    time: When | None
    sort_key: str
    status: str
    sha256: str
    encounter_id: str = ""


@dataclass(frozen=True, slots=True)
class Postings:
    """Which rows hold which term, grouped by term, so that a query touches only the postings of its own terms.

    Attributes:
        terms: int64 [n_terms], term numbers, ascending.
        starts: int64 [n_terms + 1]; postings of `terms[i]` are `[starts[i], starts[i + 1])`.
        rows: int32 [n_postings], ascending within a term.
        counts: uint16 [n_postings], how often the term occurs in the row's text.
    """

    terms: NDArray[np.int64]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    counts: NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class TextArrays:
    """Distinct passage texts of some documents under one recipe, a row each.

    Attributes:
        keys: int64 [n_rows], the store's number of each text.
        vectors: float32 [n_rows, dims].
        postings: over the rows.
        lengths: int32 [n_rows], number of terms of each text, repeats counted.
        places: int64 [n_places, 4], (row, document key, start, end) in the order of the record: by document time,
            doc_id and place.
    """

    keys: NDArray[np.int64]
    vectors: NDArray[np.float32]
    postings: Postings
    lengths: NDArray[np.int32]
    places: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PassageArrays:
    """All passages of one partition that may be evidence, under one recipe. Equal texts are one passage.

    Attributes:
        text_keys: int64 [n_passages], the store's number of each distinct text, in the order in which the texts first
            stand in the record (by document time, doc_id, place); this order breaks ties, whatever the ingest order.
        vectors: float32 [n_passages, dims].
        postings, lengths: over rows, among which there may be texts that are no evidence now.
        rows: int32 [n_passages], the row of each passage; None where every row is the passage of that number.
        places: int64 [n_places, 4] rows (passage, document key, start, end), ordered by passage, then by document
            time, doc_id and place.
    """

    text_keys: NDArray[np.int64]
    vectors: NDArray[np.float32]
    postings: Postings
    lengths: NDArray[np.int32]
    rows: NDArray[np.int32] | None
    places: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PartitionSummary:
    """One line of `patients list`."""

    scope: Scope
    documents: int
    seq: int
    first: str
    last: str


Standing = Literal["evidence", "retracted", "superseded"]


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document for showing: whole, with its sentences in order, and whether it still counts."""

    document: Document
    sentences: tuple[Sentence, ...]
    standing: Standing


@dataclass(frozen=True, slots=True)
class StoredText:
    """A document as it is now, for checking old citations: its text, whether it still counts, and its units."""

    text: str
    sha256: str
    standing: Standing
    sentences: tuple[Sentence, ...]
    title: str = ""
    note_type: str = ""
    time: str | None = None
    bibliography: Bibliography = field(default_factory=Bibliography)

    def section_at(self, start: int, end: int) -> tuple[str, ...]:
        """The headers above what stands at a span."""
        inside = [s for s in self.sentences if s.kind != "header" and s.start < end and start < s.end]
        return inside[-1].section if inside else ()
