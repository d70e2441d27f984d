"""How long something was, how often something happened, and which of two events came first, from a question's words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chartcite.cascade.over_time.asked import OverTime, Side, end_of_event, is_plain, named_days, named_period
from chartcite.cascade.over_time.cues import cue, says
from chartcite.cascade.over_time.marked import Marked
from chartcite.cascade.over_time.plain import plain
from chartcite.records.naming import is_procedure

_BEFORE_OR_AFTER = re.compile(
    r"^(?:was|were|did|is|has|had|foi|veio|(?=[oa] |el[ea] |DRUG |in[íi]ci)) ?"
    r"(?:(?:he|she|they|(?:the |this )?patient|el[ea]|[oa] paciente) (?:had |have )?)?(.+?) "
    r"(?:foi |veio |ocorreu |aconteceu |come |came |happen |happened |occur |occurred |take place |took place |"
    r"done |performed )?"
    r"(?:before or after|after or before|earlier or later than|before|earlier than|sooner than|by the time of|precede|"
    r"predate|precedeu|antecedeu|antes ou depois|depois ou antes|antes)(?: d[eoa])? (?:or after )?"
    r"(?:(?:he|she|they|(?:the |this )?patient) (?:had |have )?)?(.+?)(?: (?:was )?(?:done|performed|took place))? \?$"
)
_SPLIT = re.compile(r" (?:;|,|or|and|then|ou|e) ")
_LEAD = re.compile(
    r"^.*?(?:first|earlier|earliest|sooner|order(?: of time)?|chronologically|sequence|by date|primeiro|antes|"
    r"mais cedo|ordem(?: cronológica)?|cronologicamente)(?: of (?:time|events))?(?: [:,—–-])?(?= )"
)
_TAIL = re.compile(r"^(.*?) [,:;—–-] (?:which|what|o que|qual)\b.*$")
_COUNTED = re.compile(
    r"\b(?:how many (?:separate |different )?times(?: in total)?|how often|how frequently|"
    r"on how many (?:separate |different )?(?:occasions|days|dates)|quantas vezes)\b"
    r"(?: (?:has|have|had|did|does|was|were|is|patient|"
    r"he|she|they|an?|the|this|person|a|o|paciente|foi|já|fez|realizou|submetid[oa] a|passou por|undergo|undergone|"
    r"underwent|get|received?))+ (?P<event>.+?)"
    r"(?: (?:performed|done|carried out|take place|taken place|repeated|recorded|documented|feit[oa]|realizad[oa]|"
    r"in (?:the )?(?:record|chart|notes)|in (?:total|all)|so far|appear|on (?:her|him|them|(?:the |this )?patient)))*"
    r" [?.]$"
)
_PLURAL = re.compile(
    r"\b(?:how many|(?:the )?number of|count (?:all )?(?:the )?|quantas|quantos|n[úu]mero d[eoa]s?) "
    r"(?:times (?:an? |the )?)?(?:separate |different |distinct )?"
    r"(?P<event>[^\W\d_]+(?: [^\W\d_]+){0,4}?)(?: (?:procedures|operations))?"
    r"(?: (?:(?:has|have|had|did|do|does|were|was|are|is|been|there|patient|he|she|they|the|this|an?|[oa]|paciente|"
    r"el[ea]|j[áa]|foram|tem|teve|fez|consta|constam|há|undergo|undergone|underwent|have|get|done|performed|recorded|"
    r"documented|noted|listed|carried out|on record|in (?:total|all)|so far|show|contain|hold|record|chart|"
    r"in (?:the )?(?:record|chart|notes)|no prontu[áa]rio|feitas?|realizadas?|registradas?)(?: |$))*)? ?[?.]?$"
)
_AROUND = re.compile(
    r"^(?:(?:between|either|it true that|true that|entre) (?=\S)|[AaOo]s? (?=[^\W\d_]{2,}))+|"
    r"(?: (?:already|did|was|happened|occurred|took place|in the (?:record|chart)|no prontuário))+$",
    re.IGNORECASE,
)
_NO_PROCEDURE = re.compile(
    r"\b(?:dos[ea]|chang|stop|start|increas|decreas|adjust|rais|lower|given|giving|tak|skip|miss|seen|f[ae]ll|call|visit|"
    r"held|hold|mud|alter|ajust|aument|reduz|suspens|tom[ao]|us[ao]|ca[íi])",
    re.IGNORECASE,
)
"""What is done with a drug, or befalls a person, is no operation."""


def _name(words: str) -> str:
    """An event without the words around it that are none of its name; an answer says it as it stands here."""
    return _AROUND.sub("", words)


def of_order(read: Marked) -> OverTime | None:
    """Which of two events came first."""
    if read.of("THING") or read.of("DAY"):
        return None
    both = _BEFORE_OR_AFTER.match(read.text)
    if both:
        return OverTime("order", events=((_name(read.written(*both.span(1))), _name(read.written(*both.span(2)))),))
    pairs = tuple(_pairs(read)) if says("order", read.text) else ()
    return OverTime("order", events=pairs) if pairs else None


def _pairs(read: Marked) -> Iterator[tuple[str, ...]]:
    """The ways to read two events behind `which came first`, or before it; the words around them narrow nothing."""
    text = read.text.rstrip(" ?.")
    lead, tail = _LEAD.match(text), _TAIL.match(text)
    start, end = (lead.end(), len(text)) if lead and text[lead.end() :].strip() else tail.span(1) if tail else (0, 0)
    outside = read.without(start, end) if end else read
    if not end or not outside.words() <= plain("order"):
        return
    splits = [found for found in _SPLIT.finditer(text, start, end) if found.start() > start]
    surest = [found for found in splits if found[0].strip() in (";", "or", "ou")] or splits
    for found in surest:
        pair = read.written(start, found.start()).strip(" :,"), read.written(found.end(), end).strip(" ?.")
        if all(pair):
            yield _name(pair[0]), _name(pair[1])


_WAS_HELD = re.compile(
    r"^(?!.* (?:até|until|till|before|antes|depois|after) ).*"
    r"\b(?:foi|ficou|esteve|está|estava|permaneceu|is|was|been|were|"
    r"stay(?:ed)?|remain(?:ed)?) (?:suspens|pausad|interrompid|held|paused|suspended|interrupted|withheld|on hold)|"
    r"^(?!.*\b(?:in[íi]cio|inici|come[çc]))(?=.*\b(?:dura[çc][ãa]o|durou)\b)"
    r".*\b(?:suspens[ãa]o|interrup[çc][ãa]o|pausa) d[eoa] DRUG",
    re.IGNORECASE,
)
"""In Portuguese what was held and what was stopped is one word; the length of having been so is that of a pause."""


def of_length(read: Marked) -> OverTime | None:
    """How long a course, a pause or a stay was."""
    drugs, days = read.of("DRUG"), named_days(read)
    if read.of("THING") or len(days) > 1 or named_period(read) or len(drugs) > 1:
        return None
    if drugs:
        is_pause = _WAS_HELD.search(read.text) is not None or not is_plain(read, "course")
        if says("hold", read.text) and is_plain(read, "hold") and is_pause:
            return OverTime("hold", days=days, things=drugs)
        return OverTime("course", days=days, things=drugs) if is_plain(read, "course") else None
    if not says("stay", read.text):
        return None
    if days:
        return OverTime("stay", days=days) if is_plain(read, "stay") else None
    return _stay_for(read)


def _stay_for(read: Marked) -> OverTime | None:
    found = cue("stay_for").search(read.text)
    if is_plain(read, "stay_alone") and not says("not_how_long", read.text):
        return OverTime("stay")
    if found is None:
        return None
    end = end_of_event(read.text, found.end())
    words = read.written(found.end(), end).strip()
    is_right = bool(words) and is_plain(read.without(found.end(), end), "stay")
    return OverTime("stay", events=((f"stay for {words}",),)) if is_right else None


def of_count(read: Marked) -> OverTime | None:
    """How often something was beyond a limit, held, or done; how many stays."""
    if len(named_days(read)) not in (0, 2):
        return None
    if read.of("THING") or read.of("LIMIT"):
        return _beyond(read)
    return _of_drug(read) if read.of("DRUG") else _of_stays(read)


def _beyond(read: Marked) -> OverTime | None:
    things, limits = read.of("THING"), read.of("LIMIT")
    if says("not_beyond", read.text):  # `no more than 5` is the other side
        return None
    above, below = says("above", read.text), says("below", read.text)
    if not above and not below and limits:  # `on how many days was it > 5`
        above, below = limits[0].text.startswith((">", "≥")), limits[0].text.startswith(("<", "≤"))
    if len(things) != 1 or len(limits) != 1 or read.of("DRUG") or above == below or not is_plain(read, "beyond"):
        return None
    side: Side = "above" if above else "below"
    return OverTime("beyond", "", named_days(read), named_period(read), things=things, side=side, limit=limits[0])


def _of_drug(read: Marked) -> OverTime | None:
    drugs, text = read.of("DRUG"), read.text
    if len(drugs) == 1 and says("hold", text) and is_plain(read, "hold", "times"):
        return OverTime("holds", "", named_days(read), named_period(read), things=drugs)
    return _procedures(read)


def _of_stays(read: Marked) -> OverTime | None:
    if says("stay", read.text) and is_plain(read, "stays"):
        return OverTime("stays", "", named_days(read), named_period(read))
    return _procedures(read)


def _one_of(several: str) -> str:
    """The singular of what is counted, of an operation; else nothing.

    >>> _one_of("colectomies"), _one_of("children")
    ('colectomy', '')
    """
    words = several.split()
    last = re.sub(r"ies$", "y", words[-1]) if words[-1].endswith("ies") else words[-1].removesuffix("s")
    one = " ".join([*words[:-1], last])
    return one if words[-1].endswith("s") and is_procedure(one) else ""


def _procedures(read: Marked) -> OverTime | None:
    """How often something was done: its name is what no rule knows, so the record has to know it."""
    found = _COUNTED.search(read.text)
    several = _PLURAL.search(read.text) if found is None else None
    if named_days(read) or named_period(read):
        return None
    event = read.written(*found.span("event")) if found else ""
    if several is not None and (one := _one_of(read.written(*several.span("event")))):
        event = one
    return OverTime("procedures", events=((event,),)) if event and not _NO_PROCEDURE.search(event) else None
