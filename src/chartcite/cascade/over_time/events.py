"""The day of an event that a question names in words: a drug begun or ended, a procedure, a diagnosis, a stay.

Only where the record leaves one day for it; of two operations of one name neither is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chartcite.core.stored import DocumentInfo
from chartcite.core.unseen import seen
from chartcite.facts.drug_mentions import find_drugs
from chartcite.facts.drugs import listed_drugs
from chartcite.facts.line import read_line
from chartcite.records.courses import LIST_LENGTH
from chartcite.records.days import date_order, days
from chartcite.records.doses import Episode
from chartcite.records.encounters import Encounter, encounters
from chartcite.records.entries import Source
from chartcite.records.sources import source_at
from chartcite.records.timeline import read_doses, read_history
from chartcite.records.topic import EVERYTHING, Topic
from chartcite.store.reader import PartitionReader

Analyse = Callable[[str], Sequence[str]]
_BEGIN = re.compile(
    r"\b(?:start\w*|begin\w*|begun|began|initiat\w*|introduc\w*|commenc\w*|going on|put on|in[íi]ci\w*|"
    r"come[çc]\w*)\b",
    re.IGNORECASE,
)
_STOP = re.compile(
    r"\b(?:end\w*|stop\w*|discontinu\w*|withdraw\w*|cessation|withdrawn|coming off|taken off|"
    r"suspens\w*|suspend\w*|fim|t[ée]rmino|parada|interrup\w*)\b",
    re.IGNORECASE,
)
_STAY = re.compile(
    r"\b(?:(?:hospital )?(?:stay|admission|hospitali[sz]ation|episode)|interna[çc][ãa]o)\s*"
    r"(?:for|because of|due to|with|por|de|devido a)?\s*",
    re.IGNORECASE,
)
OPERATIONS = re.compile(r"operat|procedure|surg|cirurg|procedimento", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|an?|his|her|their|[oa]s?|d[eoa]s?)\s+", re.IGNORECASE)
_AGO = re.compile(
    r"\b(?:ago|yesterday|last (?:week|month|year|visit|night)|since (?!\d)|previously|for (?:the )?(?:past|last)|"
    r"off\b[^.;]{0,40}\b(?:x|for) ?(?:\d+|an?|one|two|three|several)|atr[áa]s|ontem|"
    r"h[áa] (?:cerca de )?(?:\d+|uma?|dois|duas|tr[êe]s|algu(?:ns|mas)) (?:dias?|semanas?|m[êe]s|meses|anos?)|"
    r"(?:semana|m[êe]s|ano) passad[oa])\b",
    re.IGNORECASE,
)
_BEGUN = re.compile(rf"{_BEGIN.pattern}|\b(?:new today|rx\b|prescri)", re.IGNORECASE)
_UNREAD = re.compile(r"(?<![\d/.])(?:0?[1-9]|[12]\d|3[01])/(?:0?[1-9]|[12]\d|3[01])(?![\d/.])")
_HEAD_CHARS = 700
_DIAGNOSED = "diagnosis diagnosed onset new diagnóstico diagnosticado diagnosticada"


@dataclass(frozen=True, slots=True)
class Event:
    """From the first to the last day of it, and a sentence that tells of it; `also` one with its days or its begin."""

    first: str
    last: str
    source: Source | None = None
    also: tuple[Source, ...] = ()

    @property
    def sources(self) -> tuple[Source, ...]:
        """All that tells of it."""
        return (self.source, *(s for s in self.also if s != self.source)) if self.source else ()


def event_of(words: str, reader: PartitionReader, analyse: Analyse) -> Event | None:
    """The only event of the record that some words name; None if there is none, or more than one."""
    words = _ARTICLE.sub("", words.strip())
    drugs = find_drugs(read_line(words))
    if drugs:
        return _of_drug(words, reader, frozenset(d.name for d in drugs))
    stay = _STAY.match(words)
    if stay:
        return _of_stay(words[stay.end() :], reader, analyse)
    return _of_operation(words, reader, analyse)


def with_salts(names: frozenset[str]) -> frozenset[str]:
    """Names of drugs with those of their salts, which a record may use for the same course: `metoprolol tartrate`."""
    return names | {drug for drug in listed_drugs() if any(drug.startswith(f"{name} ") for name in names)}


def are_of_their_day(sources: Sequence[Source], day: str) -> bool:
    """Whether no sentence puts what it tells on another day than `day`: some time ago, or on an unread `2/5`."""
    return not any(
        _AGO.search(source.quote) or (source.written == day and _UNREAD.search(source.quote)) for source in sources
    )


def is_begun(course: Episode, reader: PartitionReader) -> bool:
    """Whether the first course of a drug began on its first day.

    It does if that is said, or if by then the record had told of some other drugs and not of it: what the first list of
    a record has was taken before.
    """
    sources = course.periods[0].sources if course.periods else ()
    if course.start_is_stated or any(s.written == course.start and _BEGUN.search(s.quote) for s in sources):
        return True
    return sum(other.episodes[0].start < course.start for other in read_doses(reader, EVERYTHING)) >= LIST_LENGTH


def _of_drug(words: str, reader: PartitionReader, names: frozenset[str]) -> Event | None:
    found = read_doses(reader, Topic(frozenset(), with_salts(names)))
    if len(found) != 1:  # of two salts, or two drugs, it is not known which
        return None
    episodes = found[0].episodes
    if _STOP.search(words):
        ends = [e for e in episodes if e.end and e.ended == "stopped"]
        return _on_day(ends[0].end or "", ends[0].end_sources) if len(ends) == 1 else None
    stated = ([e for e in episodes if e.start_is_stated] or episodes[:1]) if _BEGIN.search(words) else []
    if len(stated) != 1 or stated[0] is not episodes[0] or not is_begun(stated[0], reader):
        return None  # nobody says when it was begun, or it was taken before
    sources = stated[0].periods[0].sources if stated[0].periods else ()
    saying = [s for s in sources if _BEGIN.search(s.quote)] or sources
    also = [s for s in sources if s.written == stated[0].start and _BEGUN.search(s.quote)]
    return _on_day(stated[0].start, saying, also[:1])


def _on_day(day: str, sources: Sequence[Source], also: Sequence[Source] = ()) -> Event | None:
    if not are_of_their_day(sources[:1], day):
        return None
    return Event(day, day, sources[0] if sources else None, tuple(also))


def _of_operation(words: str, reader: PartitionReader, analyse: Analyse) -> Event | None:
    """The note of an operation whose head has all the words."""
    wanted = set(analyse(words))
    notes = [
        info for info in reader.documents()
        if info.time and OPERATIONS.search(f"{info.note_type} {info.title}")
        and wanted and wanted <= set(analyse(f"{info.title}\n{reader.document(info.key).text[:_HEAD_CHARS]}"))
    ]  # fmt: skip
    if not notes:
        return _of_history(wanted, reader, analyse)
    own = sorted({info.time.date for info in notes if info.time})
    if len(own) != 1:
        return None
    return Event(own[0], own[0], telling(notes[0], wanted, reader, analyse))


def _of_history(wanted: set[str], reader: PartitionReader, analyse: Analyse) -> Event | None:
    """The procedure that has all the words, else the diagnosis with its stated begin; of a known day only."""
    conditions, procedures = read_history(reader)
    found_days = {p.day: p.sources[0] for p in procedures if wanted and wanted <= set(analyse(f"{p.side} {p.name}"))}
    if not found_days:
        wanted -= set(analyse(_DIAGNOSED))
        found = [c for c in conditions if wanted and wanted <= set(analyse(c.name)) and c.since]
        found_days = {day: c.sources[0] for c in found for day in c.since}
    day = next(iter(found_days), "")
    return Event(day, day, found_days[day]) if len(found_days) == 1 and len(day) == len("2020-01-01") else None


def _of_stay(words: str, reader: PartitionReader, analyse: Analyse) -> Event | None:
    """The stay one of whose notes has all the words in one sentence."""
    wanted = set(analyse(words))
    documents = {info.doc_id: info for info in reader.documents()}
    found: list[tuple[Encounter, Source]] = []
    for stay in (e for e in encounters(list(documents.values())) if e.kind == "stay"):
        for doc_id in (d for d in stay.doc_ids if "discharge" in documents[d].note_type.lower() or "alta" in d.lower()):
            source = telling(documents[doc_id], wanted, reader, analyse) if wanted else None
            if source is not None:
                found.append((stay, source))
                break
    if len(found) != 1:
        return None
    stay, source = found[0]
    return Event(stay.first, stay.last, source, _dates_of(stay, documents[source.doc_id], reader))


_STAYED = re.compile(r"\b(?:hospital|admi|discharg|stay|interna|alta|until|hospitali)", re.IGNORECASE)


def _dates_of(stay: Encounter, info: DocumentInfo, reader: PartitionReader) -> tuple[Source, ...]:
    """The sentence of a stay's note that has its first day: `In hospital from 5/15/13 until 5/21/13`."""
    document = reader.document(info.key)
    written = info.time.date if info.time else ""
    order = date_order(seen(document.text), written, document.lang)
    for s in reader.sentences(info.key):
        said = seen(document.text[s.start : s.end])
        if _STAYED.search(said) and any(day.iso == stay.first for day in days(said, written, order)):
            return (source_at(info, s.n, s.start, s.end, document.text),)
    return ()


def telling(info: DocumentInfo, wanted: set[str], reader: PartitionReader, analyse: Analyse) -> Source | None:
    """The first sentence of a note that has all the words."""
    text = reader.document(info.key).text
    for s in reader.sentences(info.key):
        said = text[s.start : s.end]
        if wanted <= set(analyse(said)):
            return source_at(info, s.n, s.start, s.end, text)
    return None
