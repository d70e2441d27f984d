"""Answers about drugs: the dose of a day, what changed it, how long a course or a pause was, all that is taken."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from chartcite.cascade.over_time.asked import OverTime
from chartcite.cascade.over_time.events import are_of_their_day, event_of, is_begun, with_salts
from chartcite.cascade.over_time.told import Point, Record, Sentence, Told, computed, quote, silent
from chartcite.cascade.over_time.values import period_of
from chartcite.cascade.over_time.wording import Cited, at_day, bare, counted, say
from chartcite.facts.drugs import drug_classes
from chartcite.facts.line import overlap
from chartcite.records.doses import Course, DosePeriod, Episode
from chartcite.records.entries import Source
from chartcite.records.reading import FactsReader
from chartcite.records.timeline import listed_without_dose, read_doses
from chartcite.records.topic import EVERYTHING, Topic

SPOKEN_OF_DAYS = 400
COURSE_DAYS = 30
INFECTION_DAYS = 14
"""What was begun against an infection and is on no list since is over then."""
_FOR_A_TIME = re.compile(
    r"\b(?:until|to complete|for (?:a total of )?\w+ (?:more )?(?:days?|weeks?)|x ?\d+ ?(?:d|days?|wks?|weeks?)|"
    r"days? course|tapers?|then stop|desmame|"
    r"at[ée]|por \w+ (?:dias?|semanas?))\b",
    re.IGNORECASE,
)
_MARKS = " \t\n-*•,;:()"
_SALT = re.compile(
    r"\s*(?:succinate|tartrate|sulfate|sulphate|hydrochloride|HCl|ER|XL|XR|SR|CR|LA|CD|EC|IR|DR)\s*", re.IGNORECASE
)
_BEGINS = re.compile(
    r"\b(?:start|begin|began|begun|initiat|introduc|commenc|new today|rx\b|prescri|inici|come[çc]|introduz|optado)",
    re.IGNORECASE,
)
_ADJUSTED = re.compile(
    r"\b(?:increas|decreas|reduc|titrat|uptitrat|doubl|halv|chang|adjust|aument|diminu|alter|ajust)", re.IGNORECASE
)
"""Of a dose that there was before."""
_RESUMES = re.compile(r"\b(?:resum|restart|reintroduc|back on|again|reinici|retoma|volta)", re.IGNORECASE)


def medicines(asked: OverTime, record: Record) -> Told | None:
    """Of each drug taken on the day, its dose as it was last stated; None where none is known.

    What nobody has spoken of for a year, or was to be taken for some days only, is not called taken.
    """
    event = event_of(asked.events[0][0], record.reader, record.analyse) if asked.events else None
    if asked.events and (event is None or event.first != event.last):  # of a stay it is not known which of its days
        return None
    day = event.first if event else asked.days[0] if asked.days else record.today
    courses = read_doses(record.reader, EVERYTHING)
    without = listed_without_dose(record.reader) - {course.drug for course in courses}
    if without:
        record.fallback("medicines_without_a_dose", len(without))
    facts_of, old, stale, sentences = FactsReader(), 0, 0, list[Sentence]()
    for course in courses:
        for before, episode in pairwise((None, *course.episodes)):
            assert episode is not None  # noqa: S101 - only the first of all pairs has none before it
            period = episode.dose_on(day)
            last = _last_stated(period, day) if period else None
            if period is None or last is None:
                continue
            if _is_only_listed(before, episode, day):
                stale += 1
            elif _is_recent(course.drug, last, day, facts_of):
                shown = _plainly_stated(course.drug, period, day, facts_of) or last
                sentences.append(_dose_sentence(course.drug, shown, record, facts_of))
            else:
                old += 1
    if old:
        record.fallback("medicines_not_spoken_of_lately", old)
    if stale:
        record.fallback("medicines_named_once_after_a_stop", stale)
    sentences = _without_ended(sentences, courses, day, record, facts_of)
    quoted = {s.sources[0] for s in sentences if s.said is None}
    kept = [s for s in sentences if s.said is None or s.sources[0] not in quoted]  # a quote says both drugs of a line
    telling = quote(*event.sources) if event else ()
    return Told((*kept, *(s for s in telling if s not in kept))) if kept else None


def _without_ended(
    sentences: Sequence[Sentence], courses: Sequence[Course], day: str, record: Record, facts_of: FactsReader
) -> list[Sentence]:
    """The sentences but for quotes that name a drug which was ended by the day: it would read as taken."""
    ended = {c.drug for c in courses if not any(e.dose_on(day) for e in c.episodes)}
    kept = [
        s for s in sentences
        if s.said or ended.isdisjoint(drug.name for drug in facts_of(s.sources[0].quote).drugs)
    ]  # fmt: skip
    if len(kept) < len(sentences):
        record.fallback("medicines_beside_an_ended_one", len(sentences) - len(kept))
    return kept


def _last_stated(period: DosePeriod, day: str) -> Source | None:
    return max((s for s in period.sources if s.written <= day), key=lambda s: s.written, default=None)


def _plainly_stated(drug: str, period: DosePeriod, day: str, facts_of: FactsReader) -> Source | None:
    """The latest sentence of a dose that gives it alone: a quote of another may name a drug that was ended."""
    for source in sorted((s for s in period.sources if s.written <= day), key=lambda s: s.written, reverse=True):
        if dose_text(drug, source.quote, facts_of):
            return source
    return None


def _is_only_listed(before: Episode | None, episode: Episode, day: str) -> bool:
    """Whether a drug that was stopped stands once more in one note, which does not say that it was begun again.

    Most such entries are copied from a list of before the stop.
    """
    if before is None or before.ended != "stopped" or episode.start_is_stated:
        return False
    sources = [source for period in episode.periods for source in period.sources if source.written <= day]
    return len({source.doc_id for source in sources}) == 1 and not any(_RESUMES.search(s.quote) for s in sources)


def _is_recent(drug: str, source: Source, day: str, facts_of: FactsReader) -> bool:
    part = _own_part(drug, source.quote, facts_of)
    most = COURSE_DAYS if _FOR_A_TIME.search(part) else SPOKEN_OF_DAYS
    if _BEGINS.search(part) and "antimicrobial drug" in drug_classes(drug):
        most = INFECTION_DAYS
    try:
        return (date.fromisoformat(day) - date.fromisoformat(source.written)).days <= most
    except ValueError:  # a month or a year only
        return True


def _own_part(drug: str, quote: str, facts_of: FactsReader) -> str:
    """What of a sentence is about a drug: of a list from its name to the next one's, else all of it."""
    drugs = facts_of(quote).drugs
    at = next((n for n, one in enumerate(drugs) if one.name == drug), None)
    if at is None or len(drugs) == 1:
        return quote
    return quote[drugs[at].span.start : drugs[at + 1].span.start if at + 1 < len(drugs) else len(quote)]


