"""The sentences of a record that may say something of a topic, each with the day that its note speaks of.

A laboratory report says when the specimen was collected: the results below belong to that day, not to the report's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from chartcite.core.documents import Sentence
from chartcite.core.stored import DocumentInfo
from chartcite.records.days import DateOrder, date_order, days
from chartcite.records.entries import Source
from chartcite.records.topic import Sieve
from chartcite.store.reader import PartitionReader

_COLLECTED = re.compile(
    r"^[ \t>*#|-]*(?:date[/ ]?(?:time)?\s+)?(?:of\s+)?"
    r"(?:collect(?:ed|ion)|drawn|specimen\s+(?:date|taken|collected)|sample\s+(?:date|taken|collected)"
    r"|(?:data\s+(?:da\s+)?)?(?:coleta|colhid[oa])(?:\s+em)?)"
    r"(?:\s+(?:date|time|date/time|on|at))*\s*[:|-]\s*(?P<rest>[^\n]{6,40})",
    re.IGNORECASE | re.MULTILINE,
)
_RELATIVES = re.compile(r"famil|\bfhx?\b|\bf\.?\s?h\.?\b", re.IGNORECASE)
_NARRATIVE = re.compile(
    r"\b(?:exam\w*|physical|assessment|plan|vitals?|impression|subjective|history|hpi|medications?|course|exame|"
    r"evolu[çc][ãa]o|conduta|sinais)\b",
    re.IGNORECASE,
)
"""Below such a header nothing belongs to a specimen."""


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence.

    Attributes:
        text: the sentence, a slice of its document's text.
        source: where it stands.
        day: ISO date that it speaks of where it names none itself: of the specimen, else of the note; or empty.
        order: how its document writes dates in numbers.
        columns: the days at the head of a table with a column for each, in order; empty without such a head.
        section: the headers above it.
        is_report: whether the note itself is of that measurement (it names the collection).
    """

    text: str
    source: Source
    day: str
    order: DateOrder = ""
    is_report: bool = False
    section: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


def lines(reader: PartitionReader, sieve: Sieve) -> Iterator[Line]:
    """The sentences of all documents that may be evidence, oldest document first.

    Args:
        reader: of a patient; as of a date, nothing later is seen.
        sieve: only sentences that it lets through. What stands under a header of the family's
            history is never the patient's.
    """
    for info in reader.documents():
        document = reader.document(info.key)
        text, written = document.text, info.time.date if info.time else ""
        if not sieve.lets_through(text):
            continue
        order = date_order(text, written, document.lang)
        collected = list(_collected(text, written, order))
        columns: tuple[str, ...] = ()
        for sentence in reader.sentences(info.key):
            said = text[sentence.start : sentence.end]
            columns = _columns(said, written, order, columns)
            if not sieve.lets_through(said):
                continue
            if any(_RELATIVES.search(header) for header in sentence.section):
                continue
            source = _source(info, sentence, said)
            is_told = any(_NARRATIVE.search(header) for header in sentence.section)
            day = "" if is_told else next((day for at, day in reversed(collected) if at <= sentence.start), "")
            yield Line(said, source, day or written, order, bool(day), sentence.section, columns)


def _source(info: DocumentInfo, sentence: Sentence, said: str) -> Source:
    written = info.time.date if info.time else ""
    return Source(
        info.key, info.doc_id, sentence.n, sentence.start, sentence.end, written, info.note_type, said, info.sha256
    )


_LETTERS = re.compile(r"[^\W\d_]{2,}")


def _columns(said: str, written: str, order: DateOrder, above: tuple[str, ...]) -> tuple[str, ...]:
    """The days that head the columns of a table, from its head until a sentence of prose ends it."""
    if sum(char.isdigit() for char in said) >= 8 and len(_LETTERS.findall(said)) <= 8:
        found = tuple(day.iso for day in days(said, written, order))
        if len(found) > 1 and ("  " in said or "|" in said or "\t" in said):
            return found
    is_row = "  " in said or "|" in said or "\t" in said
    return above if is_row else ()


def _collected(text: str, written: str, order: DateOrder) -> Iterator[tuple[int, str]]:
    """(offset, day) of each line that says when a specimen was taken."""
    for found in _COLLECTED.finditer(text):
        day = next(days(found["rest"], written, order), None)
        if day:
            yield found.start(), day.iso
