"""What a sentence says of diagnoses and procedures: below the headers of such lists, and in a few plain phrases.

A relative's, a denied and a planned one is none; `ruled out` is kept as such. A name must have a word that makes it a
diagnosis or a procedure, except below a list's own header.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from chartcite.core.documents import Span
from chartcite.facts.dates import find_dates
from chartcite.facts.line import overlap
from chartcite.facts.read import SentenceFacts
from chartcite.records.days import days
from chartcite.records.history import ConditionStated, ProcedureStated, Status
from chartcite.records.history_structured import rendered_condition, rendered_procedure
from chartcite.records.lines import Line
from chartcite.records.naming import is_disease, is_listed_name, is_procedure, side_of
from chartcite.records.reading import FactsReader
from chartcite.records.refused import is_of_another

_PROBLEMS = re.compile(
    r"\b(?:problems?(?: list)?|diagnos[ei]s|principal diagnosis|past (?:medical )?history|pmh|medical history|"
    r"background|"
    r"comorbidities|chronic conditions|problemas|diagn[óo]sticos?|antecedentes(?! cir| fam| gin| obst)|comorbidades|"
    r"hist[óo]ria (?:m[ée]dica|patol[óo]gica|pregressa)|hpp|ap)\b",
    re.IGNORECASE,
)
_LIST_PROPER = re.compile(
    r"\b(?:problem list|problems|diagnos[ei]s|problemas|diagn[óo]sticos?|comorbidities|comorbidades)\b", re.IGNORECASE
)
_OPERATIONS = re.compile(
    r"\b(?:surgical history|past surgical|psh|operations?|surgeries|procedures?(?: performed)?|cirurgias?|"
    r"cir[úu]rgic\w+|"
    r"procedimentos?|opera[çc][õo]es)\b",
    re.IGNORECASE,
)
_OPERATIVE = re.compile(r"operat|procedure|cirurg|procedimento|surg", re.IGNORECASE)
_NO_LIST = re.compile(
    r"famil|allerg|alerg|social|medic(?:ation|ines|a[çc])|steps|descri|thought|exam|result|course|plan|indicat|detail|"
    r"consider|curso|evolu|review|complic",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"\A[\s>*#•\d.)(-]*(?:(?:principal|primary|secondary|main|other|admission|discharge|final|past|prior|previous|"
    r"known|"
    r"long-?standing|chronic hx|surgical|medical|pmh|psh|hx|h/o|history|s/p|status\s+post|had|has|have|underwent|"
    r"includes?|of|old|well-healed scar|also|include|multiple|probably|numerous|several|reports|undergoing|"
    r"most recently|recently|that|and|or|but|ou|mas|possible|probable|suspected|"
    r"likely|prov[áa]vel|suspeita|poss[íi]vel|"
    r"significant|for|notable|the|an?|diagnos[ei]s|reason for stay|records? puts?|reported|patient|she|he|was|is|"
    r"went through|"
    r"operation|procedure|performed|cirurgia|procedimento|opera[çc][ãa]o|fez|submetid[oa]|a|ao|à|hist[óo]ria|de|"
    r"pr[ée]vi[oa]s?|portador[a]?|internad[oa] por|"
    r"diagn[óo]stico|principal|realizou|realizad[oa]|antecedentes?|em acompanhamento por|consta|o|uma?|"
    r"(?:19|20)\d\d)\b[\s:,-]*)*",
    re.IGNORECASE,
)
_END = re.compile(
    r"[,;:(\[]|\.(?=\s|$)|\s[—–-]+\s|\s(?:since|known|diagnosed|dating|first|in|on|from|at age|em|desde|"
    r"diagnosticad\w+|"
    r"diagn[óo]stico|aos?|há|ago|years?|was|is|were|treated|status|which|that|with no|without|sem|and then|by|"
    r"elsewhere|"
    r"antig[oa]|conforme|segundo|said|performed|done|under|but|again|although|now|and has|and is|and had|at|a few|"
    r"a couple|several|most recently|then|secondary|times|associated|admitted|into|when|due|"
    r"including|x|who|approximately|requiring|caused|because|with (?:resultant|subsequent)|after|com boa|for)\b|"
    r"\s(?:jan|feb|mar|apr|may|jun|jul|aug|"
    r"sep|"
    r"oct|nov|dec)[a-z]*\.?\s+\d|(?<!\btype)(?<!\btipo)(?<!stage)(?<!grade)(?<!\bgrau)(?<!class)\s\d|\n\s*\n",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\b(?:resolved|nothing since|in remission|cured|healed|no recurrence|resolvid[oa]|curad[oa]|em remiss[ãa]o)\b",
    re.I,
)
_PAST = re.compile(
    r"\b(?:history of|hx of|h/o|went through|prior|previous|treated in|childhood|remote|hist[óo]ria de|pr[ée]vi[oa]|"
    r"tratad[oa] em|na inf[âa]ncia)\b",
    re.IGNORECASE,
)
_RULED_OUT = re.compile(
    r"\b(?:ruled out|excluded|argued against|rules out|descartad\w+|exclu[íi]\w+|afastad\w+|descartou|excluiu)\b",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"\b(?:diagnosed (?:with|as)|(?:new |a )?diagnosis of|found to have|history of|hx of|h/o|known (?:case of )?|"
    r"diagnosticad[oa] com|diagn[óo]stico de|portadora? de|hist[óo]ria de)\s+(?:an?\s+|the\s+|new\s+|recent\s+|"
    r"uma?\s+)*",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:underwent|status post|s/p|history of|hx of|h/o|hist[óo]ria de|had (?:an?|his|"
    r"her)(?!\s+(?:\w+\s+)?history)|submetid[oa] (?:a|à|ao)|fez|"
    r"realizou)\s+(?:an?\s+|the\s+|"
    r"uma?\s+)*",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:will|scheduled|plan(?:s|ned|ning)?|await\w*|consider\w*|refer\w*|recommend\w*|if|candidate|declin\w*|"
    r"refus\w*|"
    r"cancel\w*|postpon\w*|before the|pre-?op|ser[áa]|agendad[oa]|planejad[oa]|aguarda|indicad[oa]|recus\w+|prior to|"
    r"never|"
    r"should|would|offered|need(?:s|ed)? )\b",
    re.IGNORECASE,
)
_ONCE = re.compile(r"\b(?:in|em) (?:19|20)\d\d\b", re.IGNORECASE)
_STILL = re.compile(r"\b(?:known|since|diagnos\w+|dating|diagn[óo]stic\w+|desde)\b", re.IGNORECASE)
_YEAR = re.compile(r"(?:\b(?:in|since|to|from|em|desde|year)\s+|[(—–:]\s*|\s)((?:19|20)\d\d)(?![-/\ds])")
_LEADS = re.compile(
    r"[\s,;:(—–-]*(?:(?:which|that|was|is|first|known|since|diagnosed|diagnosis|in|on|back|dating|to|from|desde|em|"
    r"de|a|o|"
    r"com|primeiro|diagn[óo]stic[oa]d?[oa]?|diagnosticad[oa]|said|have|been|year|early|late|at)\b[\s,;:(—–-]*){0,6}",
    re.IGNORECASE,
)
"""What may stand between a diagnosis and the day on which it began."""
_NEXT = re.compile(r"[,;]\s*(?:status|s/p|history|h/o|p[óo]s)\b", re.IGNORECASE)
_COMPLAINT = re.compile(r"\b(?:hour|day|week|month|year|hr|wk|mo)s?[\s-]*\Z", re.IGNORECASE)
"""`A four-month history of pain` is why somebody came."""
_AND = re.compile(r"\s+(?:and|e|&)\s+", re.IGNORECASE)
_JOIN = re.compile(
    r"(?:\s*\(?(?:since|in|from|desde|em)?\s*[^,;.()\d]{0,8}(?:19|20)\d\d\)?)?\s*(?:,|;|\band\b|\be\b|&)(?:\s*(?:and|"
    r"e|as well as)\b)?\s*",
    re.IGNORECASE,
)
_NEAR_CHARS = 24
_SHORT_CHARS = 80
_MOST_WORDS = 8
_NO_NAME = re.compile(
    r"\A(?:tried|works?|lives?|denies|nega|teve|no|none|not|never|father|mother|m[ãa]e|pai|see|as above|same|signed|"
    r"dr|n/?a|nil|"
    r"unremarkable|non-?contributory|unknown|nenhum\w*|sem|performed|surgeon|anesth\w+|cirurgi[ãa]o|assistant|mrn)\b|"
    r"\A\W*\Z",
    re.IGNORECASE,
)
_PARTIAL = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")


def may_tell_history(text: str, section: tuple[str, ...]) -> bool:
    """Whether a sentence may state a diagnosis or a procedure; cheap."""
    if text.startswith(("Diagnosis of", "Possible diagnosis of", "The patient underwent")):
        return True
    header = section[-1] if section else ""
    if _PROBLEMS.search(header) or _OPERATIONS.search(header):
        return not _NO_LIST.search(header)
    return bool(_SAID.search(text) or _DONE.search(text) or _RULED_OUT.search(text))


def conditions_stated(line: Line, facts_of: FactsReader) -> Iterator[ConditionStated]:
    """The patient's diagnoses in a sentence."""
    known = rendered_condition(line)
    if known is not None:
        name = line.text[known.start : known.end]
        yield ConditionStated(name, known.status, line.source.written, known.day, line.source)
    if known is not None or is_of_another(line.text) or _is_title(line):
        return
    names = list(_condition_names(line))
    ends = [*(start for start, _, _ in names[1:]), len(line.text)]
    before = 0
    for (start, end, is_list), following in zip(names, ends, strict=False):
        behind = _NEXT.split(line.text[end : max(following, end)])[0]
        clause, before = line.text[before:end] + behind, end
        name = line.text[start:end]
        is_known = (is_disease(name) or (is_list and is_listed_name(name))) and not is_procedure(name)
        if not is_known or _NO_NAME.search(name) or len(name.split()) > _MOST_WORDS:
            continue
        facts = facts_of(line.text)
        status = _status(clause, Span(start, end), facts)
        if status is not None:
            day = _day_behind(line, end, max(following, end))
            yield ConditionStated(name, status, line.source.written, day, line.source)