def _dose_sentence(
    drug: str, source: Source, record: Record, facts_of: FactsReader, also: Sequence[Source] = ()
) -> Sentence:
    """`Gabapentin 600 mg tid (2017-06-12).`, as the sentence writes it; the sentence itself where that is unclear.

    `also`: what says besides that it was begun then.
    """
    text = dose_text(drug, source.quote, facts_of)
    if not text:
        return Sentence((source,))
    point = Point(text, source.written, tuple(dict.fromkeys((source, *also))))
    return computed("dose", say(record.lang, "dose", a=_cited(point, record)), drug, [point])


def dose_text(drug: str, quote: str, facts_of: FactsReader) -> str:
    """The drug with its dose and frequency as a sentence writes them.

    Empty where it states none or several, an earlier one besides, or what was done with it (`increased`, `held`).
    """
    facts = facts_of(quote)
    own = [d for d in facts.doses if d.drug.name == drug and d.strength is not None]
    changed = (
        any(c.kind != "continue" and overlap(own[0].drug.span, c.drug.span) for c in facts.changes) if own else True
    )
    if len(own) != 1 or changed or own[0].earlier is not None:
        return ""
    name, amount = own[0].drug.span, own[0].span
    strength = own[0].strength.span if own[0].strength is not None else amount
    if strength.start < name.start:
        return " ".join(quote[strength.start : max(amount.end, name.end)].split()).strip(
            _MARKS
        )  # `20 mg of atorvastatin`
    between = quote[name.end : strength.start]
    salt = " ".join(between.split()) if _SALT.fullmatch(between) else ""
    dose = quote[strength.start : amount.end].strip(_MARKS)
    return " ".join(f"{quote[slice(*name)]} {salt} {dose}".split())


