"""Drugs that a sentence says are no longer taken, without stop or hold: `off`, `no longer on`, `- not taking`."""

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
    r"\b(?:throw|threw|thrown)(?: (?:out|away))?(?: (?:the|her|his|any|all|of|remaining|rest))*|"
    r"\b(?:completed|finished)(?: (?:a|an|the|his|her|full|\w+[- ]day))* course of|"
    r"\b(?:has|have)(?: not|n['’]t) (?:been )?(?:taken|taking)|"
    r"\bis(?:n['’]t| not) taking|\bquit|\bdeixou de (?:tomar|usar)|\bpar(?:ou|ei|amos) (?:de (?:tomar|usar)|com|de)|"
    r"\bn[ãa]o (?:usa|toma|vem usando|vem tomando|est[áa] (?:em uso de|usando|tomando)|"
    r"faz (?:mais )?uso d[eoa])(?: mais)?|"
    r"\bsuspend[oi]|\bsem uso (?:atual )?d[eoa])"
    r"(?: (?:the|his|her|their|any|all|o|a|os|as|d[eoa]|seu|sua))?\s*\Z",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"\A(?:(?!\.\s)[^;?]){0,60}?(?:"
    r"(?:[-–—:(,]|->|→)\s*(?:(?:pt|patient|paciente) )?(?:is )?(?:not (?:currently |presently )?(?:taking|on)|"
    r"no longer (?:taking|on)|n[ãa]o (?:usa|toma|est[áa] (?:usando|tomando))|sem uso)\b|"
    r"\b(?:taken|removed|dropped|crossed|struck|deleted|pulled) (?:off|from)(?: of)?(?: (?:the|this|her|his|their))?"
    r" (?:\w+ )?list\b|"
    r"\b(?:is|are|now|currently) off (?:the|her|his|their) (?:\w+ )?list\b|"
    r"\b(?:finished|completed?)(?: (?:today|yesterday|on [\w/.-]+))?(?: as planned\b|[.,;]|\s*\Z)|"
    r"\b(?:was|were|been) dropped (?:because|due|secondary|owing|for|after|on account)\b|"
    r"\b(?:saiu|sa[íi]ram|retirad[oa]s?|tirad[oa]s?|exclu[íi]d[oa]s?) d[ae] (?:sua )?(?:lista|prescri[çc][ãa]o)\b)",
    re.IGNORECASE,
)
"""Behind the drug and its dose: `4 mg - not taking`, `was taken off the list`."""
_OFF = re.compile(r"\A off (?:the|this|her|his|their) (?:\w+ )?list\b", re.IGNORECASE)
_TOOK = re.compile(r"\b(?:took|(?:has|have|had) taken|crossed|struck)(?: the)?\s*\Z", re.IGNORECASE)
_AS_TOLD = re.compile(
    r"\A[\w\s]{0,12}\b(?:as (?:prescribed|directed|ordered|instructed|told)|correctly|regularly|consistently|"
    r"every ?day|como prescrit[oa]|regularmente|corretamente)\b",
    re.IGNORECASE,
)
"""`Not taking warfarin as prescribed` is taken, otherwise."""
_NOT_DONE = re.compile(
    r"\b(?:not|never|n['’]t|n[ãa]o|nunca|if|should|could|would|may|might|will|when|once|until|to be|infusion|bag|"
    r"dose|drip|se)\b",
    re.IGNORECASE,
)
_NOT_TAKING = re.compile(
    r"\b(?:not (?:currently |presently )?(?:taking|on)|no longer|n[ãa]o (?:usa|toma|est[áa]))\b", re.IGNORECASE
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
    for n, drug in enumerate(drugs):
        said = _GONE.search(text[: drug.span.start])
        behind = text[drug.span.end : drugs[n + 1].span.start if n + 1 < len(drugs) else len(text)]
        is_gone = said is not None and not _ONLY_IF.search(text[: said.start()]) and not _AS_TOLD.match(behind)
        if (
            is_gone
            or _is_gone_behind(text[: drug.span.start], behind)
            or (last is not None and _JOINED.fullmatch(text, last.span.end, drug.span.start))
        ):
            found[drug.name], last = "stop", drug
        else:
            last = None
    return found


def _is_gone_behind(before: str, behind: str) -> bool:
    if _ONLY_IF.search(before) or behind.rstrip().endswith("?"):
        return False
    if _OFF.match(behind):
        return bool(_TOOK.search(before))
    said = _BEHIND.match(behind)
    if said is None or _AS_TOLD.match(behind[said.end() :]):
        return False
    verb = _NOT_TAKING.search(said[0])
    return not _NOT_DONE.search(said[0][: verb.start()] if verb else said[0])


def is_undone(text: str, change: Change) -> bool:
    """Whether words before a verb say that it was not done: `never stopped`."""
    return bool(_UNDONE.search(text[: change.cue.start]))
