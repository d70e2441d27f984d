"""The sentences of a document that may say something, each with the day that its note speaks of.

A laboratory report says when the specimen was collected: the results below belong to that day, not to the report's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from chartcite.core.documents import Sentence, Span
from chartcite.core.stored import DocumentInfo
from chartcite.core.unseen import look, seen
from chartcite.records.days import DateOrder, day_of_labs, days
from chartcite.records.entries import Source
from chartcite.records.labels import label_alone
from chartcite.records.sources import source_at
from chartcite.records.when.events import Events
from chartcite.text.tables import head_spans

_COLLECTED = re.compile(
    r"^[ \t>*#|-]*(?:[^\W\d_]+(?:[ /&][^\W\d_]+){0,3}[,:]?[ \t]+\(?(?=(?:collected|drawn|colhid[oa])\b[^\n]{6,24}$))?"
    r"(?:date[/ ]?(?:time)?\s+)?(?:of\s+)?"
    r"(?:collect(?:ed|ion)|drawn|specimen\s+(?:was\s+)?(?:date|taken|collected)|sample\s+(?:date|taken|collected)"
    r"|(?:data\s+(?:da\s+)?)?(?:coleta|colhid[oa])(?:\s+em)?)"
    r"(?:\s+(?:date|time|date/time|on|at))*(?:\s*[:|-]\s*|\s+(?=\d))(?P<rest>[^\n]{6,40})",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING = 60
_BREAK = re.compile(
    r"\n[ \t]*\n|"
    r"\n[ \t#*>-]*(?:vitals?|vs|bp|hr|exam\w*|pe|assessment|a/p|plan|impression|meds?|medica\w+|today|sinais|"
    r"pa|conduta|hoje|evolu\w+)\b|\n[^\n:]{2,40}:[ \t]*\n",
    re.IGNORECASE,
)
_RELATIVES = re.compile(r"famil|\bfhx?\b|\bf\.?\s?h\.?\b", re.IGNORECASE)
_CORRECTION = re.compile(
    r"\b(?:correct(?:ed|ion)|amended|amendment|erroneous\w*|in error|wrong (?:unit|value|result)|retifica\w*|"
    r"corrigid[oa]|corre[çc][ãa]o|unidade errada|por engano)\b",
    re.IGNORECASE,
)
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
        head: the head of the table that the sentence is a row of, from the column at which the row begins; or empty.
        section: the headers above it.
        is_report: whether the note itself is of that measurement (it names the collection).
        labs_day: the day in the heading of results just above it (`Labs 2/20:`); empty without one.
        put_right: the only day that the last sentence of a correction above it names (`The creatinine of 09/07 was
            printed with the wrong unit`), in the same section; or empty.
        label: the line above it that says what is done with medicines (`Continue:`), which is no header; or empty.
        events: the days of admission, operation and discharge, as far as they are stated, each with what states it.
    """

    text: str
    source: Source
    day: str
    order: DateOrder = ""
    is_report: bool = False
    section: tuple[str, ...] = ()
    head: str = ""
    label: str = ""
    labs_day: str = ""
    events: Events = field(default_factory=dict, compare=False)
    put_right: str = ""

    @property
    def named(self) -> str:
        """The sentence with what names its columns: all words that may tell what is in it."""
        return f"{self.head}\n{self.text}" if self.head else self.text


def lines_of(
    info: DocumentInfo,
    text: str,
    sentences: Iterable[Sentence],
    order: DateOrder,
    events: Events,
    passes: Callable[[str, tuple[str, ...]], bool],
) -> Iterator[Line]:
    """The sentences of a document that may say something of the patient, in order.

    Args:
        info: the document.
        text: its text.
        sentences: its sentences.
        order: how it writes dates in numbers.
        events: the days of events that it states.
        passes: only sentences that this lets through, by their text and the headers above. What stands under
            a header of the family's history is never the patient's.
    """
    written = info.time.date if info.time else ""
    collected = list(_collected(text, written, order))
    units = list(sentences)
    heads = head_spans(text, units)
    label = ""
    labelled: tuple[str, ...] = ()
    labs_day, labs_end = "", 0
    put_right = ""
    put_right_in: tuple[str, ...] = ()
    for sentence in units:
        said = seen(text[sentence.start : sentence.end])
        head = seen(text[slice(*heads[sentence.n])]) if sentence.n in heads else ""
        if label_alone(said):
            label, labelled = said.strip(), sentence.section
        elif sentence.section != labelled:
            label = ""
        heading = day_of_labs(said, written, order) if len(said) < _HEADING else ""
        if heading:
            labs_day, labs_end = heading, _end_of_labs(text, sentence.end)
        if _CORRECTION.search(said):
            named = {day.iso for day in days(said, written, order)}
            if len(named) == 1:
                put_right, put_right_in = named.pop(), sentence.section
        is_passed = passes(f"{head}\n{said}" if head else said, sentence.section)
        if not is_passed or any(_RELATIVES.search(header) for header in sentence.section):
            continue
        is_told = any(_NARRATIVE.search(header) for header in sentence.section)
        day = "" if is_told else next((day for at, day in reversed(collected) if at <= sentence.start), "")
        source = source_at(info, sentence.n, sentence.start, sentence.end, text)
        yield Line(
            said,
            source,
            day or written,
            order,
            bool(day),
            sentence.section,
            head,
            label,
            labs_day if sentence.start < labs_end else "",
            events,
            put_right if sentence.section == put_right_in else "",
        )


def _end_of_labs(text: str, end: int) -> int:
    """Where the results below a heading end: with its line; if it stands alone, before a blank or the next heading."""
    line_end = text.find("\n", end)
    if line_end < 0 or text[end:line_end].strip(" \t)]:*-"):
        return len(text) if line_end < 0 else line_end
    found = _BREAK.search(text, line_end + 1 + len(text[line_end:]) - len(text[line_end:].lstrip()) - 1)
    return found.start() if found else len(text)


def _collected(text: str, written: str, order: DateOrder) -> Iterator[tuple[int, str]]:
    """(offset, day) of each line that says when a specimen was taken."""
    view = look(text)
    for found in _COLLECTED.finditer(view.text):
        day = next(days(found["rest"], written, order), None)
        if day:
            yield view.span(Span(*found.span())).start, day.iso