def _cited(point: Point, record: Record) -> Cited:
    return at_day(record.lang, point.value, point.day, point.sources)


def dose(asked: OverTime, record: Record) -> Told | None:
    """The dose of a day, at an event, the latest or the first."""
    episodes = _episodes(asked, record)
    if not episodes:
        return None
    if asked.at == "first":
        period = next((p for e in episodes for p in e.periods), None)
        is_first = period is not None and not _ADJUSTED.search(period.sources[0].quote)
        return Told((_stated(asked, period, period.since, record),)) if period and is_first else None
    if asked.at in ("latest", "now"):
        return _last_dose(asked, episodes[-1], record)
    if asked.days:
        return _dose_on(asked, episodes, asked.days[0], record)
    event = event_of(asked.events[0][0], record.reader, record.analyse)
    found = _dose_on(asked, episodes, event.first, record) if event is not None else None
    if event is None or found is None:
        return None
    telling = quote(*event.sources)
    return replace(found, sentences=(*found.sentences, *(s for s in telling if s not in found.sentences)))


def _last_dose(asked: OverTime, episode: Episode, record: Record) -> Told | None:
    """The last dose, and that it was ended; of what is taken now only the latter."""
    ended = quote(*episode.end_sources[:1]) if episode.ended in ("stopped", "held") else ()
    if asked.at == "now" and (ended or episode.end):
        return Told(ended) if ended else None
    last = _last_stated(episode.periods[-1], record.today) if episode.periods else None
    if last is None or (asked.at == "now" and not _is_recent(episode.drug, last, record.today, FactsReader())):
        return None
    return Told((_stated(asked, episode.periods[-1], record.today, record), *ended))


def _dose_on(asked: OverTime, episodes: Sequence[Episode], day: str, record: Record) -> Told | None:
    for episode in episodes:
        period = episode.dose_on(day)
        if period is not None:
            return Told((_stated(asked, period, day, record),))
    held = next((e for e in episodes if e.end == day and e.ended == "held" and e.end_sources and e.periods), None)
    if held is not None:  # held on that very day: what was taken until then, and that
        return Told((_stated(asked, held.periods[-1], day, record), *quote(held.end_sources[0])))
    ended = [e for e in episodes if e.end and e.end <= day and e.ended in ("stopped", "held") and e.end_sources]
    later = any(e.end is None or e.end > day for e in episodes if e.start <= day)
    if ended and not later:
        return silent(ended[-1].end_sources[0])
    return None


def _episodes(asked: OverTime, record: Record) -> list[Episode]:
    courses = read_doses(record.reader, Topic(frozenset(), with_salts(asked.things[0].of)))
    return [e for course in courses for e in course.episodes] if len(courses) == 1 else []


def _stated(asked: OverTime, period: DosePeriod, day: str, record: Record) -> Sentence:
    """A dose as it was last stated by a day; by the first source where all were written later."""
    last = period.sources[0] if asked.at == "first" else _last_stated(period, day) or period.sources[0]
    facts_of, drug = FactsReader(), next(iter(asked.things[0].of))
    if not dose_text(drug, last.quote, facts_of):  # `increased to 80 mg`, quoted, says more than a dose does
        listed = [s for s in period.sources if s.written <= day and dose_text(drug, s.quote, facts_of)]
        last = max(listed, key=lambda s: s.written, default=last) if asked.at != "first" else last
    begun = [s for s in period.sources if s.written == last.written and _BEGINS.search(s.quote)]
    return _dose_sentence(drug, last, record, facts_of, begun[:1] if asked.at == "first" else ())


def dose_change(asked: OverTime, record: Record) -> Told | None:
    """The dose before a day and from it on; or the doses of two days."""
    episodes = _episodes(asked, record)
    if len(asked.days) == 2:
        told = [_dose_on(asked, episodes, day, record) for day in asked.days]
        both = [one for one in told if one is not None and not one.is_silent]
        return Told(tuple(s for one in both for s in one.sentences)) if len(both) == len(told) else None
    day = asked.days[0]
    steps = [
        pair for episode in episodes for pair in pairwise(episode.periods) if day in (pair[0].since, pair[1].since)
    ]
    if len([after for _, after in steps if after.since == day]) != 1 or steps[0][1].since != day:
        return None
    before, after = steps[0]
    steps_told = _stated(asked, before, day, record), _new(asked, after, record)
    saying = [s for s in after.sources if s.written == day and _ADJUSTED.search(s.quote)]
    return Told((*steps_told, *(s for s in quote(*saying[:1]) if s not in steps_told)))


