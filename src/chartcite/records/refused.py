"""Drugs that a sentence names and the patient does not take: another person's, refused, or only proposed."""

from __future__ import annotations

import re

_NOT_TAKEN = re.compile(
    r"\bbelongs? to (?:his|her|their|my|the|a)\b|\b(?:is|are|was) (?:his|her|their|my|the) [\w-]+\Ws\b"
    r"|\bnot (?:his|hers|mine)\b|\bnever (?:filled|took|taken|started|picked)\b|\bproposed\b"
    r"|\b(?:suggested|recommended|considered|offered)\b(?=.*\b(?:never|declined|refused|rather|not)\b)"
    r"|\bpertence (?:a|à|ao)\b|\bnunca (?:comprou|tomou|usou|iniciou)\b"
)


def is_not_taken(text: str) -> bool:
    """Whether a sentence says of a dose that the patient does not take it: refused, or another person's."""
    return bool(_NOT_TAKEN.search(" ".join(text.lower().split())))
