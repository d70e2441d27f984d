"""Cutting by rules: the shortest part of a sentence that is of the kind asked for. Always a slice, never a new word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from chartcite.cascade.choose.stem import said_of
from chartcite.cascade.span.kinds import Wants
from chartcite.cascade.statements import Wanted
from chartcite.core.documents import Span
from chartcite.facts.dates import find_dates
from chartcite.facts.doses import Dose
from chartcite.facts.lexicon import word_set
from chartcite.facts.line import read_line
from chartcite.facts.read import SentenceFacts, read_facts

_LEADER = re.compile(r"\.{4,}")
_UNIT_CELL = re.compile(r"[\s|HL*]*")
_CUE = re.compile(
    r"\b(?:because(?:\s+of)?|due\s+to|on\s+account\s+of|owing\s+to|secondary\s+to|in\s+(?:view|light)\s+of|given|by\s+reason\s+of"
    r"|driver\s+is|indication\s+is|reason(?:\s+being)?:?|as\s+a\s+result\s+of|over|following|after|for|devido\s+a|por\s+causa\s+d[eoa]"
    r"|em\s+(?:vista|raz[ãa]o|fun[çc][ãa]o)\s+d[eoa]|por\s+conta\s+d[eoa]|dad[oa]|ap[óo]s|por|pel[oa])\s+",
    re.IGNORECASE,
)
_WEAK = frozenset(("over", "following", "after", "for", "por", "pelo", "pela", "após", "apos", "dado", "dada"))
_STOP = re.compile(r"[;)\n]|[.,:](?=\s|$)|$")
_LIGHT = re.compile(r"\A(?:a|an|the|its|his|her|o|a|os|as|um|uma)\s+", re.IGNORECASE)
_PERSON = re.compile(
    r"\b(?:Drs?\.?|Prof\.?|Dra\.?|Mr\.?|Mrs\.?|Ms\.?)\s+[A-ZÀ-Þ][\w'’-]+(?:\s+[A-ZÀ-Þ][\w'’-]+){0,2}"
    r"|\b(?:(?:maternal|paternal|younger|older|elder)\s+)?(?:mother|father|brother|sister|son|daughter|uncle|aunt|cousin"
    r"|grandmother|grandfather|half-(?:brother|sister))\b"
    r"|\b(?:mãe|pai|irmão|irmã|filh[oa]|ti[oa]|prim[oa]|avó|avô)(?:\s+(?:matern[oa]|patern[oa]|mais\s+(?:nov[oa]|velh[oa])))?\b",
    re.IGNORECASE,
)
_BREAK = re.compile(r"[,;:()\n]\s")
_DOSE_UNITS = frozenset(("mg", "ug", "g", "mL", "U", "meq", "mmol"))
_YEAR = re.compile(
    r"(?<![\w.,/-])(?:19|20)\d\d(?![\w/-]|[.,]\d|\s*(?:m?c?g|ug|m?l|u|units?|k?cal|steps|cells|mL/\w+)\b|\s*%)",
    re.IGNORECASE,
)
_AGE = re.compile(r"\b(?:at|was|aos|com)\s+(?:age\s+)?(\d{1,3})\b(?!\s*(?:mg|/|%))", re.IGNORECASE)
_HEADER = re.compile(r"\A[^:;.|\n]{2,40}:\s+(?=\S)")
_WORD = re.compile(r"[^\W_][\w'’/-]*")
_NEGATION = re.compile(
    r"\b(?:no|not|none|never|neither|nor|without|w/o|denie[sd]|deny|denying|negative|absent|cannot|declin\w+|refus\w+"
    r"|non|não|nao|nunca|sem|nega\w*|nenhuma?|ausente|ausência)\b|n['’]t\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[,;:()|\n](?=\s|$)|\.\s|\b(?:and|but|then|however|although|while|e|mas|porém|depois)\b", re.IGNORECASE
)
_SMALL = word_set(
    "a an the of to in on at for with by from and or is are was were be been has have had he she it they his her their "
    "patient this that as no o os as um uma de da do das dos em na no nas nos para por com e ou foi é era está ela ele "
    "paciente que"
)


@dataclass(frozen=True, slots=True)
class Read:
    """One sentence with its facts, and the drug or test that is asked of."""

    text: str
    facts: SentenceFacts
    want: Wanted


Cut = Callable[[Read], Iterator[Span]]


def cut(text: str, kind: Wants, want: Wanted, words: Sequence[str]) -> Span | None:
    """The part of a sentence that answers; None where it holds none of this kind.

    Args:
        text: one sentence.
        kind: of the span.
        want: the drug or test that is asked of.
        words: those of the question; what is asked for stands near them.
    """
    bare = _LEADER.sub(lambda dots: " " * len(dots[0]), text)
    if kind == "rest":
        return _rest(bare, words)
    found = list(_CUTS[kind](Read(bare, read_facts(bare, 0, len(bare)), want)))
    if not found:
        return None
    best = _of_clause(found, bare, words) if kind == "date" and len(found) > 1 else _nearest(found, bare, words)
    return None if best is None or _is_denied(bare, best) else best


def _values(read: Read) -> Iterator[Span]:
    for one in read.facts.measurements:
        if read.want.analytes and one.name not in read.want.analytes:
            continue
        for value in one.values:
            if value.role == "result":
                yield _with_unit(read.text, value.quantity.span, value.unit)
                break


def _with_unit(text: str, number: Span, unit: str) -> Span:
    """`52 | mg/dL`: the unit of a table stands in the next cell."""
    gap = _UNIT_CELL.match(text, number.end)
    end = gap.end() if gap else number.end
    if unit and not text[number.start : number.end].endswith(unit) and text.startswith(unit, end):
        return Span(number.start, end + len(unit))
    return number


def _doses(read: Read) -> Iterator[Span]:
    found = list(_bound_doses(read))
    yield from found or _loose_doses(read)


def _loose_doses(read: Read) -> Iterator[Span]:
    """`Metoprolol stays at 100 mg daily`: an amount with what follows it, where nothing binds it to a drug."""
    quantities = read_line(read.text).quantities
    for n, one in enumerate(quantities):
        if one.kind == "value" and one.unit.name in _DOSE_UNITS:
            follows = quantities[n + 1] if n + 1 < len(quantities) else one
            is_joined = follows.kind == "frequency" and read.text[one.span.end : follows.span.start].isspace()
            yield Span(one.span.start, follows.span.end if is_joined else one.span.end)


def _bound_doses(read: Read) -> Iterator[Span]:
    for dose in read.facts.doses:
        if dose.strength is not None and (not read.want.drugs or dose.drug.name in read.want.drugs):
            yield _dose(read.text, dose, with_drug=not read.want.drugs)


def _dose(text: str, dose: Dose, *, with_drug: bool) -> Span:
    """The amount with what stands beside it; behind a comma something else begins."""
    about = (dose.strength, dose.count, dose.frequency, dose.time, dose.route, dose.form)
    parts = [part.span for part in about if part is not None] + ([dose.prn] if dose.prn is not None else [])
    parts += [dose.drug.span] if with_drug else []
    start, end = dose.strength.span if dose.strength is not None else dose.span
    for part in sorted(parts):
        if part.start >= end and not _BREAK.search(text, end, part.start):
            end = part.end
    for part in sorted(parts, reverse=True):
        if part.end <= start and not _BREAK.search(text, part.end, start):
            start = part.start
    return Span(start, end)


def _drugs(read: Read) -> Iterator[Span]:
    dosed = {
        dose.drug.span: _dose(read.text, dose, with_drug=True) for dose in read.facts.doses if dose.strength is not None
    }
    for drug in read.facts.drugs:
        yield dosed.get(drug.span, drug.span)


def _dates(read: Read) -> Iterator[Span]:
    found = [(Span(start, end), form) for start, end, form in find_dates(read.text) if ":" not in form]
    spans = [span for span, _ in found]
    years = (Span(*m.span()) for m in _YEAR.finditer(read.text))
    yield from sorted([*spans, *(y for y in years if not any(s.start < y.end and y.start < s.end for s in spans))])


def _sides(read: Read) -> Iterator[Span]:
    yield from (side.span for side in read.facts.sides)


def _people(read: Read) -> Iterator[Span]:
    yield from (Span(*m.span()) for m in _PERSON.finditer(read.text))


def _of_kind(*kinds: str) -> Cut:
    def found(read: Read) -> Iterator[Span]:
        yield from (
            q.span for q in read_line(read.text).quantities if q.kind in kinds or _is_of_time(q.unit.dimension, kinds)
        )

    return found


def _is_of_time(dimension: str, kinds: Sequence[str]) -> bool:
    return "duration" in kinds and dimension in ("time", "calendar")


def _ages(read: Read) -> Iterator[Span]:
    yield from _of_kind("age")(read)
    yield from (Span(*m.span(1)) for m in _AGE.finditer(read.text))


def _reasons(read: Read) -> Iterator[Span]:
    text = read.text
    cues = list(_CUE.finditer(text))
    strong = [c for c in cues if " ".join(c[0].lower().split()) not in _WEAK]
    for found in (strong or cues)[:1]:
        span = _trimmed(text, found.end(), _stop(text, found.end()))
        if span is not None:
            yield span
            return
    if (bracket := re.search(r"\(([^()\n]{4,})\)", text)) and not list(find_dates(bracket[1])):
        yield Span(*bracket.span(1))
        return
    if (head := re.match(r"\s*(?:[-#*•]|\d+\.)?\s*([^:;.]{4,}):\s", text)) is not None:
        yield Span(*head.span(1))


def _stop(text: str, start: int) -> int:
    found = _STOP.search(text, start)
    return found.start() if found else len(text)


def _trimmed(text: str, start: int, end: int) -> Span | None:
    """Without white space, closing marks and a leading article."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    light = _LIGHT.match(text[start:end])
    start += light.end() if light else 0
    end = start + len(text[start:end].rstrip(" \t\r\n.,;:"))
    return Span(start, end) if end > start else None


