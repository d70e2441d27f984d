"""Quantities of a claim against those of the evidence: entailed by one that belongs to the same thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from chartcite.core.documents import Span
from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed, Measure
from chartcite.verification.changes import Changes, read_changes
from chartcite.verification.equality import entails, in_thousands
from chartcite.verification.evidence import Evidence
from chartcite.verification.intervals import told_spans
from chartcite.verification.nearness import Context
from chartcite.verification.rivals import is_anothers, is_last_time, rivals_of
from chartcite.verification.timeline import precedes
from chartcite.verification.totals import told_totals, total_words
from chartcite.verification.verdicts import Veto, VetoKind


@dataclass(frozen=True, slots=True)
class Amounts:
    """What became of a claim's quantities.

    Attributes:
        missing: those that the evidence says nothing like.
        context: those found, with their places.
        said: tokens of the claim that the quantities account for.
    """

    vetoes: tuple[Veto, ...]
    missing: tuple[Measure, ...]
    context: tuple[Context, ...]
    said: frozenset[int]


def check_amounts(claim: Analysed, evidence: Evidence, around: Sequence[Context]) -> Amounts:
    """Account for each quantity of the claim."""
    found = {m: [o for o in evidence.measures if _says(m, o)] for m in claim.measures}
    places = tuple(
        Context(m.at, m.segment, tuple(o.at for o in others), 2) for m, others in found.items() if others
    )  # fmt: skip
    changes = read_changes(claim, found, evidence)
    spans = told_spans(claim, found, evidence, around)
    totals = told_totals(claim, found, evidence)
    vetoes: list[Veto] = []
    missing: list[Measure] = []
    for measure, equal in found.items():
        denies = any(cue.kind == "negation" for cue in claim.assertions.cues)
        fitting = [
            o for o in equal
            if (_same_role(measure, o) or (denies and not measure.role and is_last_time(o, evidence)))
            and _same_sense(measure, o)
        ]  # fmt: skip
        if measure in changes.current:
            fitting = [o for o in fitting if not _is_outdated(o, evidence)]
        own = [o for o in fitting if _is_of_one_person(measure, o, claim, evidence)]
        if fitting and not own:
            why = "the source says it of another person"
            vetoes.append(_veto("experiencer", why, measure, fitting[0], claim, evidence))
            continue
        fitting = own
        if fitting and measure not in changes.turned:
            if not _is_told_apart(measure, fitting, changes, evidence) and is_anothers(
                measure, fitting, found, (*around, *places), evidence
            ):
                why = "the source says this value of something else"
                vetoes.append(_veto("binding", why, measure, fitting[0], claim, evidence))
        elif measure in changes.differences or measure in spans or measure in totals:
            continue
        elif equal:
            vetoes.append(
                _veto("order", "the source gives it another part in a change", measure, equal[0], claim, evidence)
            )
        else:
            explained = _explain(measure, evidence)
            if explained is None:
                missing.append(measure)
            else:
                kind, why, other = explained
                vetoes.append(_veto(kind, why, measure, other, claim, evidence))
    said = (
        changes.said
        | (total_words(claim) if totals else frozenset())
        | _named_pressures(found)
        | {at for words in spans.values() for at in words}
    )
    return Amounts(tuple(vetoes), tuple(missing), places, frozenset(said))


def _is_of_one_person(measure: Measure, other: Measure, claim: Analysed, evidence: Evidence) -> bool:
    """`Her husband weighs 70 kg` may not be cited from `she weighs 70 kg`."""
    if measure.is_family == other.is_family or not _INFANTS.isdisjoint(token.text for token in claim.tokens):
        return True
    if other.is_family:
        # Where the reach of a relative ends is no matter of dispute as long as one is named before the value.
        return any(cue.kind == "family" and cue.first < measure.at for cue in claim.assertions.cues)
    number = evidence.sentences[other.at]
    kin = (cue for cue, _ in evidence.cues if cue.kind == "family" and evidence.sentences[cue.first] == number)
    return any(cue.first < other.at for cue in kin)


_INFANTS = word_set("baby babies newborn neonate infant infants twin twins")
_PRESSURE_WORDS = word_set("systolic diastolic blood pressure pressures bp sbp dbp")


def _named_pressures(found: Mapping[Measure, Sequence[Measure]]) -> frozenset[int]:
    """The words of `systolic pressure 132`, which `BP 132/78` says by its form."""
    return frozenset(
        word.at
        for measure, others in found.items()
        if measure.quantity.kind != "pressure" and any(o.quantity.kind == "pressure" for o in others)
        for word in measure.owners
        if set(word.text.split()) <= _PRESSURE_WORDS
    )


def _is_told_apart(measure: Measure, fitting: Sequence[Measure], changes: Changes, evidence: Evidence) -> bool:
    """Whether its part in a change says which of two values is meant, whatever stands near."""
    if measure in changes.ordered:
        return True
    if measure.role not in ("from", "to"):
        return False
    other = "to" if measure.role == "from" else "from"
    rivals = rivals_of(measure, fitting, evidence)
    return any(o.role == measure.role for o in fitting) or all(r.role == other for r in rivals)


def _is_outdated(measure: Measure, evidence: Evidence) -> bool:
    """Whether the sentence gives another value of the same thing as the later one.

    `70 kg (was 75 kg)`, `75 kg in 2019, 70 kg today`, `on 75 mg; dose cut to 70 mg`.
    """
    later = (
        m for m in evidence.measures
        if m.quantity.kind == measure.quantity.kind and m.quantity.unit.dimension == measure.quantity.unit.dimension
        and m.quantity != measure.quantity and evidence.sentences[m.at] == evidence.sentences[measure.at]
    )  # fmt: skip
    if measure.is_past or measure.role == "from":
        return any(not m.is_past and m.role != "from" and _one_thing(m, measure) for m in later)
    is_result = measure.quantity.kind in ("value", "ratio", "pressure")
    return is_result and any(_is_newer(m, measure, evidence) for m in later)


def _is_newer(later: Measure, measure: Measure, evidence: Evidence) -> bool:
    if later.quantity.unit.name != measure.quantity.unit.name or later.role in ("by", "ago", "aside", "from"):
        return False
    if later.role == "to" and measure.role != "to" and measure.at < later.at:
        between = evidence.texts[measure.at + 1 : later.at]
        named = (w for w in evidence.content if measure.at < w.at < later.at and w.text not in _CHANGED)
        return not _CHANGED.isdisjoint(between) and all(w.text in _DOSES for w in named)
    if _DATED_NOW.isdisjoint(t for t, s in zip(evidence.texts, evidence.segments, strict=True) if s == later.segment):
        return False
    return _one_thing(later, measure) and precedes(measure.at, later.at, evidence, is_value=True) is True


_DOSES = word_set("dose dosage nightly daily weekly dosagem")
_DATED_NOW = word_set("now today currently present presently hoje agora atualmente")
_CHANGED = word_set(
    "cut reduced decreased lowered increased raised changed adjusted titrated uptitrated reduzido reduzida aumentado "
    "aumentada"
)


def _one_thing(first: Measure, second: Measure) -> bool:
    is_near = abs(first.at - second.at) <= _ASIDE_REACH
    return is_near or bool({w.at for w in first.owners} & {w.at for w in second.owners})


_ASIDE_REACH = 4


def _says(measure: Measure, other: Measure) -> bool:
    if entails(measure, other):
        return True
    # "Platelets 250,000" from "Plt 250".
    ours, theirs = measure.quantity, other.quantity
    return (
        ours.kind == "value" == theirs.kind and not theirs.unit.name and in_thousands(other)
        and ours.low == ours.high == theirs.low * 1000 == theirs.high * 1000
    )  # fmt: skip


def _veto(kind: VetoKind, why: str, measure: Measure, other: Measure, claim: Analysed, evidence: Evidence) -> Veto:
    here = measure.quantity.span
    span = Span(claim.span.start + here.start, claim.span.start + here.end)
    place = evidence.span(other)
    return Veto(kind, span, claim.text[span.start : span.end], place.source_id, place.span, why)


def _same_role(measure: Measure, other: Measure) -> bool:
    roles = {measure.role, other.role}
    if roles == {"aside", ""} and _NOT_MEASURED & {w.text for w in measure.owners}:
        return True  # "The goal of 5 to 8" from "(goal 5-8)"
    if roles & {"by", "ago", "aside"}:
        # "Raised by 10 mg" is not "raised to 10 mg", "for 3 days" is not "3 days ago".
        return len(roles) == 1 or roles in ({"by", "change"}, {"ago", "before"}, {"ago", "since"})
    if roles & {"before", "change", "since", "later"}:
        return not roles & {"from", "to"} and roles not in ({"before", "later"}, {"before", "since"})
    return not measure.role or not other.role or measure.role == other.role


_NOT_MEASURED = word_set(
    "goal goals target targets ref reference threshold cutoff limit maximum max minimum min baseline predicted expected"
)


def _same_sense(measure: Measure, other: Measure) -> bool:
    """A goal or a limit is no result: the claim must say which it is."""
    claimed = {word.text for word in measure.owners}
    if measure.role == "from":
        claimed.add("baseline")
    return all(word.text in claimed for word in other.owners if word.text in _NOT_MEASURED)


def _explain(measure: Measure, evidence: Evidence) -> tuple[VetoKind, str, Measure] | None:
    """Which quantity of the evidence the claim's one seems to be about, and how the two differ."""
    claimed = measure.quantity
    alike = [m for m in evidence.measures if m.quantity.kind == claimed.kind]
    if claimed.kind in ("date", "frequency"):
        kind: VetoKind = "date" if claimed.kind == "date" else "frequency"
        return (kind, f"the source has another {kind}", alike[0]) if alike else None
    same_value = [m for m in alike if _value(m) == _value(measure)]
    for other in same_value:
        if other.quantity.unit.name == claimed.unit.name and other.quantity.comparator != claimed.comparator:
            return "comparator", "the source compares otherwise", other
    for other in same_value:
        if other.quantity.unit.name and claimed.unit.name and other.quantity.unit.name != claimed.unit.name:
            return "unit", "the source has another unit", other
    for other in alike:
        stated = other.quantity.unit
        is_comparable = stated.dimension == claimed.unit.dimension or not (claimed.unit.name and stated.name)
        if is_comparable and other not in same_value:
            return "number", "the source has another value", other
    return None


def _value(measure: Measure) -> tuple[Fraction, Fraction]:
    return measure.quantity.low, measure.quantity.high
