"""Drugs that a sentence says are no longer taken, without stop or hold: `off`, `no longer on`, `parou de`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chartcite.facts.changes import Change
from chartcite.facts.drug_mentions import Drug
from chartcite.records.doses import Action

_GONE = re.compile(
    r"(?:\bno longer (?:on|takes|taking|uses|using)|\bnot (?:currently |presently )?(?:taking|on)|"
    r"(?:\A[\W\d]*|\b(?:is|are|been|now|currently|remains?|stays?|goes|went) )off(?: of)?|"
    r"\b(?:stopped|quit|discontinued|self-?d/?c['’]?d?) (?:taking|using)|"
    r"\b(?:has|have)(?: not|n['’]t) (?:been )?(?:taken|taking)|"
    r"\bis(?:n['’]t| not) taking|\bquit|\bdeixou de (?:tomar|usar)|\bpar(?:ou|ei|amos) (?:de (?:tomar|usar)|com|de)|"
    r"\bn[ãa]o (?:usa|toma|vem usando|vem tomando|est[áa] (?:em uso de|usando|tomando)|"
    r"faz (?:mais )?uso d[eoa])(?: mais)?|"
    r"\bsuspend[oi]|\bsem uso (?:atual )?d[eoa])"
    r"(?: (?:the|his|her|their|any|all|o|a|os|as|d[eoa]|seu|sua))?\s*\Z",
    re.IGNORECASE,
)
_ONLY_IF = re.compile(r"\b(?:if|when|whether|denies|unless|se|quando|nega)\b[^.;,]{0,40}\Z", re.IGNORECASE)
_JOINED = re.compile(r"[\s,/]*(?:\b(?:and|or|e|ou)\b|&)?\s*(?:(?:the|his|her|o|a)\s+)?", re.IGNORECASE)
_UNDONE = re.compile(r"\b(?:never|not|nunca|n[ãa]o)(?: (?:been|be|was|foi))?\s*\Z", re.IGNORECASE)


def no_longer_taken(text: str, drugs: Sequence[Drug]) -> dict[str, Action]:
    """By name, the drugs that a sentence says are not taken, as the action `stop`; of a list of them all.

    Args:
        text: the sentence.
        drugs: of the sentence, in order.
    """
    found: dict[str, Action] = {}
    last: Drug | None = None
    for drug in drugs:
        said = _GONE.search(text[: drug.span.start])
        is_gone = said is not None and not _ONLY_IF.search(text[: said.start()])
        if is_gone or (last is not None and _JOINED.fullmatch(text, last.span.end, drug.span.start)):
            found[drug.name], last = "stop", drug
        else:
            last = None
    return found


def is_undone(text: str, change: Change) -> bool:
    """Whether words before a verb say that it was not done: `never stopped`."""
    return bool(_UNDONE.search(text[: change.cue.start]))
