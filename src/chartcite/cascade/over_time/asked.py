"""What a question wants of the timeline, from its words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from chartcite.cascade.statements import Wanted
from chartcite.facts.lexicon import word_set
from chartcite.records.days import days

Kind = Literal["between", "before", "after", "medicines"]
_SOON = r"(?:(?:just|right|shortly|immediately|directly|last|next|soon|logo|imediatamente) )?"
_BEFORE = re.compile(
    rf"\b(?:{_SOON}(?:before|prior to|preceding|previous to|ahead of|in advance of|leading up to|going into)|"
    r"antes d[eoa]s?|pr[ée]vi[oa] (?:a|ao|à)|anterior (?:a|ao|à))\b",
    re.IGNORECASE,
)
_AFTER = re.compile(
    rf"\b(?:{_SOON}(?:after|following|subsequent to|once|as soon as)|"
    r"(?:depois|ap[óo]s|posterior)(?: d[eoa]s?| [oaà]| ao)?)\b",
    re.IGNORECASE,
)
_MEDICINES = re.compile(
    r"\b(?:medications?|medicines|meds|drugs|pills|tablets|prescriptions?|regimen|pharmacotherapy|medicamentos?|"
    r"medica[çc](?:[ãa]o|[õo]es)|rem[ée]dios|f[áa]rmacos|prescri[çc](?:[ãa]o|[õo]es))\b|"
    r"\bwhat (?:was|is|were|are) (?:\w+ ){1,3}taking\b",
    re.IGNORECASE,
)
_PLAIN = word_set(
    "what which list give show tell me please the a an of is are was were has have had does did do he she they his her "
    "their him them patient patient's patients current currently now today at present as it stood on in with and doses "
    "dose dosages taking takes take taken use uses used using receiving receives prescribed active all complete full "
    "medication medications medicine medicines meds drug drugs pills tablets prescription prescriptions regimen "
    "pharmacotherapy lists listed included place force "
    "quais qual que os as o e com paciente da do dos das de ela ele seus suas em uso no na dia lista atual atuais "
    "atualmente usa usava toma tomava tomando usando medicamento medicamentos medicação medicações remédios fármacos "
    "prescrição prescrições está estava ativos ativas data"
)
"""Any other word narrows what is asked for: `for blood pressure`, `her husband`, `no longer`, `before the stay`."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


_OTHER_VALUE = re.compile(
    r"\b(?:highest|lowest|peak|nadir|max\w*|min\w*|average|mean|trend|ever|how (?:often|many)|all|any|maior|menor|"
    r"m[ée]dia|pico|quantas)\b",
    re.IGNORECASE,
)
_LAST, _FIRST = (
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in ("last|latest|most recent|newest|[úu]ltim[oa]", "first|earliest|primeir[oa]")
)
"""The first value before an event, and the last one after it, are other questions."""
_NEXT = re.compile(r"\b(?:next|pr[óo]xim[oa])\b", re.IGNORECASE)
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
        return OverTime("medicines", named) if _is_list(query, today) and len(named) < 2 else None
    if not want.analytes:
        return None
    if len(named) == 2 and named[0] != named[1]:
        return OverTime("between", named)
    before, after = _BEFORE.search(query), _AFTER.search(query)
    cue = before or after
    if cue is None or (before and after) or len(named) > 1:
        return None
    kind: Kind = "before" if before else "after"
    other = _FIRST if before else _LAST
    if _OTHER_VALUE.search(query) or (other.search(query) and not _NEXT.search(query)):
        return None
    behind = query[cue.end() :]
    end = _END.search(behind)
    event = behind[: end.start()].strip() if end else behind.strip()
    return OverTime(kind, named, "" if named else event) if named or event else None


def _is_list(query: str, today: str) -> bool:
    """Whether all medicines are asked for, and nothing narrower."""
    rest = query
    for day in sorted(days(query, today), reverse=True):
        rest = rest[: day.start] + " " + rest[day.end :]
    return bool(_MEDICINES.search(rest)) and {word.lower() for word in _WORD.findall(rest)} <= _PLAIN
