"""What a number beside an analyte is: a result, an earlier one, a baseline, a goal, a limit, a range; and its flag."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from chartcite.core.documents import Span
from chartcite.facts.lexicon import word_set
from chartcite.facts.line import Line
from chartcite.facts.measured_units import is_flag_letter
from chartcite.facts.quantities import Quantity
from chartcite.facts.units import parse_unit, unit_pattern

Role = Literal["result", "previous", "baseline", "goal", "reference", "range", "threshold"]


class Reading(NamedTuple):
    """One value. `unit` is that of the number, or of the cell beside it; `when` is a date that stands with it."""

    role: Role
    quantity: Quantity
    unit: str = ""
    flag: Literal["", "high", "low", "critical", "abnormal"] = ""
    flag_span: Span | None = None
    when: Quantity | None = None


_GOAL = re.compile(
    r"\b(?:goal|target|aim(?:ing)?|keep|maintain|alvo|meta|objetivo|manter)\b[^,;.()]{0,24}$", re.IGNORECASE
)
_BASELINE = re.compile(r"\b(?:baseline|b/l|bl|basal|linha\s+de\s+base)\b[^,;.()]{0,16}$", re.IGNORECASE)
_PREVIOUS = re.compile(
    r"\b(?:from|previous(?:ly)?|prior|last|was|de|anterior(?:mente)?|prévi[oa]|up\s+from|down\s+from|compared\s+(?:to|with)|against|vs\.?|yesterday)\b[\s:~]*$",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"\b(?:ref(?:erence)?|normal|nl|nml|range|rr|vr|v\.r\.|refer[êe]ncia|valores?\s+(?:de\s+)?refer[êe]ncia|normais|uln|lln|limits?)\b[^;]{0,24}$",
    re.IGNORECASE,
)
_ARROW = re.compile(r"\s*(?:->|=>|→|-->|>|\bto\b|\bpara\b|\ba\b|\bthen\b)\s*(?:now\s*)?$", re.IGNORECASE)
_OPEN = re.compile(r"[(\[|\t]\s*$")


_SHOULD = re.compile(
    r"\b(?:(?:should|must|ought\s+to|needs?\s+to)\s+(?:be|stay|remain)|dev(?:e|eria|erá)\s+(?:ser|estar|ficar))\b"
    r"[^,;.()]{0,16}$",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?:threshold|trigger|cut-?off|limiar|gatilho|ponto\s+de\s+corte)\b[^,;.()]{0,24}$", re.IGNORECASE
)
# What one does when a value is reached; "transfused for Hb < 7" tells what was.
_ACT = re.compile(
    r"(?:\b(?:call|notify|page|alert|hold|stop|give|start|treat|return|contact|repeat|replete|resume|report|seek|avoid|"
    r"avisar?|suspender|chamar|ligar|comunicar|retornar|procurar)\b(?:[^;.()]|\.\d){0,50}"
    r"\b(?:for|if|when|unless|until|se|quando|caso|até)\b|\b(?:transfuse|transfundir)\b)(?:[^;.()]|\.\d){0,40}$"
    r"|\b(?:if|unless|caso|se)\s+(?:(?:the|her|his|a|o)\s+)?$",
    re.IGNORECASE,
)


def role_of(before: str, quantity: Quantity) -> Role:
    """The role that the words before a name give to its value: `goal LDL`, `baseline Cr`, `transfuse if Hb below 7`."""
    if _GOAL.search(before):
        return "goal"
    if _LIMIT.search(before) or (quantity.comparator in ("<", ">", "<=", ">=") and _ACT.search(before)):
        return "threshold"
    return "baseline" if _BASELINE.search(before) else "result"


# Words that may stand between a name and its value without being about something else.
_LINKS = word_set(
    "a an the of is was were are at to from in on be been has have had level levels value values today now currently "
    "then came back returned measured noted found remains remained still up down stable rose rise risen fell fall "
    "dropped decreased increased improved worsened elevated high low normal mildly slightly markedly about "
    "approximately around only just this morning reading readings count result results goal target baseline range ref "
    "reference initial initially repeat admission peak peaked nadir max min maximum minimum goes went going trended "
    "trending uptrending downtrending and than less greater more below above under over stage with de da do em foi "
    "era esta estava é está e na no hoje atual atualmente valor subiu caiu aumentou diminuiu para resultado dosagem "
    "inicial igual meta alvo basal acima abaixo menor maior que or ~ reported as documented recorded per axillary "
    "oral orally rectal temporal resting standing sitting supine manual automated blood serum plasma level's approx "
    "averaging average avg running keep comes stands stood read reads ou"
)
_STOP_GAP = re.compile(
    r"\b(?:but|mas|percentile|percentil|after|before|for|since|until|with|by|because|due|when|if|após|antes|desde|com|por|receiving|given|started)\b",
    re.IGNORECASE,
)
_MOST_CHARS = 80


_P_VALUE = re.compile(r"\bp\s*[=<>≤]?\s*$", re.IGNORECASE)


def leads_to(gap: str, *, is_first: bool, is_short: bool, quantity: Quantity) -> bool:
    """Whether what stands before a number lets it be a value of the name (or a further value of it).

    Args:
        gap: text between the name, or the last value, and the number.
        is_first: whether the name has no value yet.
        is_short: whether the name is a letter or two, which needs its value right behind.
        quantity: the number.
    """
    if len(gap) > _MOST_CHARS or _P_VALUE.search(gap):
        return False
    bare = re.sub(unit_pattern_cached(), " ", gap) if any(c in gap for c in "/%([|") else gap
    words = [w.casefold() for w in re.findall(r"[^\W\d_]+", bare)]
    unknown = sum(w not in _LINKS for w in words)
    has_unit = bool(quantity.unit.name) or quantity.kind in ("pressure", "ratio") or bool(quantity.comparator)
    if not is_first:
        is_limit = quantity.low != quantity.high or bool(quantity.comparator)
        is_column = is_limit and _next_column().fullmatch(gap) is not None
        return is_column or _goes_on(gap, is_plain=unknown == 0, is_short=is_short)
    if not has_unit and _ADDS.search(gap):
        return False
    if is_short:
        return unknown == 0 and len(words) <= 3
    is_other = _STOP_GAP.search(gap) or _ADDS.search(gap) or "," in gap
    return unknown == 0 or (unknown <= (3 if has_unit else 1) and not is_other)


def _goes_on(gap: str, *, is_plain: bool, is_short: bool) -> bool:
    """Whether what stands behind a value lets the next number be one more of the same name."""
    if _ARROW.match(gap) or _is_role_gap(gap) or (is_plain and _MOVES.search(gap)):
        return True
    is_list = _FURTHER.fullmatch(gap) is not None or (gap.strip() in (",", "|") and not is_short)
    return is_list and not _STOP_GAP.search(gap)


_MOVES = re.compile(r"\b(?:then|now|and|e|depois|agora|,)\b[^;.]*\b(?:to|para)\s*$", re.IGNORECASE)
_ADDS = re.compile(r"\b(?:and|e)\b|,\s*$", re.IGNORECASE)
_FURTHER = re.compile(
    r"[\s,;()]*(?:and|then|to|or|now|today|e|ou)?[\s,]*(?:(?:was|is|now|today|hoje|down|up|to|->)\s+)*", re.IGNORECASE
)


@lru_cache(maxsize=1)
def unit_pattern_cached() -> re.Pattern[str]:
    """A unit in brackets or in a cell of its own."""
    return re.compile(rf"[(\[|]\s*(?:{unit_pattern()})\s*[)\]|]", re.IGNORECASE)


def _is_role_gap(gap: str) -> bool:
    return any(p.search(gap) for p in (_GOAL, _BASELINE, _PREVIOUS, _REFERENCE)) or _OPEN.search(gap) is not None


def read_value(line: Line, quantity: Quantity, gap: str, role: Role, earlier: list[Reading], end: int) -> Reading:
    """One value with its role, unit, flag and date. May turn an earlier value of `earlier` into a previous one."""
    unit, flag, flag_span = _beside(line, quantity, gap, end)
    role = _role(gap, role, quantity, earlier)
    if role == "previous" and not earlier and not _THEN.match(line.text, quantity.span.end):
        role = "result"
    if role == "result" and earlier and (_ARROW.match(gap) or _MOVES.search(gap)) and earlier[-1].role == "result":
        earlier[-1] = earlier[-1]._replace(role="previous")
    if flag and role == "reference" and earlier:
        # In a table the flag stands behind the range, and is the result's.
        earlier[-1] = earlier[-1]._replace(flag=flag, flag_span=flag_span)
        flag, flag_span = "", None
    return Reading(role, quantity, unit, flag, flag_span, _dated(line, quantity, end))


_NAMED_ROLES: tuple[tuple[re.Pattern[str], Role], ...] = (
    (_GOAL, "goal"), (_SHOULD, "goal"), (_LIMIT, "threshold"), (_BASELINE, "baseline"),
)  # fmt: skip


def _role(gap: str, given: Role, quantity: Quantity, earlier: Sequence[Reading]) -> Role:
    named = next((role for pattern, role in _NAMED_ROLES if pattern.search(gap)), None)
    if named is not None:
        return named
    is_range = quantity.low != quantity.high and quantity.kind == "value"
    if _REFERENCE.search(gap) and (earlier or is_range or quantity.comparator):
        return "reference"
    if earlier and (is_range or quantity.comparator) and _COLUMN.search(gap):
        return "reference"
    if (_PREVIOUS if earlier else _FROM).search(gap):
        return "previous"
    return "range" if is_range and given == "result" and not earlier else given


_COLUMN = re.compile(r"[|\[(\t]|\s{2,}$")
"""Between a result and the range or limit beside it."""
_THEN = re.compile(r"[^;.]{0,40}?(?:\b(?:to|para|a|até|now)\b|->|→)", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|de)\s*$", re.IGNORECASE)


_FLAGS = {
    "h": "high", "high": "high", "elevated": "high", "alto": "high", "elevado": "high", "elevada": "high", "↑": "high",
    "l": "low", "low": "low", "baixo": "low", "baixa": "low", "↓": "low", "*": "abnormal", "abn": "abnormal",
    "abnormal": "abnormal", "hh": "critical", "ll": "critical", "critical": "critical", "crit": "critical",
    "crítico": "critical",
}  # fmt: skip
_FLAG = re.compile(
    r"\s*(?:[)\]]\s*\*|[(\[]\s*|\|\s*)?(?P<flag>(?-i:HH|LL|H|L)(?![\w/])"
    r"|(?:high|low|elevated|alto|baix[oa]|elevad[oa]|critical|crit|crítico|abn|abnormal)\b|[↑↓*])(?!\s*[-\w]*\s*\d)",
    re.IGNORECASE,
)
_CELL = r"\s*[|\t]\s*(?!(?-i:[HL])\s*(?:$|[|\t]))(?P<unit>{})\s*(?=$|[|\t])"


@lru_cache(maxsize=1)
def _cell_pattern() -> re.Pattern[str]:
    return re.compile(_CELL.format(unit_pattern()), re.IGNORECASE)


@lru_cache(maxsize=1)
def _next_column() -> re.Pattern[str]:
    """From a result to the limits beside it, over the column of its unit."""
    return re.compile(rf"(?:\s+(?:{unit_pattern()}))?\s{{2,}}", re.IGNORECASE)


@lru_cache(maxsize=1)
def _unit_column() -> re.Pattern[str]:
    """`26  L    ng/mL           30-100`: a unit in a column of its own, set apart by blanks."""
    return re.compile(rf"\s{{2,}}(?P<unit>{unit_pattern()})(?=\s{{2,}}|\s*$)", re.IGNORECASE)


@lru_cache(maxsize=1)
def _bracketed() -> re.Pattern[str]:
    return re.compile(rf"[(\[,]\s*(?P<unit>{unit_pattern()})\s*[)\]:]?", re.IGNORECASE)


def _beside(
    line: Line, quantity: Quantity, gap: str, end: int
) -> tuple[str, Literal["", "high", "low", "critical", "abnormal"], Span | None]:
    """Unit and flag of a value: its own, in the next cell, or in brackets behind the name."""
    at, unit = quantity.span.end, quantity.unit.name
    if is_flag_letter(quantity, line.text):
        letter = line.text[at - 1]
        column = _unit_column().match(line.text, at)
        unit = parse_unit(column["unit"]).name if column else ""
        return unit, "high" if letter == "H" else "low", Span(at - 1, at)
    if not unit and quantity.kind == "value":
        cell = _cell_pattern().match(line.text, at, min(len(line.text), at + 40))
        bracket = None if cell else _bracketed().search(gap[:40])
        if cell:
            unit, at = parse_unit(cell["unit"]).name, cell.end("unit")
        elif bracket:
            unit = parse_unit(bracket["unit"]).name
    found = _FLAG.match(line.text, at, min(end, at + 24))
    if found is None:
        return unit, "", None
    return unit, _FLAGS[found["flag"].casefold()], Span(*found.span("flag"))  # type: ignore[return-value]


_DATED = re.compile(r"\s*(?:\(|on\b|em\b|@|at\b|in\b|,)?\s*(?:on\s+)?$", re.IGNORECASE)


def _dated(line: Line, quantity: Quantity, end: int) -> Quantity | None:
    """A date right behind a value: `2.4 (3/4)`, `2.4 on 3/4`."""
    for other in line.quantities:
        if other.kind == "date" and quantity.span.end <= other.span.start < min(end, quantity.span.end + 12):
            return other if _DATED.match(line.text[quantity.span.end : other.span.start]) else None
    return None