_CUTS: Mapping[Wants, Cut] = {
    "value": _values, "dose": _doses, "drug": _drugs, "date": _dates, "side": _sides, "person": _people,
    "reason": _reasons, "duration": _of_kind("duration"), "age": _ages,
}  # fmt: skip


def _clauses(text: str, whole: Sequence[Span]) -> list[Span]:
    """The parts of a sentence; no part of `whole` is cut."""
    breaks = [m for m in _CLAUSE.finditer(text) if not any(s.start < m.end() and m.start() < s.end for s in whole)]
    starts, ends = [0, *(m.end() for m in breaks)], [*(m.start() for m in breaks), len(text)]
    return [Span(start, end) for start, end in zip(starts, ends, strict=True)]


def _is_denied(text: str, found: Span) -> bool:
    """Whether a denial of its clause stands before the span, which would be cut off: `not given 5 mg`."""
    clause = next((c for c in _clauses(text, [found]) if c.start <= found.start < c.end), Span(0, len(text)))
    outside = text[clause.start : found.start], text[found.end : clause.end]
    return any(_NEGATION.search(part) for part in outside)


def _of_clause(found: Sequence[Span], text: str, words: Sequence[str]) -> Span | None:
    """Of several dates that in the clause with most words of the question: the first behind them, else the last before.

    None where two clauses have as many of them, or that clause has no date.
    """
    about = []
    for clause in _clauses(text, found):
        tokens = [m for m in _WORD.finditer(text, clause.start, clause.end) if said_of(words, m[0])]
        about.append((len({w for m in tokens for w in said_of(words, m[0])}), tokens, clause))
    most = max(count for count, *_ in about)
    best = [(tokens, clause) for count, tokens, clause in about if count == most]
    if not most or len(best) > 1:
        return None
    tokens, clause = best[0]
    inside = sorted(span for span in found if clause.start <= span.start < clause.end)
    behind = [span for span in inside if span.start >= tokens[-1].end()]
    return behind[0] if behind else inside[-1] if inside else None


