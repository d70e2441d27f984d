"""What a sentence plans for a drug but does not do: `hold if K > 5`, `hold 48 h before the operation`, `resume 10/27`.

Only verbs in the form of an order are plans: `was held because K was 5.6` is done.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chartcite.facts.changes import Change
from chartcite.facts.doses import Dose
from chartcite.facts.drugs import combinations
from chartcite.records.days import Day

_DONE = re.compile(
    r"(?:ed|['’]d|held|began|begun|ing|off|ad[oa]s?|id[oa]s?|ens[oa]s?|ou|eu|iu|amos|emos|ei)\Z", re.IGNORECASE
)
_BY_OTHERS = re.compile(
    r"\b(?:told|asked|advised|instructed|plan(?:ned|s)?|will|may|can|orientad[oa]|planej\w+)\b[^.;]{0,24}\Z",
    re.IGNORECASE,
)
_IF = re.compile(
    r"\b(?:if|unless|should|in case|whenever|as soon as|once|when|caso|se|quando|assim que)\b(?! (?:needed|necessary|"
    r"necess[áa]rio|precisar)\b)|\bfor (?:SBP|HR|MAP|BP|K|Cr|INR|pulse)\b\s*(?:[<>≤≥]|less|below|under|above|over)",
    re.IGNORECASE,
)
_MEALS = (
    r"meals?|breakfast|lunch|dinner|supper|bed|bedtime|food|eating|exercise|sleep|each|every|as refei|refei|caf|almo|"
    r"jantar|dormir|deitar|comer"
)
_AHEAD = re.compile(
    rf"\b(?:before|prior to|ahead of|antes d[aeo]s?) (?!(?:the |his |her |o )?(?:{_MEALS}))|\b(?:tomorrow|amanh[ãa])\b|"
    r"\bnext (?:day|week|month|visit|mon|tue|wed|thu|fri|sat|sun)|\b(?:pr[óo]xim[oa]|semana que vem)\b|"
    r"\b(?:in|em) (?:\d+(?:-\d+)?|an?|one|two|three|four|six|uma?|dois|duas|tr[êe]s) "
    r"(?:d|days?|weeks?|months?|wks?|dias?|semanas?|m[êe]s|meses)\b",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\b(?:call|return|come back|seek|contact|notify|let us|report|re-?check|repeat|check|follow|f/?u|rtc|see|monitor|"
    r"labs?|visit|appointment|seen|re-?start\w*|resum\w*|then|reinici\w*|retom\w*|retorn\w*|procur\w*|avis\w*|ligar|repetir|reavali\w*|control\w*)\b",
    re.IGNORECASE,
)
"""What a condition or a time behind it belongs to, and no more to the drug: `stop metformin, call if vomiting`."""
_DAY_TO_COME = re.compile(
    r"(?:[^.;\d]|\d+(?:[.,]\d+)?\s?(?:mg|mcg|g|units?)\b){0,40}?(?<![\d/])\d{1,2}/\d{1,2}(?![\d/])", re.IGNORECASE
)
_UNTIL = re.compile(r"\b(?:until|till?|through|thru|to|at[ée])\s*\Z|[-–]\s*\Z", re.IGNORECASE)
_DAY_AND_MONTH = re.compile(r"(\d{1,2})/(\d{1,2})")
_CLAUSE = re.compile(r"[.;](?=\s|\Z)")


def is_plan(text: str, change: Change, others: Sequence[Change], dates: Sequence[Day], written: str) -> bool:
    """Whether a change of a drug is tied to a condition, or to a time that had not come when its note was written.

    Args:
        text: the sentence.
        change: one of its changes.
        others: all of its changes.
        dates: the days that it names.
        written: ISO date of its note.
    """
    if change.kind == "continue":
        return False
    cue = text[slice(*change.cue)]
    if _DONE.search(cue) and not _BY_OTHERS.search(text[: change.cue.start]):
        return False
    start = change.cue.end
    end = min(
        [m.start() for pattern in (_CLAUSE, _OTHER) for m in pattern.finditer(text, start)]
        + [other.cue.start for other in others if other.cue.start >= start],
        default=len(text),
    )
    if _IF.search(text, start, end) or _AHEAD.search(text, start, end):
        return True
    own = [day for day in dates if start <= day.start < end]
    if own:
        return own[0].iso > written and not _UNTIL.search(text[: own[0].start])
    found = _DAY_TO_COME.match(text, start, end)
    return found is not None and not _UNTIL.search(_DAY_AND_MONTH.sub("", found[0]))


def is_date(text: str, dose: Dose) -> bool:
    """Whether the number taken for a dose is a day of a month: `resume apixaban 10/27`; not `Percocet 5/325`."""
    if dose.strength is None or dose.strength.unit.name or len(dose.drug.components) > 1:
        return False
    found = _DAY_AND_MONTH.fullmatch(text[slice(*dose.strength.span)])
    return found is not None and dose.drug.name not in combinations() and _is_in_year(int(found[1]), int(found[2]))


def _is_in_year(one: int, other: int) -> bool:
    return 1 <= min(one, other) <= 12 and max(one, other) <= 31
