"""In what sense a sentence names a thing: affirmed, denied, a relative's, suspected, past, planned, or something else.

The assertions of `facts` decide; `data/cues.toml` adds what they do not know, and what only such a question needs.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from chartcite.cascade.presence.boxes import is_unticked
from chartcite.cascade.presence.patterns import pattern
from chartcite.cascade.standing import family_header
from chartcite.core.documents import Span
from chartcite.core.presence import About, PresenceStatus
from chartcite.facts.line import overlap
from chartcite.facts.read import SentenceFacts, read_facts

_SHORT_CHARS = 4
_OWN = re.compile(
    r"\b(?:non?|not|never|without|lack|absence|risk|possible|awaiting|partner|parents?|mother|father|spouse|child|family|sem|n[ãa]o|"
    r"risco|m[ãa]e|pai|filh[oa]|fam[íi]lia)\b",
    re.IGNORECASE,
)
"""Of the thing's own words, those that would deny it or give it to another: `non-small cell carcinoma`."""
_INNER = re.compile(r"\b(?:unintentional|unintended|unexplained|involunt[áa]ri[oa])\b", re.IGNORECASE)
_COMMA = re.compile(r"\b(denies|denied|nega),", re.IGNORECASE)
_ASKED = re.compile(r"\?(?=\s*,)")
"""`latex?, peanuts` doubts what it stands behind, not the next: a cue of our own."""
_STOPS = re.compile(r";|[.!?](?=\s|$)")


@dataclass(frozen=True, slots=True)
class Sense:
    """How a sentence names the thing; `is_lasting`: it denies it of all time (`never`, `no history of`)."""

    status: PresenceStatus
    is_lasting: bool = False


def sense_of(text: str, span: Span, section: Sequence[str], about: About) -> Sense:
    """In what sense a sentence has the thing at `span`.

    Args:
        text: the sentence with the header on its own line.
        span: in `text`.
        section: the headers above it.
        about: in what sense it is asked for.
    """
    facts = read_facts(_plain(text, span), 0, len(text))
    names: set[str] = {name for s in facts.standings if overlap(s.span, span) for name in s.names}
    if pattern("withdrawn").search(text):
        return Sense("denied", True)
    if is_unticked(text, span):
        return Sense("unclear")
    if about == "allergy":
        return _allergy(text, span, section, names)
    before, after = text[: span.start], text[span.end :]
    if pattern("cause").match(after):  # "anemia likely due to CKD" doubts the cause alone
        names, after = names - {"possible"}, ""
    if about == "drug" and pattern("not_stopped").search(before):
        return Sense("present")
    if pattern("of_part").match(after):
        names = names - {"absent"}
    status = _by_cue(before, after) or _by_names(names, before, after)
    if status in ("present", "historical", "denied") and family_header(section):
        status = "family_denied" if status == "denied" else "family"
    if status == "present":
        status = _as_asked(text, span, section, about, facts)
    return Sense(status, status == "denied" and bool(pattern("lasting").search(before)))


def _plain(text: str, span: Span) -> str:
    """The text with other letters for what the assertion rules take for a word of theirs and is one of the thing's.

    `unintentional weight loss` denies no loss, and in `nega DM, HAS` nobody has anything.
    """
    text = _ASKED.sub(" ", _COMMA.sub(r"\1 ", text))
    text = _INNER.sub(lambda found: "q" * len(found[0]), text)
    own = text[span.start : span.end]
    if own.isupper() and len(own) <= _SHORT_CHARS:
        own = "Q" * len(own)
    own = _OWN.sub(lambda found: "q" * len(found[0]), own)
    return text[: span.start] + own + text[span.end :]


def _by_cue(before: str, after: str) -> PresenceStatus | None:
    for status, ahead, behind in _cues():
        if (ahead is None or ahead.search(before)) and (behind is None or behind.match(after)):
            return status
    return None