def procedures_stated(line: Line, facts_of: FactsReader) -> Iterator[ProcedureStated]:
    """The procedures that a sentence says were done."""
    known = rendered_procedure(line)
    if known is not None:
        side, bare = side_of(" ".join(line.text[known.start : known.end].split()))
        yield ProcedureStated(bare, side, known.day, line.source)
    is_no_news = known is not None or rendered_condition(line) is not None
    if is_no_news or is_of_another(line.text) or _is_title(line) or _PLANNED.search(line.text):
        return
    for start, end, is_list in _procedure_names(line):
        name = line.text[start:end]
        if not is_procedure(name) or _NO_NAME.search(name) or len(name.split()) > _MOST_WORDS:
            continue
        facts = facts_of(line.text)
        if _names(Span(start, end), facts) & {"absent", "family", "hypothetical", "possible"}:
            continue
        side, bare = side_of(" ".join(name.split()))
        is_own = bool(_OPERATIVE.search(line.source.note_type)) and is_list and not _PAST_LIST.search(line.section[-1])
        day = _day_in(line) or (line.source.written[:10] if is_own or _TODAY.search(line.text) else "")
        side = side or side_of(" ".join(line.text.split()))[0]
        if day[: len(line.source.written)] <= line.source.written[:10]:  # else it is still to come
            yield ProcedureStated(bare, side, day, line.source)


