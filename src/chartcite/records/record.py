"""The findings of all documents of a record: as they were kept, else read now.

Where a document does not show whether the day or the month of a date comes first, the others of the record are asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    document = reader.document(info.key)
    text, written = seen(document.text), info.time.date if info.time else ""
    order = date_order(text, written, document.lang)
    shown = Shown(document.lang, order, not order and needs_order(text))
    if not may_say(text, wish):
        return DocumentFindings(shown, {one: Findings() for one in ORDERS})
    sentences = reader.sentences(info.key)
    orders = ORDERS if shown.needs else (order,)
    found = DocumentFindings(shown, {o: find(info, document.text, sentences, o, wish, facts_of) for o in orders})
    return with_confidence(found, document)


def unread(reader: RecordReader, most: int) -> dict[int, bytes]:
    """The findings of up to `most` documents of which none are kept, as they are to be."""
    kept = reader.findings(rules())
    facts_of = FactsReader()
    missing = [info for info in reader.documents() if info.key not in kept][:most]
    return {info.key: packed(read_document(info, reader, ALL, facts_of)) for info in missing}
