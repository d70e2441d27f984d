"""Selection: from graded sentences to the evidence an answer may use, or to none. Serves every way of scoring.

Strict evidence has relevance >= 4; without any, lenient evidence >= 3; without any, the first three sentences, but only
if they hold the words that were asked for. Each rung below strict is a named fallback.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chartcite.cascade.dated import statements
from chartcite.cascade.score.rules import Scored
from chartcite.cascade.standing import asks_for_family, ends_something, is_correction, is_family, is_kin
from chartcite.cascade.statements import NOTHING, Wanted
from chartcite.core.answer import Evidence, Interpretation, Kept
from chartcite.facts.dates import find_dates
from chartcite.retrieval.candidates import Bookshelf, Candidate

STRICT, LENIENT = 4, 3
FALLBACK_SENTENCES = 3
ENOUGH_WORDS = 0.3
# Points, since whether to answer at all must not hang on what a calibration makes of them.
ENOUGH = 17.0
ENOUGH_WITH_UNKNOWN_WORDS = 25.5
CERTAIN = 32.0
NEAR = 6.0
SAME_WORDS = 0.8
_PRESENT = re.compile(r"\b(?:current|currently|now|still|present|presently|is|are|atual|atualmente)\b", re.IGNORECASE)
"""Asks for what holds today: when it was stopped, the stop is the answer. `Last taken` asks for what held before."""
CORRECTIONS_SHOWN = 2
CORRECTION_WORDS = 0.15  # an addendum need not repeat the question's words
Fallback = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Pool:
    """Graded sentences, best first, with what the rules need to know of the record.

    Attributes:
        missing: focus words that no passage has.
        is_asked_for: whether a word is one of the focus.
        want: what a value or dose is wanted of.
        names: whether a sentence has the words for that.
    """

    scored: Sequence[Scored]
    missing: tuple[str, ...]
    is_asked_for: Callable[[str], bool]
    want: Wanted = NOTHING
    names: Callable[[str], bool] = lambda _: True


def select(
    asked: Interpretation, pool: Pool, shelf: Bookshelf, fallback: Fallback, *, answerable: bool = False
) -> list[Evidence]:
    """The evidence, most useful first; empty when there is not enough.

    Args:
        asked: the question's kind and period.
        pool: all graded candidates, best first.
        shelf: for the documents' ids.
        fallback: told which rung was used.
        answerable: whether it is known that there is an answer, so that any evidence is enough.
    """
    own, relatives = _of_whom(asked, pool)
    stated = statements(asked, own, pool.want, pool.names, fallback)
    if stated:
        over = _endings(stated[0].candidate, own) if asked.kind == "latest" and _PRESENT.search(asked.query) else []
        return _listed(asked, [*over, *stated], "stated", own, own, pool, shelf)
    scored = _in_period(asked, own, fallback)
    # `or is it a relative?`: the record need not have the word itself.
    missing = [word for word in pool.missing if not is_kin(word)]
    if not scored or not (answerable or _enough(asked, scored, missing)):
        if not relatives or not _enough(asked, relatives, missing):
            return []
        scored = relatives
        fallback("only_relatives_history")
    ordered, why = _rung(asked, scored)
    if asked.kind in ("latest", "first") and any(not s.candidate.sort_key for s in ordered):
        fallback("undated_among_them")
    if why != "strict":
        fallback("lenient_evidence" if why == "lenient" else "first_three_sentences")
    return _listed(asked, ordered, why, own, scored, pool, shelf)


def _listed(
    asked: Interpretation, ordered: Sequence[Scored], why: Kept, own: Sequence[Scored], scored: Sequence[Scored],
    pool: Pool, shelf: Bookshelf,
) -> list[Evidence]:  # fmt: skip
    """The best, what puts it right, what stands beside it, and the rest."""
    best = ordered[0]
    corrections = _corrections(best.candidate, own)
    if asked.kind == "latest":
        corrections += [s for s in _endings(best.candidate, own) if s not in corrections]
    taken = {id(s) for s in (best, *corrections)}
    neighbours = [s for s in _neighbours(best.candidate, scored, pool) if id(s) not in taken]
    taken |= {id(s) for s in neighbours}
    return [
        as_evidence(best, why, shelf),
        *(as_evidence(s, "correction", shelf) for s in corrections),
        *(as_evidence(s, "neighbour", shelf) for s in neighbours),
        *(as_evidence(s, why, shelf) for s in ordered if id(s) not in taken),
    ]


def _of_whom(asked: Interpretation, pool: Pool) -> tuple[list[Scored], list[Scored]]:
    """The patient's own sentences, and those of relatives unless the question is about them."""
    if asks_for_family(asked.query):
        return list(pool.scored), []
    theirs = [is_family(s.candidate, pool.is_asked_for) for s in pool.scored]
    own = [s for s, relative in zip(pool.scored, theirs, strict=True) if not relative]
    return own, [s for s, relative in zip(pool.scored, theirs, strict=True) if relative]


def _neighbours(best: Candidate, scored: Sequence[Scored], pool: Pool) -> list[Scored]:
    """What else stands under the best sentence's header, if the header is what was asked for (`Allergies`)."""
    section = best.sentence.section
    if not section or not any(pool.is_asked_for(word) for word in section[-1].lower().split()):
        return []
    return [s for s in scored if s.candidate.document == best.document and s.candidate.sentence.section == section]


def corrections_elsewhere(best: Evidence, pool: Pool, others: Sequence[Scored], shelf: Bookshelf) -> list[Evidence]:
    """Corrections of what a kept sentence speaks of, among sentences of other documents than its own."""
    own = next(s.candidate for s in pool.scored if s.candidate.document == best.key and s.candidate.start == best.start)
    elsewhere = [s for s in others if s.candidate.document != best.key]
    return [as_evidence(s, "correction", shelf) for s in _corrections(own, elsewhere)]


