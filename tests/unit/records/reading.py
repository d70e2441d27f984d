"""A record of a few invented notes, as lines, without a store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chartcite.core.documents import Document, Provenance, Sentence
from chartcite.core.scope import Scope
from chartcite.core.stored import DocumentInfo
from chartcite.core.time import When
from chartcite.records.doses import Course
from chartcite.records.entries import Series, Value
from chartcite.records.timeline import read_doses, read_values
from chartcite.records.topic import EVERYTHING, Topic
from chartcite.text.sentences import split_sentences


@dataclass
class Notes:
    """What `lines` asks of a reader, over (day, text) pairs."""

    notes: Sequence[tuple[str, str]]
    lang: str = "en"
    scope: Scope = Scope("patient", "p")  # noqa: RUF009 - frozen

    def documents(self) -> list[DocumentInfo]:
        found = []
        for key, (day, _) in enumerate(self.notes):
            when = When.parse(day) if day else None
            found.append(DocumentInfo(key, f"d{key}", "", "", when, when.sort_key if when else "", "current", ""))
        return sorted(found, key=lambda d: (d.sort_key, d.doc_id))

    def document(self, key: int) -> Document:
        return Document(doc_id=f"d{key}", text=self.notes[key][1], source=Provenance("", "", ""), lang=self.lang)

    def findings(self, rules: str) -> dict[int, bytes]:
        return {}

    def sentences(self, key: int) -> list[Sentence]:
        return list(split_sentences(self.notes[key][1]))


def values(*notes: tuple[str, str], of: str = "", lang: str = "en") -> list[Series]:
    topic = Topic(frozenset([of])) if of else EVERYTHING
    return read_values(Notes(notes, lang), topic)


def one(*notes: tuple[str, str], of: str = "creatinine", lang: str = "en") -> list[Value]:
    found = values(*notes, of=of, lang=lang)
    return list(found[0].values) if found else []


def told(*notes: tuple[str, str], of: str = "creatinine", lang: str = "en") -> list[tuple[str, str]]:
    """(day, amount) of the values that hold."""
    return [(v.day, str(v.amount)) for v in one(*notes, of=of, lang=lang) if v.counts]


def courses(*notes: tuple[str, str], of: str = "", lang: str = "en") -> list[Course]:
    topic = Topic(frozenset(), frozenset([of])) if of else EVERYTHING
    return read_doses(Notes(notes, lang), topic)
