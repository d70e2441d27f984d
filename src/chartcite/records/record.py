"""The findings of all documents of a record: as they were kept, else read now.

Where a document does not show whether the day or the month of a date comes first, the others of the record are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from chartcite.core.documents import Document, Sentence
from chartcite.core.scope import Scope
from chartcite.core.stored import DocumentInfo
from chartcite.core.unseen import seen
from chartcite.records.days import DateOrder, date_order, needs_order, order_of_most
from chartcite.records.findings import DocumentFindings, Findings, Shown, find, may_say
from chartcite.records.images import with_confidence
from chartcite.records.kept import packed, unpacked
from chartcite.records.reading import FactsReader
from chartcite.records.rules import rules
from chartcite.records.topic import ALL, Wish
from chartcite.records.when.stays import completed

ORDERS: tuple[DateOrder, ...] = ("", "day", "month")


class RecordReader(Protocol):
    """What the timeline needs of a store's reader."""

    @property
    def scope(self) -> Scope:
        """Whose record it is."""

    def documents(self) -> list[DocumentInfo]:
        """All that may be evidence, oldest first."""

    def document(self, key: int) -> Document:
        """One with its text."""

    def sentences(self, key: int) -> list[Sentence]:
        """Its sentences."""

    def findings(self, rules: str) -> Mapping[int, bytes]:
        """What is kept of documents under these rules, by key."""


def findings(reader: RecordReader, wish: Wish) -> Iterator[tuple[DocumentInfo, Findings]]:
    """What each document says of what is wished for, oldest document first.

    Cost: of what is kept some microseconds an entry, else about a millisecond a sentence that names it.
    """
    kept = reader.findings(rules())
    facts_of = FactsReader()
    read: list[tuple[DocumentInfo, DocumentFindings]] = []
    for info in reader.documents():
        held = kept.get(info.key)
        found = read_document(info, reader, wish, facts_of) if held is None else unpacked(held, info, reader, wish)
        read.append((info, found))
    shown = [(found.shown.lang, found.shown.order) for _, found in read]
    orders = {lang: order_of_most(shown, lang) for lang in {lang for lang, _ in shown}}
    yield from completed([(info, found.read_by(orders[found.shown.lang])) for info, found in read])


def read_document(info: DocumentInfo, reader: RecordReader, wish: Wish, facts_of: FactsReader) -> DocumentFindings:
    """Read one document for what is wished for."""
    return _read(info, reader.document(info.key), lambda: reader.sentences(info.key), wish, facts_of)


def _read(
    info: DocumentInfo,
    document: Document,
    sentences_of: Callable[[], list[Sentence]],
    wish: Wish,
    facts_of: FactsReader,
) -> DocumentFindings:
    text, written = seen(document.text), info.time.date if info.time else ""
    order = date_order(text, written, document.lang)
    shown = Shown(document.lang, order, not order and needs_order(text))
    if not may_say(text, wish):
        return DocumentFindings(shown, {one: Findings() for one in ORDERS})
    sentences = sentences_of()
    orders = ORDERS if shown.needs else (order,)
    found = DocumentFindings(shown, {o: find(info, document.text, sentences, o, wish, facts_of) for o in orders})
    return with_confidence(found, document)


@dataclass(frozen=True, slots=True)
class Unread:
    """A document of which nothing is kept, with all that reading it takes: it may be read elsewhere."""

    info: DocumentInfo
    document: Document
    sentences: tuple[Sentence, ...]


def unread(reader: RecordReader, most: int) -> list[Unread]:
    """Up to `most` documents of which nothing is kept."""
    kept = reader.findings(rules())
    missing = [info for info in reader.documents() if info.key not in kept][:most]
    return [Unread(info, reader.document(info.key), tuple(reader.sentences(info.key))) for info in missing]


def read_whole(documents: Sequence[Unread]) -> list[bytes]:
    """What is to be kept of each; a wording that they share is read once."""
    facts_of = FactsReader()
    return [packed(_read(d.info, d.document, lambda d=d: list(d.sentences), ALL, facts_of)) for d in documents]  # type: ignore[misc]