def _corrections(best: Candidate, own: Sequence[Scored]) -> list[Scored]:
    """Corrections, not older than the best sentence, of what it speaks of."""
    return [
        s
        for s in own
        if s.candidate is not best
        and s.candidate.order >= best.order
        and s.candidate.coverage >= max(CORRECTION_WORDS * best.coverage, 0.01)
        and is_correction(s.candidate)
    ][:CORRECTIONS_SHOWN]


def _endings(best: Candidate, own: Sequence[Scored]) -> list[Scored]:
    """The newest sentence after the best that says that what it speaks of was stopped."""
    later = [
        s
        for s in own
        if s.candidate.order > best.order
        and s.candidate.coverage >= SAME_WORDS * best.coverage > 0
        and ends_something(s.candidate)
    ]
    return sorted(later, key=lambda s: (-s.candidate.order, s.candidate.start))[:1]


def _in_period(asked: Interpretation, scored: Sequence[Scored], fallback: Fallback) -> Sequence[Scored]:
    """Sentences from the period that the question names: written then, or saying that it was then.

    Without any, certain evidence from another time may answer, and is said to be from another time.
    """
    if not asked.period:
        return scored
    inside = [s for s in scored if _is_of(asked.period, s.candidate)]
    if inside and _enough(asked, inside, ()):
        return inside
    certain = [s for s in scored if s.points >= CERTAIN]
    if certain:
        fallback("outside_the_period")
    return certain


def _is_of(period: str, candidate: Candidate) -> bool:
    if candidate.date.startswith(period):
        return True
    return any(form.startswith(period) for _, _, form in find_dates(candidate.text)) or (
        len(period) == 4 and period in candidate.text
    )


def _enough(asked: Interpretation, scored: Sequence[Scored], missing: Sequence[str]) -> bool:
    """Whether to answer at all.

    What is certain suffices. Below it some sentence must have its share of the words asked for and points enough; more
    of them if the record nowhere has one of the words. Whether somebody has something is answered by the sentences
    that name it, likely or not: most of them deny it, and a relevance model thinks little of denials. A period that
    the question names narrows the choice as well.
    """
    best = max(s.points for s in scored)
    if best >= CERTAIN:
        return True
    worded = max(s.candidate.coverage for s in scored) >= ENOUGH_WORDS
    if (asked.kind == "absence" or asked.period) and worded and not missing:
        return True
    return worded and best >= (ENOUGH_WITH_UNKNOWN_WORDS if missing else ENOUGH)


def _rung(asked: Interpretation, scored: Sequence[Scored]) -> tuple[list[Scored], Kept]:
    """The best rung that is not empty, in the order that the kind of question wants."""
    strict = [s for s in scored if s.relevance >= STRICT]
    lenient = [s for s in scored if s.relevance >= LENIENT]
    if asked.kind in ("latest", "first") and lenient:
        # The newest value must not lose to an older one that is only worded a little more like the question.
        best = max(s.points for s in lenient)
        ordered = _by_time(asked, [s for s in lenient if s.points >= min(best - NEAR, CERTAIN)])
        return ordered, "strict" if ordered[0].relevance >= STRICT else "lenient"
    if asked.kind == "absence" and lenient:
        # A sentence that only names the patient is no answer, however much a relevance model likes it.
        most = max(s.candidate.coverage for s in scored)
        ordered = _by_kind(asked, [s for s in scored if s in lenient or s.candidate.coverage >= SAME_WORDS * most > 0])
        return ordered, "strict" if ordered[0].relevance >= STRICT else "lenient"
    if strict:
        return _by_kind(asked, strict), "strict"
    if lenient:
        return _by_kind(asked, lenient), "lenient"
    worded = sorted(scored, key=lambda s: -s.candidate.coverage)  # stable: equals stay in order of relevance
    first = worded[:FALLBACK_SENTENCES]
    return (_by_time(asked, first) if asked.kind in ("latest", "first") else _by_kind(asked, first)), "fallback"


def _by_kind(asked: Interpretation, kept: Sequence[Scored]) -> list[Scored]:
    """Most relevant first, without any of the words last; for whether somebody has something, what names it first."""
    most = max(s.candidate.coverage for s in kept)
    if asked.kind == "absence":
        return sorted(kept, key=lambda s: s.candidate.coverage < SAME_WORDS * most)
    return sorted(kept, key=lambda s: s.candidate.coverage == 0 < most)


def _by_time(asked: Interpretation, kept: Sequence[Scored]) -> list[Scored]:
    """Newest or oldest first, of the sentences that have the words and the value asked for."""
    most = max(s.candidate.coverage for s in kept)
    named = [s for s in kept if s.candidate.coverage >= SAME_WORDS * most and _has_value(asked, s)] or list(kept)
    return sorted(named, key=lambda s: s.candidate.order, reverse=asked.kind == "latest")


def _has_value(asked: Interpretation, scored: Scored) -> bool:
    if not asked.wants_number or any(c.isdigit() for c in scored.candidate.text):
        return True
    return asked.kind == "latest" and ends_something(scored.candidate)


def as_evidence(scored: Scored, kept: Kept, shelf: Bookshelf) -> Evidence:
    """A graded sentence as evidence, and why it was kept."""
    c = scored.candidate
    return Evidence(
        key=c.document,
        doc_id=shelf.document(c.document).doc_id,
        sentence=c.sentence.n,
        start=c.start,
        end=c.end,
        quote=c.text,
        sort_key=c.sort_key,
        relevance=scored.relevance,
        probability=scored.probability,
        kept=kept,
        section=c.sentence.section,
        same_text=c.same_text,
        is_item=c.sentence.kind == "item",
    )
