"""In what sense a sentence names a thing: affirmed, denied, a relative's, suspected, past, planned, or something else.

The assertions of `facts` decide; `data/cues.toml` adds what they do not know, and what only an absence question needs.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from chartcite.cascade.standing import family_header
from chartcite.core.documents import Span
from chartcite.core.presence import About, PresenceStatus
from chartcite.facts.changes import Change
from chartcite.facts.line import overlap
from chartcite.facts.read import SentenceFacts, read_facts

_CHANGE_OF = re.compile(
    r"\b(?P<back>recurren\w*|relaps\w*|recorr[êe]ncia|recidiva)?(?P<more>worsen\w*|increas\w*|progress\w*|chang\w*|exacerbat\w*|"
    r"piora|aumento|progress[ãa]o|mudan[çc]a)?\s+(?:of|in|d[eoa]|n[oa])\s+(?P<own>her|his|their|the|known|chronic|seu|sua)?(?:\s*\w+\s+){0,2}\Z",
    re.I,
)
_RECUR = re.compile(r"\A\s+(?:has|have|had)? ?(?:not|never) (?:recurred|returned|come back|relapsed)", re.I)
_ALLERGY = re.compile(r"allerg|al[ée]rgic|alergi|anaphyla|anafila|intoleran|hypersensitiv|hipersens", re.I)
_REACTION = re.compile(r"\b(?:reactions?|rea[çc](?:[ãa]o|[õo]es)|adverse)\b|\bcaus(?:es|ed|ou|a)\b", re.I)
_REACTED = re.compile(
    r"\b(?:allergic to|reaction to|al[ée]rgic[oa] a|rea[çc][ãa]o (?:a|à|ao)|\w+ (?:causes|allergy,))[^.;]*\Z", re.I
)
_HARM = re.compile(
    r"\b(?:anaphyla\w*|hives|rash\w*|urticaria|swelling|angioedema|wheez\w*|bronchospasm|itch\w*|throat|stomach upset|"
    r"anafila\w*|urtic[áa]ria|exantema|broncoespasmo|prurido|edema|erup[çc][ãa]o)\b",
    re.I,
)
_FINE = re.compile(
    r"\btolerat\w*|(?:\bwithout|\bw/o) (?:any )?(?:a )?(?:problem\w*|reaction\w*|incident|trouble|issue\w*|difficulty|ill effect\w*)|"
    r"\bno (?:reaction|problem|adverse|trouble|ill effect|issue)\w*|\bdid (?:fine|well) (?:on|with)|\bnot allergic|\bsem (?:problemas?|rea[çc]\w+|"
    r"intercorr\w+)|\btoler(?:ou|a|ado|ada)\b|\bn[ãa]o [ée] al[ée]rgic",
    re.I,
)
_NO_ALLERGY = re.compile(
    r"\bnot (?:known to be )?allergic|\b(?:no|denies|denied|without)\s+(?:\w+\s+){0,3}(?:allerg\w+|reaction)|\bnega alergi\w+|\bsem alergi\w+|\bn[ãa]o [ée] al[ée]rgic\w+",
    re.I,
)
_OFFERED = re.compile(
    r"\b(?:declin\w+|refus\w+|recommend\w*|offer\w*|consider\w*|discuss\w*|will (?:start|begin|give|need|order|schedule|get)|plan(?:s|ned)? (?:to|for)|"
    r"schedul\w+|refer\w* for|candidate for|suggest\w*|propos\w*|if needed|recus\w+|sugerid\w+|recomend\w+|agendad\w+|programad\w+|"
    r"pretend\w+|solicit\w+ avalia)\b",
    re.I,
)
_PENDING = re.compile(
    r"\b(?:pending|ordered|to be (?:drawn|checked|sent)|will check|check .{0,20} next|recheck|pendente|solicitad\w+|solicito|pedir)\b",
    re.I,
)
_GOAL = re.compile(r"\b(?:goal|target|aim(?:ing)? for|meta|alvo)\b", re.I)
_LASTING = re.compile(
    r"\b(?:(?:no|denies|denied|without)\s+(?:\w+\s+){0,2}(?:history|hx)\s+of|(?:never|has not ever)\s+(?:had|been|taken|undergone|received|used|smoked)|"
    r"nunca\s+(?:teve|usou|tomou|fez|fumou|recebeu)|(?:sem|nega)\s+(?:hist[óo]ria|hist[óo]rico|antecedentes?)(?:\s+\w+)?\s+de)\s+(?:\w+\s+){0,3}\Z",
    re.I,
)
_VALUE = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Sense:
    """How a sentence names the thing; `is_lasting`: it speaks of all time (`never`, `no history of`)."""

    status: PresenceStatus
    is_lasting: bool = False


def sense_of(text: str, span: Span, section: Sequence[str], about: About) -> Sense:
    """In what sense a sentence has the thing at `span`.

    Args:
        text: the sentence with the header on its own line.
        section: the headers above it.
        about: in what sense it is asked for.
    """
    facts = read_facts(text, 0, len(text))
    names = {name for s in facts.standings if overlap(s.span, span) for name in s.names}
    before, after = text[: span.start], text[span.end :]
    if about == "allergy":
        return _allergy(text, span, section, names)
    status = _by_cue(before, after)
    if status is None:
        status = _by_names(names, before, after)
    if status in ("present", "historical", "denied") and family_header(section):
        status = "family_denied" if status == "denied" else "family"
    if status == "present":
        status = _as_asked(text, span, section, about, facts)
    return Sense(status, status == "denied" and bool(_LASTING.search(before)))


def _by_cue(before: str, after: str) -> PresenceStatus | None:
    for status, ahead, behind in _cues():
        if (ahead is None or ahead.search(before)) and (behind is None or behind.match(after)):
            return status
    return None


def _by_names(names: set[str], before: str, after: str) -> PresenceStatus:
    if "family" in names:
        return "family_denied" if "absent" in names else "family"
    if "absent" in names:
        change = _CHANGE_OF.search(before)
        if _RECUR.match(after) or (change and change["back"]):
            return "historical"
        if change and change["more"]:
            return "present" if change["own"] else "unclear"
        return "denied"
    if "unclear" in names:
        return "unclear"
    if "hypothetical" in names:
        return "planned"
    if "possible" in names:
        return "possible"
    return "historical" if "historical" in names else "present"


def _as_asked(text: str, span: Span, section: Sequence[str], about: About, facts: SentenceFacts) -> PresenceStatus:
    """What is affirmed, but perhaps in another sense than the one asked for."""
    clause = _clause(text, span)
    if about == "drug":
        taken = any(_is_taken(c, span) for c in facts.changes)
        if not taken and _is_allergen(text, span, section):
            return "other_sense"
        return "planned" if _OFFERED.search(clause) and not taken else "present"
    if about == "test":
        if _GOAL.search(clause):
            return "planned"
        return "planned" if _PENDING.search(clause) and not _VALUE.search(text[span.end :]) else "present"
    if about == "thing" and _REACTED.search(text[: span.start]):
        return "historical"
    if (
        about in ("procedure", "thing")
        and _OFFERED.search(clause)
        and not re.search(r"\b(?:underwent|had|s/p|status post)\b", clause, re.I)
    ):
        return "planned" if about == "procedure" else "present"
    return "present"


def _is_taken(change: Change, span: Span) -> bool:
    return overlap(change.drug.span, span) and change.kind not in ("stop",)


def _allergy(text: str, span: Span, section: Sequence[str], names: set[str]) -> Sense:
    if _NO_ALLERGY.search(text):
        return Sense("denied", True)
    if not _is_allergen(text, span, section):
        return Sense("denied" if _FINE.search(_clause(text, span)) else "other_sense")
    if "family" in names or family_header(section):
        return Sense("family_denied" if "absent" in names else "family")
    if "absent" in names or _by_cue(text[: span.start], text[span.end :]) == "denied":
        return Sense("denied", True)
    if _FINE.search(_clause(text, span)):
        return Sense("denied", True)
    return Sense("possible" if names & {"possible", "unclear"} else "present")


def _is_allergen(text: str, span: Span, section: Sequence[str]) -> bool:
    """Whether the thing is named as what somebody is allergic to or reacted to."""
    clause = _clause(text, span)
    if any(_ALLERGY.search(header) for header in section) or _ALLERGY.search(clause):
        return True
    return bool(
        _REACTION.search(clause)
        and (_HARM.search(clause) or re.search(r"rea(?:ction|[çc][ãa]o)s? (?:to|a|à|ao)\b", clause, re.I))
    )


def _clause(text: str, span: Span) -> str:
    """What stands around the thing up to the next `;` or full stop."""
    first = max((m.end() for m in _STOPS.finditer(text, 0, span.start)), default=0)
    last = next((m.start() for m in _STOPS.finditer(text, span.end)), len(text))
    return text[first:last]


_STOPS = re.compile(r";|[.!?](?=\s|$)")


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
