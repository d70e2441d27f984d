"""What a claim says to be so now, still or already must not be of another time in what it cites."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.clauses import binds
from chartcite.verification.evidence import Evidence
from chartcite.verification.matching import Matched
from chartcite.verification.reversals import is_ended, reversing_words
from chartcite.verification.statuses import word_veto
from chartcite.verification.verdicts import Veto

_NOW = word_set("now currently still presently current ongoing agora ainda atualmente")
_DONE = word_set("already ja")
_UP_TO_NOW = word_set("still remains ainda permanece")
# What dates a statement before the present, beside it.
_BEFORE = word_set(
    "last previously prior before earlier initially formerly preoperatively preop preoperative baseline ago age until "
    "had was were did teve foi"
)
_BEGUN = word_set("started begun placed put switched changed added restarted resumed transferred moved admitted")
_INTENDED = word_set("goal goals plan plano meta")
_PARTS_OF_DAYS = word_set("evening night day morning afternoon time week")


def is_of_now(claim: Analysed) -> bool:
    """Whether a claim says expressly that something is so at present."""
    return not (_NOW | _DONE).isdisjoint(token.text for token in claim.tokens)


def outdated_vetoes(matched: Sequence[Matched], claim: Analysed, evidence: Evidence) -> list[Veto]:
    """`Is now in hospital` may not be cited from `last in hospital in 2018`, nor `still has a drain` from `out`."""
    if not is_of_now(claim):
        return []
    present = _NOW | _DONE
    found = [
        item for item in matched
        if item.hits and item.word.status.polarity == "affirmed" and item.word.text not in present
    ]  # fmt: skip
    texts = [token.text for token in claim.tokens]
    is_plan = any(cue.kind == "hypothetical" for cue in claim.assertions.cues)
    named = [item for item in found if not binds(item.word.text)]
    for item in _said_of_now(named or found, texts, claim):
        if not _NOW.isdisjoint(texts) and all(_is_before(hit, evidence) for hit in item.hits):
            return [word_veto("history", item.word, item.hits[0], evidence, "the source speaks of the past")]
        if not is_plan and all(_is_intended(hit, evidence) for hit in item.hits):
            why = "one of the two speaks of something planned, feared or conditional"
            return [word_veto("certainty", item.word, item.hits[0], evidence, why)]
    if _UP_TO_NOW.isdisjoint(texts):
        return []
    ending = reversing_words(evidence)
    for item in named:
        for hit in item.hits:
            if is_ended(hit, evidence, ending) or evidence.texts[hit.at + 1 : hit.at + 2] == ("out",):
                return [word_veto("history", item.word, hit, evidence, "the source speaks of the past")]
    return []


def _said_of_now(found: Sequence[Matched], texts: Sequence[str], claim: Analysed) -> Sequence[Matched]:
    """What stands behind the word of the present in its segment, else all: `whose scan showed X now has Y`."""
    present = _NOW | _DONE
    at = next((i for i, text in enumerate(texts) if text in present), 0)
    behind = [item for item in found if item.word.at > at and item.word.segment == claim.layout.segments[at]]
    return behind or found


def _is_intended(hit: Word, evidence: Evidence) -> bool:
    """`Goal: home`, `Plan: blood cultures`."""
    first = evidence.sentences.index(evidence.sentences[hit.at])
    start = hit.at
    while start > first and evidence.texts[start - 1] not in (";", "."):
        start -= 1
    return not _INTENDED.isdisjoint(evidence.texts[start : start + 1])


_LEAVES = word_set("transferred discharged moved left released downgraded stepped out gone")


def _is_left(hit: Word, evidence: Evidence) -> bool:
    """`Transferred from the ICU to the ward`: no longer there."""
    before = evidence.texts[max(0, hit.at - 2) : hit.at]
    return "from" in before and not _LEAVES.isdisjoint(evidence.texts[max(0, hit.at - 6) : hit.at])


def _is_before(hit: Word, evidence: Evidence) -> bool:
    if _is_left(hit, evidence):
        return True
    own = [i for i, segment in enumerate(evidence.segments) if segment == hit.segment]
    texts = {evidence.texts[i] for i in own}
    if not _NOW.isdisjoint(texts) or not _BEGUN.isdisjoint(texts):
        return False
    if any(evidence.texts[i - 1] == "that" and evidence.texts[i] in _PARTS_OF_DAYS for i in own if i):
        return True
    beside = [m for m in evidence.measures if m.segment == hit.segment]
    is_dated = any(m.role == "ago" or (m.quantity.kind == "age" and evidence.texts[m.at - 1] == "at") for m in beside)
    return is_dated or not _BEFORE.isdisjoint(texts)
