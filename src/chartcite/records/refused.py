"""What a sentence says of a drug or a value that is not the patient's own: another's, refused, proposed, past."""

from __future__ import annotations

import re

_KIN = (
    r"mother|father|parents?|sister|brother|siblings?|son|daughter|husband|wife|spouse|partner|aunt|uncle|cousin|"
    r"grand(?:mother|father)|neighbou?r|roommate|friend|dad|mom|twin|m[ãa]e|pai|irm[ãa]o?|filh[oa]|marido|esposa|tia|"
    r"tio|av[óô]|vizinh[oa]"
)
_NOT_TAKEN = re.compile(
    r"\bbelongs? to\b|\b(?:is|are|was) (?:his|her|their|my|the) [\w-]+\Ws\b|\bpertence (?:a|à|ao)\b"
    r"|\bnot (?:his|hers|mine|taking|taken)\b|\bnever (?:filled|took|taken|started|picked)\b|\bproposed\b"
    r"|\b(?:suggested|recommended|considered|offered|told|advised)\b(?=.*\b(?:never|declined|refused|rather|not)\b)"
    r"|\bdid(?: not|n['’]t) (?:take|start|fill)\b|\bnunca (?:comprou|tomou|usou|iniciou)\b|\bn[ãa]o (?:toma|usa)\b"
    r"|\bpreviously (?:on|took|taking|used)\b|\bhistory of\b(?=.*\buse\b)|\bused to take\b"
    r"|\b(?:was|were|had been) on\b(?=.*\bin (?:19|20)\d\d\b)"
    r"|\btoo (?:much|high)\b|\bavoid\b|\bmax(?:imum|imal|\.)?(?: daily)? dose\b|\bdose m[áa]xima\b|\bevitar\b"
    r"|\b(?:pharmacy|dispensing|prescribing|entry) error\b|\b(?:dispensed|entered|given|prescribed) in error\b"
    r"|\b(?:discussed|talked (?:about|over)|conversad[oa]s? sobre|conversamos sobre|discutid[oa]s?)\b"
    r"(?=.*\b(?:prefer\w*|rather|wait\w*|esperar|aguardar|declin\w+|recus\w+)\b)"
    r"|\b(?:old|empty|expired|leftover|outdated) (?:bottle|box|supply|pack|inhaler|pen|script|prescription|blister)s?\b"
    r"|\b(?:frasco|caixa|cartela|receita)s? (?:antig|velh|vencid|vazi)[oa]s?\b"
    r"|\b(?:trial|study|studies|estudo)\b.*\b(?:show\w*|found|superior|mostrou)\b"
)
_ANOTHERS = re.compile(
    rf"\b(?:his|her|their|my|the patient['’]s|seu|sua|d[oa]) (?:{_KIN})(?:['’]s)?\b|\b(?:donor|doador[a]?|baby|newborn|"
    r"neonate|beb[êe]|rec[ée]m-nascid[oa])(?:['’]s)?\b|\b(?:another|other|different|outr[oa]) (?:patient|paciente)\b"
    rf"|\((?:{_KIN})\)"
)


def is_not_taken(text: str) -> bool:
    """Whether a sentence says of a dose that the patient does not take it: refused, past, or another person's."""
    return bool(_NOT_TAKEN.search(_flat(text)))


def is_of_another(text: str) -> bool:
    """Whether a sentence speaks of another person, so that its numbers may be that person's."""
    return bool(_ANOTHERS.search(_flat(text)))


def _flat(text: str) -> str:
    return " ".join(text.lower().split())
