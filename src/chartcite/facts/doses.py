"""Doses bound to their drugs: strength, count of tablets, route, frequency, `PRN`, duration, what it is for.

A dose follows its drug (`metformin 500 mg BID`, `Lasix 40`) or goes before it (`40 mg of furosemide IV`). What stands
between two drugs belongs to the first one unless it leads up to the second. Says what is written and adds nothing: a
patch does not make a route.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chartcite.core.documents import Span
from chartcite.facts.dose_parts import Part, find_parts
from chartcite.facts.drug_mentions import Drug
from chartcite.facts.indications import find_indication
from chartcite.facts.lexicon import word_set
from chartcite.facts.line import Line, hard_stops, next_stop, previous_stop
from chartcite.facts.phrases import Named
from chartcite.facts.quantities import Quantity


@dataclass(frozen=True, slots=True)
class Dose:
    """What a sentence says of how a drug is taken.

    Attributes:
        drug: whose dose it is.
        span: from the first to the last word of it, the drug among them.
        strength: an amount with its unit, or the bare number of `Lasix 40`. After a change it is the new one.
        earlier: in `from 25 to 50 mg`, the old one.
        volume: a second amount in another unit: `10 mg (5 mL)`.
        count: how many of `form` are taken.
        frequency: how often, as a quantity in times a day.
        time: when, as words: `at bedtime`, `with meals`, `once`.
    """

    drug: Drug
    span: Span
    strength: Quantity | None = None
    earlier: Quantity | None = None
    volume: Quantity | None = None
    count: Quantity | None = None
    form: Named | None = None
    route: Named | None = None
    frequency: Quantity | None = None
    time: Named | None = None
    prn: Span | None = None
    duration: Quantity | None = None
    indication: Span | None = None


_MOST_WORDS = 4
# Words that cost nothing between a drug and its dose.
_FILLERS = word_set(
    "xr er sr cr xl la dr ec odt hfa hcl hydrochloride succinate tartrate sodium potassium besylate sulfate sulphate "
    "release extended acetate maleate calcium mesylate inhaler solution suspension cream ointment injection dose "
    "doses was is were at to of the a an on from by for with take takes taking tomar total in therapy tablet patch "
    "strength currently uma um de da do para por em com foi increased decreased reduced changed up down titrated "
    "started continued given aumentada aumentado reduzida reduzido"
)
_LEADS = re.compile(r"\s*(?:(?:of|de|da|do|dose|doses|the)\s+)*", re.IGNORECASE)
_OF = re.compile(r"\s*(?:dose\s+)?(?:of|de|da|do)\s+(?:the\s+)?", re.IGNORECASE)


def find_doses(line: Line, drugs: Sequence[Drug], walls: Sequence[Span] = ()) -> tuple[Dose, ...]:
    """The doses of a sentence, in the order of their drugs.

    Args:
        line: the sentence.
        drugs: its drugs, in order.
        walls: names of measured things, behind which a number is no dose.
    """
    if not drugs:
        return ()
    blocks = [Part(span, "wall") for span in (*walls, *(drug.span for drug in drugs))]
    parts = sorted((*find_parts(line), *blocks), key=lambda part: (part.span, part.kind))
    parts = [p for p in parts if p.kind == "wall" or not any(_inside(p.span, d.span) for d in drugs)]
    stops = hard_stops(line.text)
    ahead = [_leading(line, drug, parts, stops) for drug in drugs]
    out: list[Dose] = []
    for n, drug in enumerate(drugs):
        end = next_stop(stops, drug.span.end, len(line.text))
        limit = min([end, *(part.span.start for part in ahead[n + 1][-1:])]) if n + 1 < len(drugs) else end
        behind = list(_following(line, drug, parts, limit))
        out += _doses(line, drug, ahead[n], behind, limit)
    return tuple(out)


def _inside(span: Span, name: Span) -> bool:
    return name.start <= span.start and span.end <= name.end


def _leading(line: Line, drug: Drug, parts: Sequence[Part], stops: Sequence[int]) -> list[Part]:
    """The parts that lead up to a drug, nearest first."""
    floor, at = previous_stop(stops, drug.span.start), drug.span.start
    out: list[Part] = []
    for n in range(len(parts) - 1, -1, -1):
        part = parts[n]
        if part.span.end > at:
            continue
        gap = line.text[part.span.end : at]
        if (
            part.span.start < floor
            or _BY.search(line.text, 0, part.span.start)
            or part.kind not in ("dose", "bare", "route", "form", "frequency")
            or not _LEADS.fullmatch(gap)
        ):
            break
        if part.kind in ("dose", "bare", "frequency") and not (_OF.fullmatch(gap) or _is_fresh(line, parts, n)):
            break
        if part.kind == "frequency" and not out:
            break
        out.append(part)
        at = part.span.start
    return [] if out and out[-1].kind == "bare" and not any(p.kind == "form" for p in out) else out


def _is_fresh(line: Line, parts: Sequence[Part], n: int) -> bool:
    """Whether an amount begins something: nothing of the same kind of list stands right before it."""
    before = parts[n - 1] if n else None
    return before is None or bool(re.search(r"[^\s(]", line.text[before.span.end : parts[n].span.start]))


def _following(line: Line, drug: Drug, parts: Sequence[Part], limit: int) -> Iterator[Part]:
    """The parts that follow a drug without too much between."""
    at = drug.span.end
    for part in parts:
        if part.span.start < at:
            continue
        if part.kind == "wall" or part.span.end > limit or _words_between(line, at, part.span.start) > _MOST_WORDS:
            return
        if part.quantity is not None and part.quantity.unit.name == "%" and _words_between(line, at, part.span.start):
            return
        if part.kind == "bare" and not _is_plain(line, at, part, drug):
            continue
        if part.kind in ("dose", "bare") and _BY.search(line.text, 0, part.span.start):
            continue
        yield part
        at = part.span.end


# "Decreased by 2.5 mg" says how much less, not how much.
_BY = re.compile(
    r"\b(?:(?:(?:in|de)creas|reduc|rais|lower|chang|titrat|cut|adjust|tapered)\w*(?:\s+(?:up|down|further))*\s+by"
    r"|(?:aument|reduz|diminu)\w*\s+(?:em|por))\s+(?:(?:about|another|cerca\s+de)\s+)?$",
    re.IGNORECASE,
)


def _words_between(line: Line, start: int, end: int) -> int:
    words = [w.casefold() for w in re.findall(r"[^\W_]+", line.text[start : min(end, start + 400)])]
    return sum(word not in _FILLERS for word in words)


_GLUE = re.compile(r"[\s:,(]*(?:[A-Z]{2}\s+|(?:to|at|dose)\s+)*", re.IGNORECASE)
_COUNTED = re.compile(
    r"\s*(?:tab|cap|puff|drop|gtt|spray|patch|supp|pill|amp|vial|com?p|cp|c[aá]ps|got|jato|dose|inhal|sach|aplica|pen|mg|mcg)",
    re.IGNORECASE,
)


def _is_plain(line: Line, at: int, part: Part, drug: Drug) -> bool:
    """A number without unit counts right behind the drug (`Lasix 40`) or before a form (`2 tablets`)."""
    if _COUNTED.match(line.text, part.span.end):
        return True
    is_next = at == drug.span.end and _GLUE.fullmatch(line.text[at : part.span.start]) is not None
    return is_next and drug.written != "class"


def _doses(line: Line, drug: Drug, ahead: Sequence[Part], behind: Sequence[Part], limit: int) -> Iterator[Dose]:
    dose = Dose(drug, drug.span)
    for part in reversed(ahead):
        dose = _add(line, dose, part) or dose
    for part in behind:
        more = _add(line, dose, part)
        if more is None:
            yield _finish(line, dose, limit)
            more = _add(
                line, Dose(drug, part.span, form=dose.form if part.kind == "bare" else None, route=dose.route), part
            )
        dose = more or dose
    dose = _finish(line, dose, limit)
    if dose != Dose(drug, drug.span):
        yield dose


def _finish(line: Line, dose: Dose, limit: int) -> Dose:
    found = find_indication(line, dose.prn or Span(dose.span.end, dose.span.end), limit, is_needed=dose.prn is not None)
    if found is None:
        return dose
    return replace(dose, indication=found, span=Span(dose.span.start, max(dose.span.end, found.end)))


_COUNTED_ONLY = frozenset(("dose", "application", "pen", "bolus", "vial", "syringe"))


def _add(line: Line, dose: Dose, part: Part) -> Dose | None:
    """The dose with one more part; None for a further amount, which begins a further dose."""
    changes: dict[str, object] | None = None
    named = Named(part.span, part.name)
    if part.quantity is not None and part.kind in ("dose", "bare"):
        changes = _amount(line, dose, part.quantity, part.kind == "bare")
    elif part.kind == "prn":
        changes = {"prn": part.span} if dose.prn is None else {}
    elif part.kind in ("frequency", "duration"):
        changes = {part.kind: part.quantity} if getattr(dose, part.kind) is None else {}
    elif part.kind == "form" and dose.count is None and part.name in _COUNTED_ONLY:
        changes = {}
    elif part.kind in ("route", "form", "time"):
        changes = {part.kind: named} if getattr(dose, part.kind) is None else {}
    if not changes:
        return dose if changes is not None else None
    span = Span(min(dose.span.start, part.span.start), max(dose.span.end, part.span.end))
    return replace(dose, span=span, **changes)  # type: ignore[arg-type]


_TO = re.compile(r"\s*(?:(?:mg|mcg|units?)\s*)?(?:->|=>|→|\bto\b|\bpara\b|\btill\b)\s*", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|de)\s*$", re.IGNORECASE)


def _amount(line: Line, dose: Dose, quantity: Quantity, is_count: bool) -> dict[str, object] | None:
    if is_count and _COUNTED.match(line.text, quantity.span.end):
        return {"count": quantity} if dose.count is None else None
    old = dose.strength
    if old is None:
        return {"strength": quantity}
    between = line.text[old.span.end : quantity.span.start]
    if dose.earlier is None and (_TO.search(between) or _FROM.search(line.text, 0, old.span.start)):
        return {"strength": quantity, "earlier": old}
    if dose.earlier is None and _FROM.search(line.text, old.span.end, quantity.span.start):
        return {"earlier": quantity}
    is_other = quantity.unit.dimension != old.unit.dimension and not is_count
    return {"volume": quantity} if is_other and dose.volume is None and dose.frequency is None else None
