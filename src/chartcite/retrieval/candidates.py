"""Candidate sentences: the sentences of the passages found, each with its cheap scores and every place it stands.

A sentence's late-interaction score uses the token vectors of its passage, so that `5 mg nightly` keeps what the words
around it are about, and no sentence needs a run of the encoder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from chartcite.core.documents import Document, Sentence, Span
from chartcite.core.neural import Encoder
from chartcite.core.retrieval import Hit, Place
from chartcite.core.stored import DocumentInfo
from chartcite.core.unseen import seen
from chartcite.index.port import SearchIndex
from chartcite.retrieval.probe import Probe
from chartcite.store.reader import PartitionReader
from chartcite.text.boilerplate import is_no_evidence
from chartcite.text.tables import head_spans

_TITLE_AMONG = 12
"""A title is among so many first lines: a block of references may stand in front."""
Preference = Callable[[DocumentInfo], str]
"""Of several places with equal text, the one whose document gives the greatest value is shown."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One distinct sentence text of the passages found.

    `start` is that of the header on the sentence's own line, if there is one. `date` is the document's in its own zone,
    as far as it goes; `order` its place in the record, which breaks ties. `same_text` counts the other documents.
    `head` names the columns of a table's row, from the column at which the row begins.
    """

    text: str
    context: str
    sentence: Sentence
    document: int
    start: int
    end: int
    sort_key: str
    hit_rank: int
    date: str = ""
    order: int = 0
    title: str = ""
    coverage: float = 0.0
    late: float = 0.0
    same_text: int = 0
    head: str = ""

    @property
    def said(self) -> str:
        """The sentence with the headers above it, and the head of its table."""
        return "\n".join((self.context, self.head, self.text) if self.head else (self.context, self.text))


class Bookshelf:
    """Documents and sentences that one question touches, each read once."""

    def __init__(self, reader: PartitionReader, documents: Sequence[DocumentInfo]) -> None:
        self._reader = reader
        self._documents: dict[int, Document] = {}
        self._sentences: dict[int, list[Sentence]] = {}
        self._heads: dict[int, Mapping[int, Span]] = {}
        self._infos = {d.key: (n, d) for n, d in enumerate(documents)}

    def document(self, key: int) -> Document:
        """A document by the store's number."""
        if key not in self._documents:
            self._documents[key] = self._reader.document(key)
        return self._documents[key]

    def sentences(self, key: int) -> list[Sentence]:
        """Its sentences, in order."""
        if key not in self._sentences:
            self._sentences[key] = self._reader.sentences(key)
        return self._sentences[key]

    def head(self, key: int, n: int) -> Span | None:
        """Where the head of a table's row stands, by the number of the row; None for other sentences."""
        if key not in self._heads:
            self._heads[key] = head_spans(self.document(key).text, self.sentences(key))
        return self._heads[key].get(n)

    def info(self, key: int) -> DocumentInfo:
        """What is known of a document without its text."""
        return self._infos[key][1]

    def order(self, key: int) -> int:
        """Its place in the record, oldest first, whatever the order of ingest."""
        return self._infos[key][0]

    def place(self, index: SearchIndex, passage: int) -> Place:
        """The first place of a passage's text."""
        return Place(*index.places(passage)[0])

    def text(self, place: Place) -> str:
        """The text at a place."""
        return self.document(place.document).text[place.start : place.end]


def candidates(
    hits: Sequence[Hit],
    shelf: Bookshelf,
    probe: Probe,
    encoder: Encoder,
    coverage: Callable[[str, str], float],
    prefer: Preference,
) -> list[Candidate]:
    """All distinct sentences of some passages, in order of the ranking, headers left out.

    Equal sentences (of tables, equal rows under equal heads) are one candidate, at the place that `prefer` values
    most; of equals the oldest is kept, where it was said first.
    """
    found: dict[str, Candidate] = {}
    for hit in hits:
        place = max(hit.places, key=lambda p: prefer(shelf.info(p.document)))
        for candidate in _of_passage(hit, place, shelf, probe, encoder, coverage):
            folded = " ".join(f"{candidate.head} {candidate.text}".split()).casefold()
            old = found.get(folded)
            found[folded] = candidate if old is None else _better(old, candidate, prefer, shelf)
    return list(found.values())


def _better(one: Candidate, other: Candidate, prefer: Preference, shelf: Bookshelf) -> Candidate:
    chosen, left = sorted((one, other), key=lambda c: (c.order, c.start))
    if prefer(shelf.info(left.document)) > prefer(shelf.info(chosen.document)):
        chosen, left = left, chosen
    return _merged(chosen, left)


