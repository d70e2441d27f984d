"""What a claim may not leave out: words that end, forbid or condition what the evidence says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.clauses import binds
from chartcite.verification.concepts import denies
from chartcite.verification.evidence import Evidence
from chartcite.verification.matching import Matched
from chartcite.verification.present import outdated_vetoes
from chartcite.verification.reversals import governs, is_reversing, reversing_words
from chartcite.verification.statuses import word_veto
from chartcite.verification.verdicts import Veto

_CONDITIONS = frozenset(
    ("if", "unless", "in case of", "except", "except for", "apart from", "aside from", "other than", "exceto", "caso")
)


def omission_vetoes(matched: Sequence[Matched], claim: Analysed, evidence: Evidence) -> list[Veto]:
    """Vetoes for a stop, an allergy, a condition or an owner that the claim does not mention."""
    hits = [hit for item in matched for hit in item.hits]
    if not hits:
        return []
    return (
        _reversals(matched, claim, evidence)
        or _conditions(matched, hits, claim, evidence)
        or _narrowed(matched, hits, claim, evidence)
        or _lone_verbs(matched, evidence)
        or _tenses(matched, evidence)
        or outdated_vetoes(matched, claim, evidence)
        or _mothers(hits, claim, evidence)
    )


_BABY = word_set("baby baby's babies newborn newborn's neonate neonate's infant infant's")
_BABIES = _BABY | word_set("boy girl son daughter child twin twins nicu bw apgar apgars dol nb neonatal wkr")
_MATERNAL = word_set(
    "mother mother's mom mum maternal lochia perineum perineal fundus postpartum postnatal pp uterus breastfeeding bf"
)


def _mothers(hits: Sequence[Word], claim: Analysed, evidence: Evidence) -> list[Veto]:
    """What a mother's note says without naming the baby is the mother's: `lochia moderate, Hb 101`."""
    word = next((word for word in claim.words if word.text in _BABY), None)
    if word is None or _MATERNAL.isdisjoint(evidence.texts) or not _BABIES.isdisjoint(evidence.texts):
        return []
    return [word_veto("experiencer", word, hits[0], evidence, "the source says it of another person")]


def _reversals(matched: Sequence[Matched], claim: Analysed, evidence: Evidence) -> list[Veto]:
    """`On metformin` may not be cited from `stopped metformin`, nor `penicillin` from `allergic to penicillin`."""
    used = {hit.at for item in matched for hit in item.hits}
    if any(is_reversing(word.text) for word in claim.words) or _ENDINGS.search(claim.text):
        return []
    left = _left_behind(claim)
    words = [w for w in reversing_words(evidence) if w.at not in used]
    if claim.is_past:
        words = [w for w in words if w.text not in _COMPLETED]
    affirmed = (word for word in claim.words if word.status.polarity != "negated" and not denies(word.text))
    if any(not _REACTS.isdisjoint(word.text.split()) for word in affirmed):
        words = [w for w in words if not w.text.startswith("allerg")]
    for item in matched:
        if not item.hits or binds(item.word.text) or item.word.status.polarity != "affirmed" or item.word.at in left:
            continue
        governed = [[w for w in words if governs(w, hit, evidence)] for hit in item.hits]
        if all(governed):
            return [
                word_veto("reversal", item.word, governed[0][0], evidence, "the source ends, refuses or forbids it")
            ]
    return []


def _left_behind(claim: Analysed) -> range:
    """`Switched from heparin to apixaban`: what it was before is over in the claim too."""
    texts = [token.text for token in claim.tokens]
    if "from" not in texts:
        return range(0)
    start = texts.index("from")
    return range(start, texts.index("to", start) if "to" in texts[start:] else len(texts))


# What says in two words, or in a word that also means other things, that something was ended, changed or not borne.
_ENDINGS = re.compile(
    r"\b(?:tak(?:en|e|ing)|took|came|come|given|gave|pulled|wean\w*)\s+(?:\w+\s+){0,3}(?:out|off|up|away)\b"
    r"|\b(?:replac|substitut)\w*\b|\bno longer\b|\brather than\b|\bkept\b.*\bfrom\b"
    r"|\b(?:is|are|was) over\b|\bintoleran\w+|\bupsets?\b"
    r"|\bun(?:successful|able)\w*|\bineffective\w*|\bdid(?: not|n't)\b|\bended\b|\bterminat\w+|\buntil\b|\bfree of\b",
    re.IGNORECASE,
)
_COMPLETED = word_set("removed resolved cleared weaned extubated completed complete completes finished finishing")
_REACTS = word_set(
    "caused causes cause causing makes made gives gave reaction reactions reacted reacts developed got rash "
    "rashes hives urticaria anaphylaxis anaphylactic angioedema swelling swells wheeze wheezing itching itchy "
    "pruritus flushing nausea vomiting upset bronchospasm sensitivity"
)


def _conditions(matched: Sequence[Matched], hits: Sequence[Word], claim: Analysed, evidence: Evidence) -> list[Veto]:
    """`Continue unless bleeding` is not `continue`; `all normal except LFTs` is not `all normal`."""
    if any(cue.words in _CONDITIONS for cue in claim.assertions.cues):
        return []
    for cue, _ in evidence.cues:
        if cue.words not in _CONDITIONS:
            continue
        start = _condition_start(cue.first, evidence)
        before = [hit for hit in hits if start <= hit.at < cue.first]
        if before and not _is_said_elsewhere(before, matched, start, cue.first):
            place = evidence.places[cue.first]
            why = "the source makes a condition or an exception"
            word = next(m.word for m in matched if before[0] in m.hits)
            return [Veto("certainty", word.span, word.text, place.source_id, place.span, why)]
    return []


_ONLY = word_set("only solely exclusively apenas somente so")
_WHEN = word_set("at on in with during for after before when while by from to through em com durante para")


def _narrowed(matched: Sequence[Matched], hits: Sequence[Word], claim: Analysed, evidence: Evidence) -> list[Veto]:
    """`Oxygen 2 L` may not be cited from `oxygen 2 L at night only`."""
    if not _ONLY.isdisjoint(token.text for token in claim.tokens):
        return []
    claimed = {token.text for token in claim.tokens if not token.is_mark}
    for at, text in enumerate(evidence.texts):
        limits = _limits(at, evidence) if text in _ONLY else ()
        if not limits or not claimed.isdisjoint(evidence.texts[i] for i in limits):
            continue
        if not {hit.at for hit in hits}.isdisjoint(limits):
            continue
        before = [i for i in range(min(limits[0], at)) if evidence.segments[i] == evidence.segments[at]]
        word = next((m.word for m in matched if m.hits and all(hit.at in before for hit in m.hits)), None)
        if word is not None:
            why = "the source makes a condition or an exception"
            place = evidence.places[at]
            return [Veto("certainty", word.span, word.text, place.source_id, place.span, why)]
    return []


def _limits(at: int, evidence: Evidence) -> range:
    """The tokens that `only` sets as a limit: `at night only`, `only with exertion`."""
    segment = evidence.segments[at]
    stop = at + 1
    while stop < min(len(evidence.texts), at + 5) and evidence.segments[stop] == segment:
        stop += 1
    if at + 1 < stop and _opens(evidence.texts[at + 1]):
        return _within(at + 1, stop, evidence)
    opens = [i for i in range(max(0, at - 4), at) if evidence.segments[i] == segment and _opens(evidence.texts[i])]
    return _within(opens[-1], at, evidence) if opens else range(0)


def _opens(text: str) -> bool:
    return text.partition(" ")[0] in _WHEN


def _within(start: int, stop: int, evidence: Evidence) -> range:
    """Without the preposition; a listed phrase (`at night`) is one token."""
    return range(start if " " in evidence.texts[start] else start + 1, stop)


_CALLS = word_set("call calls return returns notify page seek contact come back ed er clinic go")


def _condition_start(at: int, evidence: Evidence) -> int:
    """Where what a condition governs begins: its statement; `call if` and `return if` are conditioned alone."""
    if evidence.texts[at - 1 : at] and evidence.texts[at - 1] in _CALLS:
        return at - 1
    start = at
    while (
        start > 0
        and evidence.sentences[start - 1] == evidence.sentences[at]
        and evidence.texts[start - 1] not in (";", ".")
    ):
        start -= 1
    return start


def _is_said_elsewhere(before: Sequence[Word], matched: Sequence[Matched], start: int, end: int) -> bool:
    """Whether each word found under the condition also stands outside it."""
    found = [item for item in matched if set(item.hits) & set(before)]
    return all(any(not start <= hit.at < end for hit in item.hits) for item in found)


def _lone_verbs(matched: Sequence[Matched], evidence: Evidence) -> list[Veto]:
    """`The patient improved` may not be cited from `the cough improved`."""
    if not all(binds(item.word.text) for item in matched):
        return []
    used = {hit.at for item in matched for hit in item.hits}
    for item in matched:
        for hit in (h for h in item.hits[:1] if binds(h.text)):
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