_LETTER = re.compile(r"[^\W\d_]+")


def _is_title(line: Line) -> bool:
    return bool(line.section) and _LETTER.findall(line.text.lower()) == _LETTER.findall(line.section[-1].lower())


_TODAY = re.compile(r"\b(?:today|this morning|hoje)\b", re.IGNORECASE)
_PAST_LIST = re.compile(r"histor|past|psh|antecedent|pr[ée]vi|cirurgias", re.IGNORECASE)


def _condition_names(line: Line) -> Iterator[tuple[int, int, bool]]:
    header = line.section[-1] if line.section else ""
    is_list = _PROBLEMS.search(header) and not _NO_LIST.search(header) and not _OPERATIONS.search(header)
    if is_list and not _RULED_OUT.search(line.text):
        found = _name_at(line.text, 0)
        if found:
            is_short = bool(_LIST_PROPER.search(header)) and len(line.text) < _SHORT_CHARS
            yield from ((*one, is_short) for one in _each(line.text, found, is_disease))
        return
    for cue in _SAID.finditer(line.text):
        if _COMPLAINT.search(line.text, 0, cue.start()):
            continue
        found = _name_at(line.text, cue.end())
        yield from ((*one, False) for one in (_each(line.text, found, is_disease) if found else ()))
    for cue in _RULED_OUT.finditer(line.text):
        yield from ((*found, False) for found in _around(line.text, cue.start(), cue.end()))