def _merged(chosen: Candidate, other: Candidate) -> Candidate:
    return replace(
        chosen,
        hit_rank=min(chosen.hit_rank, other.hit_rank),
        late=max(chosen.late, other.late),
        coverage=max(chosen.coverage, other.coverage),
        same_text=chosen.same_text + other.same_text + 1,
    )


def _of_passage(
    hit: Hit, place: Place, shelf: Bookshelf, probe: Probe, encoder: Encoder, coverage: Callable[[str, str], float]
) -> list[Candidate]:
    document = shelf.document(place.document)
    units = [s for s in shelf.sentences(place.document) if s.start < place.end and place.start < s.end]
    late = _late_scores(hit.passage, place, units, shelf, probe, encoder)
    made = []
    lead = ""
    for i, (unit, score) in enumerate(zip(units, late, strict=True)):
        if unit.kind == "header" or _is_title(document, unit, units):
            continue
        if len(units) > 1 and is_no_evidence(seen(document.text[unit.start : unit.end])):
            continue
        if _leads_in(document.text, unit, units[i + 1 : i + 2]):
            lead = " ".join(seen(document.text[unit.start : unit.end]).split())
            continue
        lead = lead if unit.kind == "item" else ""
        start = start_with_header(document.text, units[i - 1] if i else None, unit)
        text = seen(document.text[start : unit.end])
        head = _head(shelf, place.document, unit, start)
        context = " > ".join((*unit.section, lead) if lead else unit.section)
        made.append(
            Candidate(
                text=text, context=context, sentence=unit, document=place.document, start=start, end=unit.end,
                sort_key=document.time.sort_key if document.time else "", hit_rank=hit.rank,
                title=document.title, date=document.time.date if document.time else "",
                order=shelf.order(place.document),
                coverage=coverage(text, f"{context}\n{head}" if head else context), late=score,
                same_text=len({p.document for p in hit.places}) - 1, head=head,
            )
        )  # fmt: skip
    return made


def _head(shelf: Bookshelf, key: int, unit: Sentence, start: int) -> str:
    span = shelf.head(key, unit.n) if unit.kind == "row" and start == unit.start else None
    return seen(shelf.document(key).text[slice(*span)]) if span else ""


def _is_title(document: Document, unit: Sentence, units: Sequence[Sentence]) -> bool:
    """A document's own title is worded like a claim and states nothing; it counts only where it stands alone.

    The whole line is looked at: of `# Daily weights: a trial` the part before the colon reads as a header.
    """
    if unit.n > _TITLE_AMONG or len(units) == 1 or not document.title:
        return False
    start = document.text.rfind("\n", 0, unit.start) + 1
    end = document.text.find("\n", unit.end)
    line = document.text[start : end if end >= 0 else None]
    return " ".join(line.strip("# \r").split()).casefold() == " ".join(document.title.split()).casefold()


def _leads_in(text: str, unit: Sentence, following: Sequence[Sentence]) -> bool:
    """`The patient was prescribed:` says nothing without the list below it; it is context for the items."""
    return seen(text[unit.start : unit.end]).rstrip().endswith(":") and any(f.kind == "item" for f in following)


def start_with_header(text: str, before: Sentence | None, unit: Sentence) -> int:
    """A header on the same line belongs to the quote: `Allergies: penicillin` says more than `penicillin`."""
    between = text[before.end : unit.start] if before is not None else "\n"
    if before is not None and before.kind == "header" and "\n" not in between and not between.strip():
        return before.start
    return unit.start


def _late_scores(
    passage: int, place: Place, units: Sequence[Sentence], shelf: Bookshelf, probe: Probe, encoder: Encoder
) -> list[float]:
    codes = probe.token_vectors(passage)
    if not len(codes):
        return [0.0] * len(units)
    similar = codes.astype(np.float32) @ probe.encoded.tokens.T
    offsets = encoder.offsets([shelf.text(place)])[0]
    # Row 0 is the special token in front; a passage longer than the model's limit has fewer rows than tokens.
    starts = np.array([start for start, _ in offsets[: len(codes) - 2]], dtype=np.int64) + place.start
    scores = []
    for unit in units:
        rows = np.flatnonzero((starts >= unit.start) & (starts < unit.end)) + 1
        scores.append(float(similar[rows].max(axis=0).mean()) if len(rows) else 0.0)
    return scores
