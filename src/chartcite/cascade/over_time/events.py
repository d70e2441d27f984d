"""The day of an event that a question names in words: a drug begun or ended, a procedure, a diagnosis, a stay.

Only where the record leaves one day for it; of two operations of one name neither is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chartcite.core.stored import DocumentInfo
from chartcite.facts.drug_mentions import find_drugs
from chartcite.facts.line import read_line
from chartcite.records.doses import Course
from chartcite.records.encounters import Encounter, encounters
from chartcite.records.entries import Source
from chartcite.records.timeline import read_doses, read_history
from chartcite.records.topic import Topic
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
_HEAD_CHARS = 700
_DIAGNOSED = "diagnosis diagnosed onset new diagnóstico diagnosticado diagnosticada"


@dataclass(frozen=True, slots=True)
class Event:
    """From the first to the last day of it, and a sentence that tells of it."""

    first: str
    last: str
    source: Source | None = None


def event_of(words: str, reader: PartitionReader, analyse: Analyse) -> Event | None:
    """The only event of the record that some words name; None if there is none, or more than one."""
    words = _ARTICLE.sub("", words.strip())
    drugs = find_drugs(read_line(words))
    if drugs:
        return _of_drug(words, read_doses(reader, Topic(frozenset(), frozenset(d.name for d in drugs))))
    stay = _STAY.match(words)
    if stay:
        return _of_stay(words[stay.end() :], reader, analyse)
    return _of_operation(words, reader, analyse)


def _of_drug(words: str, found: Sequence[Course]) -> Event | None:
    episodes = [episode for course in found for episode in course.episodes]
    if _STOP.search(words):
        ends = [e for e in episodes if e.end and e.ended == "stopped"]
        if len(ends) != 1:
            return None
        day = ends[0].end or ""
        return Event(day, day, ends[0].end_sources[0] if ends[0].end_sources else None)
    if not _BEGIN.search(words):
        return None
    stated = [e for e in episodes if e.start_is_stated] or episodes[:1]
    if len(stated) != 1:
        return None
    sources = stated[0].periods[0].sources if stated[0].periods else ()
    saying = next((s for s in sources if _BEGIN.search(s.quote)), sources[0] if sources else None)
    return Event(stated[0].start, stated[0].start, saying)


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
    days = sorted({info.time.date for info in notes if info.time})
    if len(days) != 1:
        return None
    return Event(days[0], days[0], telling(notes[0], wanted, reader, analyse))


def _of_history(wanted: set[str], reader: PartitionReader, analyse: Analyse) -> Event | None:
    """The procedure that has all the words, else the diagnosis with its stated begin; of a known day only."""
    conditions, procedures = read_history(reader)
    days = {p.day: p.sources[0] for p in procedures if wanted and wanted <= set(analyse(f"{p.side} {p.name}"))}
    if not days:
        wanted -= set(analyse(_DIAGNOSED))
        found = [c for c in conditions if wanted and wanted <= set(analyse(c.name)) and c.since]
        days = {day: c.sources[0] for c in found for day in c.since}
    day = next(iter(days), "")
    return Event(day, day, days[day]) if len(days) == 1 and len(day) == len("2020-01-01") else None


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
    return Event(stay.first, stay.last, source)


def telling(info: DocumentInfo, wanted: set[str], reader: PartitionReader, analyse: Analyse) -> Source | None:
    """The first sentence of a note that has all the words."""
    text = reader.document(info.key).text
    for s in reader.sentences(info.key):
        said = text[s.start : s.end]
        if wanted <= set(analyse(said)):
            day = info.time.date if info.time else ""
            return Source(info.key, info.doc_id, s.n, s.start, s.end, day, info.note_type, said, info.sha256)
    return None
