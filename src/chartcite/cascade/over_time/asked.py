"""What a question wants of the timeline, from its words. Any word that may narrow it leaves it to the ranking."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from chartcite.cascade.over_time.cues import cue, says
from chartcite.cascade.over_time.marked import Marked, Named
from chartcite.cascade.over_time.plain import plain

Kind = Literal[
    "value", "change", "trend", "beyond", "extreme", "medicines", "dose", "dose_change", "course", "hold", "stay",
    "holds", "stays", "procedures", "order",
]  # fmt: skip
At = Literal["", "latest", "now", "first", "on", "before", "after"]
Side = Literal["", "above", "below"]


@dataclass(frozen=True, slots=True)
class OverTime:
    """A question for the timeline.

    Attributes:
        at: which value or dose is wanted; with `before`, `after` and `on` of `days` or of the event.
        days: ISO dates that it names, in its order.
        period: `2013` or `2013-05`, or empty.
        events: the words that name an event; of `order` each pair is one way to read the two.
        things: the measured things or the drugs.
        side: of a limit; of `extreme` the lowest or the highest.
        limit: of `beyond`.
    """

    kind: Kind
    at: At = ""
    days: tuple[str, ...] = ()
    period: str = ""
    events: tuple[tuple[str, ...], ...] = ()
    things: tuple[Named, ...] = ()
    side: Side = ""
    limit: Named | None = None


@dataclass(frozen=True, slots=True)
class Tied:
    """A question without the event or the day that it is tied to, and how it is."""

    rest: Marked
    at: At = ""
    event: str = ""


_WHOSE = re.compile(
    r"^(?:he|she|they|I|(?:the |this )?patient|(?:que )?(?:ele|ela|[oa] paciente)|que)\s+"
    r"(?:(?:had|underwent|got|fez|realizou|teve)\s+)?",
    re.IGNORECASE,
)
"""`before she had the colectomy`."""
_SIGN = re.compile(r" [,;?!.:](?= |$)")


def is_plain(read: Marked, *lists: str) -> bool:
    """Whether all words of a question are in some lists of `plain`, or in a phrase that narrows nothing."""
    allowed = plain(*lists)
    return read.words() <= allowed or _without_idle(read).words() <= allowed


def _without_idle(read: Marked) -> Marked:
    found = cue("idle").search(read.text)
    while found is not None:
        read = read.without(*found.span())
        found = cue("idle").search(read.text)
    return read


def named_days(read: Marked) -> tuple[str, ...]:
    """The days that a question names, as ISO."""
    return tuple(one.iso for one in read.of("DAY"))


def named_period(read: Marked) -> str:
    """The year or month that it names, or nothing."""
    return next((one.iso for one in read.of("PERIOD")), "")


def end_of_event(text: str, start: int) -> int:
    """Where the words of an event end that begin at `start`: at a sign, at a question word, at `was over`."""
    ends = [
        found.start()
        for found in (_SIGN.search(text, start), _behind("asking", text, start), _behind("over", text, start))
        if found
    ]
    return min(ends, default=len(text))


def _behind(name: str, text: str, start: int) -> re.Match[str] | None:
    return cue(name).search(text, start + 1)


def tied(read: Marked) -> Tied | None:
    """What a question is tied to; None where that is more than one thing."""
    ways: tuple[tuple[At, str], ...] = (("before", "before"), ("after", "after"), ("on", "during"))
    ties = [(at, name) for at, name in ways if says(name, read.text)]
    if len(ties) > 1:
        return None
    return _tied(read, *ties[0]) if ties else _at_event(read)


def _at_event(read: Marked) -> Tied:
    """`At the colectomy, what ...`: only where the words behind `at the` are what makes a question narrower."""
    if read.words() <= plain("dose", "list", "value", "first", "trend", "times", "long"):
        return Tied(read)
    for found in cue("at_event").finditer(read.text):
        end = end_of_event(read.text, found.end())
        head = read.text[found.end() : end].split()
        if head and head[0].isalpha() and head[0].islower() and head[0] not in plain("dose", "list", "value", "first"):
            one = _tied_to(read, "on", found.start(), found.end())
            return one if one is not None and is_plain(one.rest, "dose", "list", "value") else Tied(read)
    return Tied(read)


def _tied(read: Marked, at: At, name: str) -> Tied | None:
    found = cue(name).search(read.text)
    assert found is not None  # noqa: S101 - it was found by `says`
    if read.text.startswith(" DAY", found.end()):
        is_one = len(named_days(read)) == 1 and at != "on"
        return Tied(read.without(*found.span()), at) if is_one else Tied(read)
    return _tied_to(read, at, *found.span())


def _tied_to(read: Marked, at: At, start: int, behind: int) -> Tied | None:
    """The event that begins behind a tie and what is left of the question without both."""
    end = end_of_event(read.text, behind)
    over = cue("over").match(read.text, end + 1) or cue("over").match(read.text, end)
    event = _WHOSE.sub("", read.written(behind, end).strip())
    rest = read.without(start, over.end() if over else end)
    is_only = bool(event) and not named_days(rest) and not named_period(rest)
    return Tied(rest, at, event) if is_only else None


def of_values(one: Tied) -> OverTime | None:
    """A question about measured things."""
    read, text = one.rest, one.rest.text
    asked = OverTime(
        "value", one.at, named_days(read), named_period(read), ((one.event,),) if one.event else (), read.of("THING")
    )
    if one.at in ("before", "after"):
        return _beside(asked, read)
    if one.at == "on":
        return None
    if len(asked.days) == 2:
        return _between(asked, read)
    changes = says("change", text) or says("trend", text)
    if len(asked.days) == 1 and says("since", text):
        is_right = changes and is_plain(read, "trend", "value", "latest")
        return replace(asked, kind="trend") if is_right and not asked.period else None
    is_trend = says("trend", text) or (asked.period and says("change", text))
    if not asked.days and is_trend and not says("latest", text) and not says("first", text):
        return replace(asked, kind="trend") if is_plain(read, "trend", "value") else None
    return _of_one_time(asked, read)


def _beside(asked: OverTime, read: Marked) -> OverTime | None:
    """The first value before an event, and the last one after it, are other questions."""
    if asked.at == "before":
        is_other = says("first", read.text)
    else:
        is_other = says("latest", read.text) and not says("next", read.text)
    return asked if is_plain(read, "value", "latest", "first") and not is_other else None


def _between(asked: OverTime, read: Marked) -> OverTime | None:
    if asked.days[0] == asked.days[1] or asked.period or not is_plain(read, "trend", "value"):
        return None
    is_trend = says("trend", read.text) and not says("how_much", read.text)
    return replace(asked, kind="trend" if is_trend else "change", days=tuple(sorted(asked.days)))


def _of_one_time(asked: OverTime, read: Marked) -> OverTime | None:
    """The latest value, the first, or that of a day."""
    latest, first = says("latest", read.text), says("first", read.text)
    if len(asked.days) > 1 or (latest and first) or not is_plain(read, "value", "latest", "first"):
        return None
    if latest or first:
        return replace(asked, at="latest" if latest else "first")
    return replace(asked, at="on") if asked.days and not asked.period else None


def of_doses(one: Tied) -> OverTime | None:
    """A question about the dose of one drug."""
    read, text = one.rest, one.rest.text
    days, drugs = named_days(read), read.of("DRUG")
    if len(drugs) != 1 or named_period(read) or one.at in ("before", "after") or len(days) > 2:
        return None
    if one.event:
        asks = says("dose", text) and is_plain(read, "dose")
        return OverTime("dose", "on", events=((one.event,),), things=drugs) if asks else None
    if says("dose_change", text) and is_plain(read, "dose_change"):
        return OverTime("dose_change", "", tuple(sorted(days)), things=drugs) if days else None
    latest, first = says("latest", text), says("first", text)
    is_dose = says("dose", text) and is_plain(read, "dose", "latest", "first") and len(days) < 2
    if not is_dose or (latest and first) or (days and first):
        return None
    if days:
        return OverTime("dose", "on", days, things=drugs)
    at: At = "first" if first else "now" if says("now", text) else "latest"
    return OverTime("dose", at, things=drugs) if latest or first else None


_START = re.compile(
    r"\bat (?:initiation|the (?:very )?(?:outset|start|beginning|initiation)(?: of (?:treatment|therapy|DRUG))?)|"
    r"\bbefore any (?:change|adjustment)s?|"
    r"\b(?:when|quando) (?:(?:(?:the )?treatment|therapy|DRUG|it|he|she|they|(?:the )?patient|[oa] paciente|el[ea]) )?"
    r"(?:was |were |foi )?(?:first |originally )?"
    r"(?:started|begun|began|prescribed|introduced|initiated|commenced|taken|took|given|start(?:ed)? on|put on|"
    r"iniciad[oa]|come[çc]ou|introduzid[oa]|prescrit[oa])(?: (?:on|taking|to take|a tomar))?(?: DRUG)?"
)
_BOTH = re.compile(
    r"\b(?:before and after|after and before|(?:old|previous) and (?:the )?new|new and (?:the )?(?:old|previous)|"
    r"antes e depois|(?:antiga|anterior) e (?:a )?nova)"
    r"(?: d[eoa]s?)?(?: the)?(?: (?:change|adjustment|mudan[çc]a))?(?: (?:on|of|at|em|d[eoa]))?"
)


def of_start(read: Marked) -> OverTime | None:
    """The dose of a drug when it was started: the first one."""
    found, drugs = _START.search(read.text), read.of("DRUG")
    if found is None or len(drugs) != 1 or named_days(read) or named_period(read) or read.of("THING"):
        return None
    rest = read.without(*found.span())
    asks = says("dose", rest.text) and is_plain(rest, "dose", "first") and not says("latest", rest.text)
    return OverTime("dose", "first", things=drugs) if asks else None


def of_both_doses(read: Marked) -> OverTime | None:
    """The doses on both sides of a change, that a question asks for as such."""
    found, drugs, days = _BOTH.search(read.text), read.of("DRUG"), named_days(read)
    if found is None or len(drugs) != 1 or len(days) != 1 or named_period(read) or read.of("THING"):
        return None
    is_only = is_plain(read.without(*found.span()), "dose_change")
    return OverTime("dose_change", "", days, things=drugs) if is_only else None


def of_medicines(one: Tied) -> OverTime | None:
    """A question for all medicines of a day, and nothing narrower."""
    read, days = one.rest, named_days(one.rest)
    if one.event and one.at == "on":
        asks = says("medicines", read.text) and not read.of("DRUG") and is_plain(read, "list")
        return OverTime("medicines", "on", events=((one.event,),)) if asks else None
    is_list = not one.at and says("medicines", read.text) and not read.of("DRUG") and not named_period(read)
    return OverTime("medicines", days=days) if is_list and len(days) < 2 and is_plain(read, "list") else None
