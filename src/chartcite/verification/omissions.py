"""What a claim may not leave out: words that end, forbid or condition what the evidence says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from chartcite.facts.lexicon import read_words, word_set
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.clauses import binds
from chartcite.verification.concepts import DATA
from chartcite.verification.evidence import Evidence
from chartcite.verification.matching import Matched
from chartcite.verification.statuses import word_veto
from chartcite.verification.stems import stem
from chartcite.verification.verdicts import Veto

_CONDITIONS = frozenset(
    ("if", "unless", "in case of", "except", "except for", "apart from", "aside from", "other than", "exceto", "caso")
)


@lru_cache(maxsize=1)
def _reversing() -> frozenset[str]:
    return frozenset(stem(word) for word in read_words(DATA, "reversing.tsv"))


def omission_vetoes(matched: Sequence[Matched], claim: Analysed, evidence: Evidence) -> list[Veto]:
    """Vetoes for a stop, an allergy, a condition or an owner that the claim does not mention."""
    hits = [hit for item in matched for hit in item.hits]
    if not hits:
        return []
    return (
        _reversals(matched, claim, evidence)
        or _conditions(matched, hits, claim, evidence)
        or _lone_verbs(matched, evidence)
        or _tenses(matched, evidence)
    )


def _reversals(matched: Sequence[Matched], claim: Analysed, evidence: Evidence) -> list[Veto]:
    """`On metformin` may not be cited from `stopped metformin`, nor `penicillin` from `allergic to penicillin`."""
    used = {hit.at for item in matched for hit in item.hits}
    if any(stem(word.text) in _reversing() for word in claim.words):
        return []
    words = [w for w in evidence.words if w.is_content and w.at not in used and stem(w.text) in _reversing()]
    if claim.is_past:
        words = [w for w in words if w.text not in _COMPLETED]
    if any(word.text in _REACTS for word in claim.words):
        words = [w for w in words if not w.text.startswith("allerg")]
    for item in matched:
        if not item.hits or binds(item.word.text):
            continue
        governed = [[w for w in words if _governs(w, hit, evidence)] for hit in item.hits]
        if all(governed):
            return [
                word_veto("reversal", item.word, governed[0][0], evidence, "the source ends, refuses or forbids it")
            ]
    return []


_COMPLETED = word_set("completed complete completes finished finishing")
_REACTS = word_set("caused causes cause causing makes made gives gave reaction reactions reacted reacts developed got")


def _governs(word: Word, hit: Word, evidence: Evidence) -> bool:
    if word.segment == hit.segment:
        return True
    # "Stopped aspirin and naproxen": a list goes on over its conjunctions as long as no other verb comes.
    if evidence.sentences[word.at] != evidence.sentences[hit.at] or word.at > hit.at or word.clause != hit.clause:
        return False
    return hit.at - word.at < 6 and not any(binds(w.text) for w in evidence.words if word.at < w.at < hit.at)


def _conditions(matched: Sequence[Matched], hits: Sequence[Word], claim: Analysed, evidence: Evidence) -> list[Veto]:
    """`Continue unless bleeding` is not `continue`; `all normal except LFTs` is not `all normal`."""
    if any(cue.words in _CONDITIONS for cue in claim.assertions.cues):
        return []
    for cue, _ in evidence.cues:
        number = evidence.sentences[cue.first]
        before = [hit for hit in hits if hit.at < cue.first and evidence.sentences[hit.at] == number]
        if cue.words in _CONDITIONS and before:
            place = evidence.places[cue.first]
            why = "the source makes a condition or an exception"
            word = next(m.word for m in matched if before[0] in m.hits)
            return [Veto("certainty", word.span, word.text, place.source_id, place.span, why)]
    return []


def _lone_verbs(matched: Sequence[Matched], evidence: Evidence) -> list[Veto]:
    """`The patient improved` may not be cited from `the cough improved`."""
    if not all(binds(item.word.text) for item in matched):
        return []
    used = {hit.at for item in matched for hit in item.hits}
    for item in matched:
        for hit in item.hits[:1]:
            subject = [w for w in evidence.content if w.segment == hit.segment and w.at < hit.at and w.at not in used]
            if subject:
                return [word_veto("binding", item.word, hit, evidence, "the source says it of something else")]
    return []


_HABITS = word_set("smokes smoke takes take drinks drink uses use lives works continues")
_ENDED = word_set("smoked took drank used lived worked continued taken")


def _tenses(matched: Sequence[Matched], evidence: Evidence) -> list[Veto]:
    """`Smokes` may not be cited from `smoked until 2010`."""
    for item in matched:
        if item.word.text in _HABITS and item.hits and all(hit.text in _ENDED for hit in item.hits):
            return [word_veto("history", item.word, item.hits[0], evidence, "the source speaks of the past")]
    return []