def _new(asked: OverTime, period: DosePeriod, record: Record) -> Sentence:
    """The dose that a day brought, by the first sentence that states it."""
    return _dose_sentence(next(iter(asked.things[0].of)), period.sources[0], record, FactsReader())


def holds(asked: OverTime, record: Record) -> Told | None:
    """How often a drug was held."""
    ends = [e for e in _episodes(asked, record) if e.ended == "held" and e.end and e.end_sources]
    points = [Point("", e.end or "", e.end_sources[:1]) for e in ends if (e.end or "").startswith(asked.period)]
    return Told((_count("holds", asked, points, record),)) if points and not asked.days else None


def _count(form: str, asked: OverTime, points: Sequence[Point], record: Record) -> Sentence:
    name = bare(record.lang, asked.things[0].text)
    said = say(
        record.lang, form, name=name, times=counted(record.lang, "time", len(points)), period=period_of(asked, record),
        list=[_cited(p, record) if p.value else Cited(p.day, p.sources) for p in points],
    )  # fmt: skip
    return computed("count", said, name, points, times=len(points), of=form)


def course(asked: OverTime, record: Record) -> Told | None:
    """How long a course was: from its stated begin to its stated end; None where it is open or there are several."""
    episodes = _episodes(asked, record)
    first_of_all = episodes[0] if episodes else None
    whole = [e for e in episodes if e.end and e.ended == "stopped" and e.end_sources and e.periods]
    whole = [e for e in whole if are_of_their_day(e.end_sources[:1], e.end or "")]
    right = [e for e in whole if e.start == asked.days[0]] if asked.days else whole
    if len(right) != 1 or (right[0] is first_of_all and not is_begun(right[0], record.reader)):
        return None
    first, last = _told_by(_BEGINS, right[0].periods[0].sources), right[0].end_sources[:1]
    return Told((_stretch("course", asked, right[0].start, first, right[0].end or "", last, record),))


def hold(asked: OverTime, record: Record) -> Told | None:
    """How long a drug was held: from the hold to the next course."""
    episodes = _episodes(asked, record)
    pauses = [
        (one, other) for one, other in pairwise(episodes)
        if one.ended == "held" and one.end_sources and other.periods and (not asked.days or one.end == asked.days[0])
    ]  # fmt: skip
    if len(pauses) != 1:
        return None
    one, other = pauses[0]
    resumed = _told_by(_RESUMES, other.periods[0].sources)
    is_told = other.start_is_stated or any(_RESUMES.search(s.quote) for s in resumed)
    right = are_of_their_day(one.end_sources[:1], one.end or "") and are_of_their_day(resumed, other.start)
    if not is_told or not right:
        return None
    return Told((_stretch("hold", asked, one.end or "", one.end_sources[:1], other.start, resumed, record),))


def _told_by(way: re.Pattern[str], sources: Sequence[Source]) -> tuple[Source, ...]:
    """The first of some sentences that tells it in words, else the first."""
    return tuple(s for s in sources if way.search(s.quote))[:1] or tuple(sources[:1])


def _stretch(
    form: str, asked: OverTime, first: str, begun: Sequence[Source], last: str, ended: Sequence[Source], record: Record
) -> Sentence:
    name = bare(record.lang, asked.things[0].text)
    days = days_between(first, last)
    said = say(
        record.lang, form, name=name, a=Cited(first, tuple(begun)), b=Cited(last, tuple(ended)),
        days=counted(record.lang, "day", days),
    )  # fmt: skip
    points = [Point("begin", first, tuple(begun)), Point("end", last, tuple(ended))]
    return computed("duration", said, name, points, days=days, of=form)


def days_between(first: str, last: str) -> int:
    """Days from one ISO date to another."""
    return (date.fromisoformat(last) - date.fromisoformat(first)).days