def _by_names(names: Collection[str], before: str, after: str) -> PresenceStatus:
    if "family" in names:
        return "family_denied" if "absent" in names else "family"
    if "absent" in names:
        return _denied(before, after)
    known: tuple[tuple[str, PresenceStatus], ...] = (
        ("unclear", "unclear"), ("hypothetical", "planned"), ("possible", "possible"), ("historical", "historical")
    )  # fmt: skip
    return next((status for name, status in known if name in names), "present")


def _denied(before: str, after: str) -> PresenceStatus:
    """Who denies that something came back or changed does not deny that it is there."""
    if pattern("not_returned").match(after) or pattern("recurrence_of").search(before):
        return "historical"
    if pattern("change_of_own").search(before):
        return "present"
    return "unclear" if pattern("change_of").search(before) else "denied"


def _as_asked(text: str, span: Span, section: Sequence[str], about: About, facts: SentenceFacts) -> PresenceStatus:
    """What is affirmed, but perhaps in another sense than the one asked for."""
    clause = _clause(text, span)
    is_offered = bool(pattern("offered").search(clause)) and not pattern("done").search(clause)
    if about == "drug":
        kinds = {change.kind for change in facts.changes if overlap(change.drug.span, span)}
        if kinds - {"stop"}:
            return "present"
        if kinds or pattern("stopped").search(clause):
            return "historical"
        return "other_sense" if _is_allergen(text, span, section) else "planned" if is_offered else "present"
    if about == "test":
        is_open = bool(pattern("pending").search(clause)) and not any(c.isdigit() for c in text[span.end :])
        return "planned" if is_open or pattern("goal").search(clause) else "present"
    if about == "procedure":
        is_open = bool(pattern("pending").search(clause)) and not pattern("done").search(clause)
        return "planned" if is_offered or is_open else "present"
    is_reaction = about == "thing" and bool(pattern("harm").search(text[span.start : span.end]))
    return "historical" if is_reaction and _is_allergen(text, span, section) else "present"


def _allergy(text: str, span: Span, section: Sequence[str], names: Collection[str]) -> Sense:
    if pattern("no_allergy").search(_clause(text, span)):
        return Sense("denied", True)
    is_fine = bool(pattern("fine").search(_clause(text, span)))
    if not _is_allergen(text, span, section):
        return Sense("denied" if is_fine else "other_sense")
    if "family" in names or family_header(section):
        return Sense("family_denied" if "absent" in names else "family")
    cue = _by_cue(text[: span.start], text[span.end :])
    if is_fine or "absent" in names or cue == "denied":
        return Sense("denied", True)
    is_doubtful = cue == "possible" or "possible" in names or "unclear" in names
    return Sense("possible" if is_doubtful else "present")


def _is_allergen(text: str, span: Span, section: Sequence[str]) -> bool:
    """Whether the thing is named as what somebody is allergic to or reacted to."""
    clause = _clause(text, span)
    if any(pattern("allergy").search(header) for header in section) or pattern("allergy").search(clause):
        return True
    behind = clause[clause.find(text[span.start : span.end]) :]
    led = pattern("led_to").search(behind)
    if led and pattern("harm").search(behind, led.end()):
        return True
    if not pattern("reaction").search(clause):
        return False
    return bool(pattern("harm").search(clause) or pattern("reaction_to").search(clause))


def _clause(text: str, span: Span) -> str:
    """What stands around the thing, from one `;` or full stop to the next."""
    first = max((m.end() for m in _STOPS.finditer(text, 0, span.start)), default=0)
    last = next((m.start() for m in _STOPS.finditer(text, span.end)), len(text))
    return text[first:last]


@lru_cache(maxsize=1)
def _cues() -> tuple[tuple[PresenceStatus, re.Pattern[str] | None, re.Pattern[str] | None], ...]:
    data = tomllib.loads(files("chartcite.cascade.presence").joinpath("data/cues.toml").read_text("utf-8"))
    return tuple(
        (
            row["is"],
            re.compile(row["before"], re.IGNORECASE) if "before" in row else None,
            re.compile(row["after"], re.IGNORECASE) if "after" in row else None,
        )
        for row in data["cue"]
    )
