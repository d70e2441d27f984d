"""Labels that say what is done with the medicines below them: `Continue:`, `STOP taking`, `Suspender:`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

Label = Literal["", "start", "stop", "continue", "change"]
_WORDS: tuple[tuple[Label, str], ...] = (
    ("stop", r"stop(?:ped|ping)?|discontinued?s?|no longer|suspens\w*|suspend\w*|interromp\w*|parar|"
     r"descontinuad\w*"),
    ("start", r"start(?:ed|ing)?|new|begin|initiated?|iniciar|inici\w+|come[çc]ar|nov[oa]s?"),
    ("change", r"chang(?:e|es|ed|ing)|modif\w+|alter\w+|mudan[çc]as?|increased?|decreased?"),
    ("continue", r"continu(?:e|ed|ing|ar|e os|ados?)|keep|unchanged|same|resum(?:e|ed)|manter|mantid\w*|manten\w*|"
     r"current|active|atua(?:l|is)|em uso"),
)  # fmt: skip
_BESIDE = (
    r"(?:\s+|\b(?:medications?|medicines?|meds?|medicamentos?|medica[çc][õo]es|drugs?|rem[ée]dios?|prescriptions?|list|home|"
    r"these|the|following|taking|to|take|os|as|seguintes|uso|de|do|tomar|at home|inpatient|outpatient|your|and)\b)*"
)
_ALONE = tuple(
    (label, re.compile(rf"[\s>*#•\d.)_-]*{_BESIDE}(?:{words})\b{_BESIDE}\s*(?::|\*+:?|:\*+)?\s*", re.IGNORECASE))
    for label, words in _WORDS
)
_IN_HEADER = tuple((label, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for label, words in _WORDS)
_MOST_CHARS = 60
_MEDICINES = re.compile(r"\b(?:medic|meds\b|rem[ée]dios)", re.IGNORECASE)


def label_alone(text: str) -> Label:
    """What a line that is nothing but a label says; empty for any other.

    >>> label_alone("Continue these medications:"), label_alone("STOP:"), label_alone("Stop metoprolol 25 mg")
    ('continue', 'stop', '')
    """
    stripped = text.strip()
    is_short = 0 < len(stripped) <= _MOST_CHARS
    if not is_short or not (stripped.rstrip("*").endswith(":") or _MEDICINES.search(stripped)):
        return ""
    return next((label for label, pattern in _ALONE if pattern.fullmatch(stripped)), "")


def label_of(alone: str, section: Sequence[str]) -> Label:
    """What the nearest label above a sentence, else the innermost header that is one, says of its medicines."""
    if alone:
        return label_alone(alone)
    for header in reversed(section):
        for label, pattern in _IN_HEADER:
            if pattern.search(header):
                return label
    return ""