def _nearest(found: Sequence[Span], text: str, words: Sequence[str]) -> Span:
    """Of several the one that stands nearest to a word of the question; of equals the first."""
    if len(found) == 1:
        return found[0]
    at = [m.start() for m in _WORD.finditer(text) if said_of(words, m[0])]
    if not at:
        return found[0]
    return min(found, key=lambda span: (min(abs(span.start - place) for place in at), span.start))


def _rest(text: str, words: Sequence[str]) -> Span | None:
    """The sentence less its header and the question's own words at either end; None where nothing is left.

    A denial is never cut off, nor what it denies.
    """
    head = _HEADER.match(text)
    start = head.end() if head and text[head.end() :].strip() and not _NEGATION.search(head[0]) else 0
    tokens = list(_WORD.finditer(text, start))
    denial = _NEGATION.search(text, start)
    while tokens and _is_idle(tokens[0][0], words) and not (denial and tokens[0].end() > denial.start()):
        tokens.pop(0)
    while tokens and denial is None and _is_idle(tokens[-1][0], words):
        tokens.pop()
    return Span(tokens[0].start(), tokens[-1].end()) if tokens else None


def _is_idle(token: str, words: Sequence[str]) -> bool:
    return token.lower() in _SMALL or bool(said_of(words, token))
