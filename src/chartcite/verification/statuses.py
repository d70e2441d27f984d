"""How the claim and the evidence assert the same word: denied, possible, past, of a relative, planned."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.facts.lexicon import word_set
from chartcite.verification.agreement import Agreement, clash
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.evidence import Evidence
from chartcite.verification.matching import Matched
from chartcite.verification.nearness import Context, belongs_elsewhere
from chartcite.verification.verdicts import Veto, VetoKind


def status_vetoes(
    matched: Sequence[Matched], claim: Analysed, evidence: Evidence, around: Sequence[Context]
) -> list[Veto]:
    """A veto for each word that no occurrence asserts as the claim does, or only one that is said of something else."""
    agreement = Agreement(matched, claim, evidence)
    out = []
    for item in matched:
        if item.is_complement:
            continue
        clashes = [agreement.clash(item, hit) for hit in item.hits]
        if not clashes or not any(clashes):
            continue
        if all(clashes):
            if not agreement.is_modifier(item):
                kind, why = next(c for c in clashes if c)
                out.append(word_veto(kind, item.word, item.hits[0], evidence, why))
            continue
        good = [hit.at for hit, c in zip(item.hits, clashes, strict=True) if not c]
        bad = [hit for hit, c in zip(item.hits, clashes, strict=True) if c]
        if belongs_elsewhere(
            (item.word.at, claim.layout.segments[item.word.at]), good, [hit.at for hit in bad], around, evidence
        ):
            kind, why = next(c for c in clashes if c)
            out.append(word_veto(kind, item.word, bad[0], evidence, why))
    return out + _undenied(matched, agreement, evidence)


def _undenied(matched: Sequence[Matched], agreement: Agreement, evidence: Evidence) -> list[Veto]:
    """Of what a claim denies the source must deny something."""
    negated = [m for m in matched if m.word.status.polarity == "negated" and m.hits and not m.is_complement]
    if not negated or any(
        agreement.clash(m, h) is None and h.status.polarity != "neutral" for m in negated for h in m.hits
    ):
        return []
    return [word_veto("negation", negated[0].word, negated[0].hits[0], evidence, "the source does not deny it")]


def agreeing(item: Matched, claim: Analysed) -> tuple[Word, ...]:
    """The occurrences whose status fits the claim's."""
    return tuple(hit for hit in item.hits if clash(item.word.status, hit.status, claim.is_past) is None)


_SOFTENERS = word_set(
    "partial partially near nearly almost borderline attempted barely minimally incomplete incompletely subtotal "
    "pre equivocal pseudo quasi early trace less rarely half"
)
# "Articular" may not be cited from "extra-articular"; "an extra dose" is a dose.
_PLACING = word_set("extra supra infra sub peri para retro juxta ante anti")
_LATIN = ("ar", "al", "ic", "ary", "ous", "eal")
_MODALITIES = word_set(
    "exam examination imaging ct cxr mri xray x-ray ultrasound us echo ekg ecg radiograph review testing "
    "screening auscultation palpation today admission arrival labs scan film"
)


def dropped_vetoes(matched: Sequence[Matched], claim: Analysed, evidence: Evidence) -> list[Veto]:
    """A claim must keep what weakens a statement, and what narrows a denial: `no acute X` is not `no X`."""
    used = {hit.at for item in matched for hit in item.hits}
    by_at = {word.at: word for word in evidence.words}
    for item in matched:
        for hit in agreeing(item, claim)[:1]:
            before = by_at.get(hit.at - 1)
            if before and before.is_content and before.at not in used:
                is_placed = before.text in _PLACING and hit.text.partition(" ")[0].endswith(_LATIN)
                if before.text in _SOFTENERS or is_placed:
                    return [word_veto("certainty", item.word, before, evidence, "the source weakens it")]
                if hit.status.polarity == "negated" == before.status.polarity:
                    why = "the source denies something narrower"
                    return [word_veto("negation", item.word, before, evidence, why)]
            if hit.status.polarity == "negated":
                narrower = _restriction(hit, evidence, used)
                if narrower is not None:
                    place = evidence.places[narrower]
                    why = "the source denies something narrower"
                    return [Veto("negation", item.word.span, item.word.text, place.source_id, place.span, why)]
    return []


_RESTRICTS = word_set("in at with during since on to over of from until within while except for")


_QUANTIFIERS = word_set("either both any all each the a an his her their")


def _restriction(hit: Word, evidence: Evidence, used: set[int]) -> int | None:
    """The word right behind a denied one that says where or when, when the claim leaves it out."""
    i = hit.at + 1
    by_at = {word.at: word for word in evidence.words}
    if i >= len(evidence.texts) or evidence.sentences[i] != evidence.sentences[hit.at]:
        return None
    follower = by_at.get(i)
    if evidence.texts[i] not in _RESTRICTS:
        # "no chest pain": the claim "no chest" stops inside the phrase.
        is_cut = follower is not None and follower.is_content and i not in used
        return i if follower is not None and is_cut and follower.status.polarity == "negated" else None
    for at in range(i + 1, len(evidence.texts)):
        word = by_at.get(at)
        if evidence.texts[at] in _QUANTIFIERS:
            continue
        if not evidence.texts[at][:1].isalnum() or at in used or evidence.texts[at] in _MODALITIES:
            return None
        if word is None or word.is_content:
            return at
    return None


def word_veto(kind: VetoKind, word: Word, where: Word, evidence: Evidence, why: str) -> Veto:
    """A veto about one word of the claim and one of the evidence."""
    place = evidence.places[where.at]
    return Veto(kind, word.span, word.text, place.source_id, place.span, why)
