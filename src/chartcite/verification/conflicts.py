"""A word of the claim against what excludes it in the evidence: `rose` where it fell, `mild` where it is severe."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.evidence import Evidence
from chartcite.verification.exclusive import exclude, member_keys, members
from chartcite.verification.kinds import kinds_of
from chartcite.verification.matching import Matched
from chartcite.verification.nearness import Context, belongs_elsewhere, distance, is_said_of_another
from chartcite.verification.verdicts import Veto, VetoKind


def opposite_vetoes(
    matched: Sequence[Matched], claim: Analysed, evidence: Evidence, around: Sequence[Context],
    told: AbstractSet[int] = frozenset(),
) -> list[Veto]:  # fmt: skip
    """Vetoes for words whose opposite, or another thing of whose sort, the evidence says instead.

    `told` are words that the evidence bears out in another way.
    """
    out = []
    used = {hit.at for item in matched for hit in item.hits}
    named = {item.word.at for item in matched if kinds_of(item.word)}
    for item in matched:
        sorts = kinds_of(item.word) if item.hits else frozenset()
        if not sorts and not members(item.word.keys):
            continue
        if item.word.at in told or _is_return(item.word, claim):
            continue
        hits = {hit.at for hit in item.hits}
        opposed = [
            w for w in evidence.words
            if w.at not in hits and exclude(item.word.keys, w.keys) and not _is_thing(item.word, w)
        ]  # fmt: skip
        alike = [w for w in evidence.words if w.at not in used and sorts & kinds_of(w)] if sorts else []
        rivals = opposed + alike
        if not rivals:
            continue
        if not item.hits:
            nearest = _nearest(item.word, rivals, around, evidence)
            if nearest is not None and item.word.status.polarity == nearest.status.polarity:
                out.append(_veto(item.word, nearest, evidence, "the source says the opposite"))
        elif _is_elsewhere(
            item, [r.at for r in rivals], bool(opposed), named, _voters(item, opposed, used, around), evidence
        ):
            out.append(_veto(item.word, rivals[0], evidence, "the source says it of something else"))
    return out + _light_vetoes(claim, evidence, around)


def _voters(item: Matched, opposed: Sequence[Word], used: AbstractSet[int], around: Sequence[Context]) -> list[Context]:
    """What says whether it is elsewhere; where the claim says the opposite too, each has its own part of the claim."""
    said = {p for part in around if part.segment != item.word.segment for p in part.places}
    if opposed and all(w.at in used and w.at in said for w in opposed):
        return [part for part in around if part.segment == item.word.segment]
    return list(around)


_THINGS = word_set("fracture fractures tear tears laceration lacerations rupture growth")


def _is_thing(word: Word, other: Word) -> bool:
    """`The fracture healed, the plate is intact`: a thing that is there excludes no state of another thing."""
    return word.text in _THINGS or other.text in _THINGS


def _is_return(word: Word, claim: Analysed) -> bool:
    """`Returned to 1.1` is no recurrence."""
    return word.text == "returned" and [t.text for t in claim.tokens[word.at + 1 : word.at + 2]] == ["to"]


def _is_elsewhere(
    item: Matched, rivals: Sequence[int], is_opposed: bool, named: AbstractSet[int], around: Sequence[Context],
    evidence: Evidence,
) -> bool:  # fmt: skip
    """Whether the item is said of something else: by all that stands around it, or by the drug or site beside it."""
    place, hits = (item.word.at, item.word.segment), [h.at for h in item.hits]
    headed = {evidence.sentences[hit] for hit in hits if evidence.is_header[hit]}
    if headed and (not is_opposed or headed >= {evidence.sentences[rival] for rival in rivals}):
        return False  # A header holds for all that follows in its sentence.
    if not is_opposed:
        return is_said_of_another(place, hits, rivals, around, evidence)
    beside = [part for part in around if part.at in named and part.segment == item.word.segment]
    return belongs_elsewhere(place, hits, rivals, beside or around, evidence)


def _light_vetoes(claim: Analysed, evidence: Evidence, around: Sequence[Context]) -> list[Veto]:
    """The same for words that need not be accounted for: `weight is up`, `weight is down`."""
    out = []
    for word in claim.words:
        if word.is_content or not members(word.keys) or word.status.polarity != "affirmed":
            continue
        if any(member_keys(word.keys) & member_keys(w.keys) for w in evidence.words):
            continue
        rivals = [w for w in evidence.words if w.text in _LIGHT and exclude(word.keys, w.keys)]
        nearest = _nearest(word, rivals, around, evidence) if word.text in _LIGHT and rivals else None
        if nearest is not None:
            out.append(_veto(word, nearest, evidence, "the source says the opposite"))
    return out


_LIGHT = word_set("up down on off")


def _nearest(word: Word, rivals: Sequence[Word], around: Sequence[Context], evidence: Evidence) -> Word | None:
    """The opposite that stands beside what the claim speaks of."""
    places = [p for part in around if part.at != word.at for p in part.places]
    if not places:
        return None
    return min(rivals, key=lambda r: (min(distance(p, r.at, evidence) for p in places), r.at))


def _veto(word: Word, rival: Word, evidence: Evidence, why: str) -> Veto:
    place = evidence.places[rival.at]
    kind: VetoKind = "direction"
    return Veto(kind, word.span, word.text, place.source_id, place.span, why)
