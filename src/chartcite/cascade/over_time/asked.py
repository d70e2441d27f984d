"""What a question wants of the timeline, from its words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from chartcite.cascade.statements import Wanted
from chartcite.records.days import days

Kind = Literal["between", "before", "after", "medicines"]
_BEFORE = re.compile(
    r"\b(?:(?:just |right |shortly |immediately )?before|prior to|going into|leading up to|ahead of|"
    r"(?:logo )?antes d[eoa]s?)\b",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\b(?:(?:just |right |shortly |immediately )?after|following|once|"
    r"(?:logo )?(?:depois|ap[óo]s) (?:d[eoa]s? |[oa] )?)\b",
    re.IGNORECASE,
)
_MEDICINES = re.compile(
    r"\b(?:medications?|medicines?|meds|medicamentos?|medica[çc](?:[ãa]o|[õo]es)|rem[ée]dios)\b", re.IGNORECASE
)
_TAKEN = re.compile(
    r"\b(?:current(?:ly)?|tak(?:e|es|ing)|on (?:the|his|her|their)|list|active|was (?:she|he|the patient) on|"
    r"uso|usa(?:va|ndo)?|toma(?:va|ndo)?|lista|atua(?:l|is))\b",
    re.IGNORECASE,
)
_NOT_THE_LIST = re.compile(
    r"\b(?:why|reason|allerg\w*|side effects?|reaction|stopped|started|changed|new|since|for (?:the|his|her)|how many|"
    r"por qu[eê]|alergia|motivo)\b",
    re.IGNORECASE,
)
_END = re.compile(r"[,;?!]|\b(?:was over|were over|terminou|acabou)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OverTime:
    """A question for the timeline.

    Attributes:
        days: ISO dates that it names, in its order.
        event: the words that name what came after or before; empty where a day does.
    """

    kind: Kind
    days: tuple[str, ...] = ()
    event: str = ""


def over_time(query: str, want: Wanted, today: str) -> OverTime | None:
    """The question as one for the timeline; None if it is none.

    Args:
        query: the question.
        want: what a value or dose is wanted of.
        today: the last day that counts, for dates without a year.
    """
    named = tuple(day.iso for day in days(query, today))
    if not want:
        is_list = _MEDICINES.search(query) and _TAKEN.search(query) and not _NOT_THE_LIST.search(query)
        return OverTime("medicines", named) if is_list and len(named) < 2 else None
    if not want.analytes:
        return None
    if len(named) == 2 and named[0] != named[1]:
        return OverTime("between", named)
    before, after = _BEFORE.search(query), _AFTER.search(query)
    cue = before or after
    if cue is None or (before and after) or len(named) > 1:
        return None
    kind: Kind = "before" if before else "after"
    behind = query[cue.end() :]
    end = _END.search(behind)
    event = behind[: end.start()].strip() if end else behind.strip()
    return OverTime(kind, named, "" if named else event) if named or event else None
