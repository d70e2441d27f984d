"""Computed sentences: what a claim says that no cited sentence states, but that follows from those that are cited.

A part that follows is accounted for by the sentences that it follows from; every other word of its sentence is left to
the accounting of words. A part that comes out otherwise is a veto. What cannot be computed changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from chartcite.core.documents import Span
from chartcite.facts.lexicon import word_set
from chartcite.records.refused import is_of_another
from chartcite.verification.analysis import Analysed
from chartcite.verification.computed.atoms import Atom, read_atoms
from chartcite.verification.computed.courses import check_course, read_course
from chartcite.verification.computed.findings import Finding
from chartcite.verification.computed.occasions import check_occasions, read_occasions
from chartcite.verification.computed.occasions import spans_of as occasions_spans
from chartcite.verification.computed.order import check_order, read_order, spans_of
from chartcite.verification.computed.runs import read_runs
from chartcite.verification.computed.stated import Cited
from chartcite.verification.computed.stays import check_stays, read_stays
from chartcite.verification.computed.values import check_run
from chartcite.verification.computed.words import CLASSES, FACTORS
from chartcite.verification.support import Account
from chartcite.verification.verdicts import Veto


@dataclass(frozen=True, slots=True)
class _Part:
    """What a sentence of the claim computes: the tokens' spans that a finding speaks of, in that sentence."""

    finding: Finding
    spans: tuple[tuple[int, int], ...]


_SIGNS = frozenset(CLASSES) | frozenset(FACTORS) | word_set("ranged exceeded variou oscilou twice")


def with_computed(accounts: Sequence[Account], cited: Cited) -> tuple[Account, ...]:
    """The accounts of a claim's sentences, with what is computed in them.

    Args:
        accounts: of each sentence, in order.
        cited: all that the claim cites.
    """
    out = []
    before: _Before = _Before()
    for one in accounts:
        if not _may_compute(one.claim):
            out.append(one)
            before = _Before()
            continue
        atoms = read_atoms(one.claim.text[slice(*one.claim.span)])
        out.append(_settled(one, list(_parts(atoms, one.claim, cited, before))))
        before = _Before.of(atoms, before)
    return tuple(out)


@dataclass(frozen=True, slots=True)
class _Before:
    """What the sentence before spoke of."""

    analyte: tuple[str, tuple[str, ...]] | None = None
    drug: str = ""

    @staticmethod
    def of(atoms: Sequence[Atom], before: _Before) -> _Before:
        analytes = {(a.name, a.units) for a in atoms if a.kind == "analyte"}
        drugs = {a.name for a in atoms if a.kind == "drug"}
        if not analytes and not drugs:
            return before
        return _Before(analytes.pop() if len(analytes) == 1 else None, drugs.pop() if len(drugs) == 1 else "")


def _may_compute(claim: Analysed) -> bool:
    """Whether there is a number, and a date or a word of change: most claims are passed over here."""
    if not claim.measures:
        return False
    return any(m.quantity.kind == "date" for m in claim.measures) or any(
        not _SIGNS.isdisjoint(token.text.split()) for token in claim.tokens
    )


def _parts(atoms: Sequence[Atom], claim: Analysed, cited: Cited, before: _Before) -> Iterator[_Part]:
    order = read_order(atoms)
    if order is not None:
        yield _Part(check_order(order, atoms, claim, cited), spans_of(order, atoms))
        return
    occasions = read_occasions(atoms)
    if occasions is not None:
        yield _Part(check_occasions(occasions, atoms, claim, cited), occasions_spans(occasions, atoms))
        return
    stays = read_stays(atoms)
    if stays is not None:
        yield _Part(check_stays(stays, atoms, cited), _spans(atoms, stays.used))
        return
    for run in read_runs(atoms, before.analyte):
        if run.computes:
            yield _Part(check_run(run, atoms, cited.of(run.analyte)), _spans(atoms, run.used))
    if any(a.kind == "analyte" for a in atoms):
        return
    course = read_course(atoms, before.drug)
    if course.computes:
        own = {deed.drug for deed in course.deeds}
        stated = [action for action in cited.actions if action.drug in own]
        yield _Part(check_course(course, atoms, stated), _spans(atoms, course.used))


def _spans(atoms: Sequence[Atom], used: Collection[int]) -> tuple[tuple[int, int], ...]:
    return tuple((atoms[i].start, atoms[i].end) for i in sorted(used))


def _settled(account: Account, parts: Sequence[_Part]) -> Account:
    """An account with the parts that follow accounted for, and those that do not as vetoes."""
    if not parts or is_of_another(account.claim.text[slice(*account.claim.span)]):
        return account
    held = [span for part in parts if part.finding.holds for span in part.spans]
    told = [span for part in parts if part.finding.holds is not None for span in part.spans]
    if not told or not _is_plain(account.claim, told):
        return account
    refused = [_veto(account.claim, part.finding) for part in parts if part.finding.holds is False]
    start = account.claim.span.start
    is_held = [Span(start + a, start + b) for a, b in held]
    uncovered = tuple(u for u in account.uncovered if not _is_in(u.span, is_held))
    vetoes = tuple(v for v in account.vetoes if not _is_in(v.claim_span, is_held))
    covered = account.covered + len(account.uncovered) - len(uncovered)
    return replace(account, covered=covered, uncovered=uncovered, vetoes=(*refused, *vetoes))


def _is_plain(claim: Analysed, told: Sequence[tuple[int, int]]) -> bool:
    """Whether nothing in the sentence denies, doubts or ascribes, but for what the computation has understood."""
    for cue in claim.assertions.cues:
        if cue.kind in ("end", "affirm"):
            continue
        first, last = claim.tokens[cue.first].start, claim.tokens[cue.last - 1].end
        if not _is_in(Span(first, last), [Span(*span) for span in told]):
            return False
    return True


def _is_in(span: Span, spans: Sequence[Span]) -> bool:
    """Whether every character of a span but white space and marks lies in some spans: they may join to hold it."""
    at = span.start
    while at < span.end:
        ahead = max((s.end for s in spans if s.start <= at < s.end), default=None)
        if ahead is None:
            gap = min((s.start for s in spans if at < s.start <= span.end), default=None)
            if gap is None or gap - at > 1 or at == span.start:
                return False
            ahead = gap
        at = ahead
    return True


def _veto(claim: Analysed, finding: Finding) -> Veto:
    first, last = (claim.span.start + at for at in finding.at)
    source = finding.source
    return Veto(
        finding.kind, Span(first, last), claim.text[first:last], source.source_id if source else "",
        source.span if source else None, finding.why,
    )  # fmt: skip
