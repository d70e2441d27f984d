"""Which thing caused which reaction: `penicillin (hives), sulfa (rash)` says nothing of a rash from penicillin."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.evidence import Evidence
from chartcite.verification.kinds import kinds
from chartcite.verification.matching import Matched
from chartcite.verification.statuses import word_veto
from chartcite.verification.stems import stem
from chartcite.verification.verdicts import Veto

_REACTIONS = frozenset(
    stem(word)
    for word in word_set(
        "rash hives urticaria anaphylaxis anaphylactic angioedema swelling wheeze wheezing itching pruritus flushing "
        "nausea vomiting bronchospasm reaction stevens-johnson cough headache diarrhea dizziness hallucinations "
        "myalgia irritability allergic allergy neutropenia"
    )
)
_TO = word_set("to with from after on")
_OPENS = word_set("( : - – causes caused gives gave")
_CLOSES = word_set(") ; .")


def reaction_vetoes(matched: Sequence[Matched], evidence: Evidence) -> list[Veto]:
    """A veto when each place of a claim's reaction belongs to another thing than the claim's."""
    causes = [m for m in matched if m.hits and _is_cause(m.word)]
    if not causes:
        return []
    places = {hit.at for m in causes for hit in m.hits}
    for item in matched:
        if stem(item.word.text) not in _REACTIONS or not item.hits or item.word.status.polarity == "negated":
            continue
        own = {hit.at for m in causes if m.word.segment == item.word.segment for hit in m.hits} or places
        partners = [_partner(hit, evidence) for hit in item.hits]
        if all(found and not found & own for found in partners):
            why = "the source says it of something else"
            return [word_veto("binding", item.word, item.hits[0], evidence, why)]
    return []


_ALLERGY = frozenset(stem(word) for word in word_set("allergic allergy allergies anaphylaxis alergia alergias"))
_NO_REACTION = _ALLERGY | frozenset(stem(word) for word in word_set("reaction reactions reacao reacoes"))
_BORNE = frozenset(stem(word) for word in word_set("tolerate tolerates tolerated tolerating tolerance"))


def tolerance_vetoes(matched: Sequence[Matched], claim: Analysed, evidence: Evidence) -> list[Veto]:
    """A veto when a claim denies an allergy, or says tolerated, where every place that names the thing tells of one."""
    words = {m.word.at: m.word for m in matched} | {w.at: w for w in claim.content}
    allergies = [w for w in words.values() if stem(w.text) in _NO_REACTION]
    denied = [w for w in allergies if w.status.polarity == "negated"]
    borne = [w for w in words.values() if stem(w.text) in _BORNE and w.status.polarity != "negated"]
    if not (denied or borne) or any(w.status.polarity != "negated" for w in allergies):
        return []
    for item in matched:
        if item.hits and _is_cause(item.word) and all(_tells_of_allergy(hit, evidence) for hit in item.hits):
            return [word_veto("negation", (denied or borne)[0], item.hits[0], evidence, "the source says the opposite")]
    return []


def _tells_of_allergy(hit: Word, evidence: Evidence) -> bool:
    number = evidence.sentences[hit.at]
    beside = [w for w in evidence.content if evidence.sentences[w.at] == number]
    told = any(stem(w.text) in _ALLERGY and w.status.polarity != "negated" for w in beside)
    return told and not any(stem(w.text) in _BORNE for w in beside)


def _is_cause(word: Word) -> bool:
    return "drug" in kinds(word.keys) or word.text in _SUBSTANCES


_SUBSTANCES = word_set(
    "latex contrast peanut peanuts shellfish egg eggs milk soy nuts iodine dye gadolinium tape adhesive sulfa "
    "dextran sucrose iron vaccine bee wasp pollen dander dust contraste iodo camarao amendoim leite "
    "ovo penicilina penicilinas penicillin penicillins sulfas cefalosporina cefalosporinas cephalosporin cephalosporins"
)


def _partner(hit: Word, evidence: Evidence) -> set[int]:
    """The tokens of what a reaction is said to come from; empty when the text does not say it beside the reaction."""
    number = evidence.sentences[hit.at]
    content = {w.at for w in evidence.content if evidence.sentences[w.at] == number and w.at != hit.at}
    after = hit.at + 1
    if after < len(evidence.texts) and evidence.texts[after] in _TO:
        return {at for at in content if at > hit.at and evidence.segments[at] == hit.segment}
    opening = hit.at - 1
    while opening >= 0 and evidence.sentences[opening] == number and evidence.texts[opening] not in _OPENS | _CLOSES:
        opening -= 1
    if opening < 0 or evidence.texts[opening] not in _OPENS or evidence.is_header[max(opening - 1, 0)]:
        return set()
    before = [at for at in content if at < opening]
    return {at for at in before if evidence.segments[at] == evidence.segments[max(before)]} if before else set()