def _each(text: str, first: tuple[int, int], is_one: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """The names of an enumeration: `hypertension, gout and kidney stones`; of other words only the first."""
    found: tuple[int, int] | None = first
    while found is not None:
        start, end = found
        both = _AND.search(text, start, end)
        if both and is_one(text[start : both.start()]):
            end = both.start()
        yield start, end
        join = _JOIN.match(text, end)
        found = _name_at(text, join.end()) if join else None
        if found is None or not is_one(text[slice(*found)]) or found[0] - end > _NEAR_CHARS:
            return


def _procedure_names(line: Line) -> Iterator[tuple[int, int, bool]]:
    header = line.section[-1] if line.section else ""
    if _OPERATIONS.search(header) and not _NO_LIST.search(header):
        found = _name_at(line.text, 0)
        yield from ((*one, True) for one in (_each(line.text, found, is_procedure) if found else ()))
        return
    for cue in _DONE.finditer(line.text):
        found = _name_at(line.text, cue.end())
        yield from ((*one, False) for one in (_each(line.text, found, is_procedure) if found else ()))


def _name_at(text: str, at: int) -> tuple[int, int] | None:
    """From the first word of a name to what ends it."""
    lead = _LEAD.match(text[at:])
    start = at + (lead.end() if lead else 0)
    end = _END.search(text, start)
    stop = end.start() if end else len(text)
    while stop > start and not text[stop - 1].isalnum():
        stop -= 1
    return (start, stop) if stop - start >= 2 else None


def _around(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What is ruled out: the object behind the verb, or the subject of a passive before it."""
    before = re.search(r"([\w'’ -]{3,60}?)\s+(?:was|were|is|has been|foi|foram)\s*$", text[:start])
    if before:
        found = _name_at(text, before.start(1))
        if found and found[1] <= before.end(1):
            yield found
        elif found:
            yield found[0], before.end(1)
    elif found := _name_at(text, end):
        yield found


def _status(clause: str, span: Span, facts: SentenceFacts) -> Status | None:
    """How a name stands: by the rules of the facts room, and by the words of its own part of the sentence."""
    names = _names(span, facts)
    if "family" in names or "hypothetical" in names:
        return None
    if _RULED_OUT.search(clause):
        return "ruled_out"
    if "absent" in names:
        return None
    if "possible" in names or "unclear" in names:
        return "possible"
    if _OVER.search(clause):
        return "resolved"
    is_past = _PAST.search(clause) or (_ONCE.search(clause) and not _STILL.search(clause))
    return "history" if is_past else "active"


def _names(span: Span, facts: SentenceFacts) -> set[str]:
    return {name for s in facts.standings if overlap(span, s.span) for name in s.names}


def _day_behind(line: Line, at: int, until: int) -> str:
    """The only date that stands behind a name and before the next one, as precise as it is written."""
    found = [day for start, day in _dates(line) if at <= start < until and _LEADS.fullmatch(line.text, at, start)]
    return found[0] if len(set(found)) == 1 and found[0] <= line.source.written[:10] else ""


def _day_in(line: Line) -> str:
    found = {day for _, day in _dates(line)}
    return found.pop() if len(found) == 1 else ""


def _dates(line: Line) -> list[tuple[int, str]]:
    whole = [(day.start, day.iso) for day in days(line.text, line.source.written, line.order)]
    taken = {start for start, _ in whole}
    rest = [(a, form) for a, _, form in find_dates(line.text) if a not in taken and _PARTIAL.fullmatch(form)]
    found = sorted([*whole, *rest])
    return found or [(year.start(1), year[1]) for year in _YEAR.finditer(line.text)]
