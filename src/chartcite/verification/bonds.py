"""What belongs together: a verb and its objects, a state and its owner, a dose and its duration."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.clauses import binds
from chartcite.verification.verdicts import Veto
from chartcite.verification.words import Matched, agreeing, word_veto


def clause_vetoes(matched: Sequence[Matched], claim: Analysed, source: Analysed, source_id: str) -> list[Veto]:
    """What the claim holds together must be held together by the source: who was stopped, who was started."""
    out = []
    for clause in sorted({item.word.clause for item in matched}):
        items = [item for item in matched if item.word.clause == clause and item.hits]
        if len(items) < 2 or not _must_hold_together(items, clause, claim, source):
            continue
        if not _homes(items, claim):
            why = "the source says these words of different things"
            out.append(word_veto("binding", items[0].word, items[0].hits[0].span, source_id, why))
    return out


def _homes(items: Sequence[Matched], claim: Analysed) -> set[int]:
    """The source's clauses that hold all of these words."""
    return set.intersection(*({hit.clause for hit in agreeing(item, claim)} or {-1} for item in items)) - {-1}


def shared_clauses(matched: Sequence[Matched], claim: Analysed) -> dict[int, set[int]]:
    """For each clause of the claim, the source's clauses that hold all of its words."""
    clauses = {item.word.clause for item in matched if item.hits}
    return {c: _homes([m for m in matched if m.hits and m.word.clause == c], claim) for c in clauses}


def _must_hold_together(items: Sequence[Matched], clause: int, claim: Analysed, source: Analysed) -> bool:
    if claim.layout.is_bound[clause] and sum(source.layout.is_bound) > 1:
        return True
    # A word that the source both affirms and denies: which of the two is meant shows in its neighbours only.
    return any(len({hit.status for hit in item.hits}) > 1 for item in items) and len(source.layout.is_bound) > 1


_STATES = word_set(
    "normal abnormal stable clear intact soft positive high low worse better unremarkable unchanged elevated"
)


def pair_vetoes(matched: Sequence[Matched], source: Analysed, source_id: str) -> list[Veto]:
    """`Appetite poor` may not be put together out of `appetite good, sleep poor`."""
    used = {hit.at for item in matched for hit in item.hits}
    for first, second in pairwise(matched):
        if first.word.segment != second.word.segment or not (first.hits and second.hits):
            continue
        if _is_verb(first.word) or _is_verb(second.word):
            continue
        if {hit.segment for hit in first.hits} & {hit.segment for hit in second.hits}:
            continue
        later = max((first, second), key=lambda item: max(hit.at for hit in item.hits))
        if all(_has_other_owner(hit, source, used) for hit in later.hits):
            why = "the source says these words of different things"
            return [word_veto("binding", later.word, later.hits[0].span, source_id, why)]
    return []


def _is_verb(word: Word) -> bool:
    return binds(word.text) and word.text not in _STATES


def _has_other_owner(hit: Word, source: Analysed, used: set[int]) -> bool:
    return any(w.segment == hit.segment and w.at < hit.at and w.at not in used for w in source.content)
