"""Who does what to whom: subject and object, the agent behind `by`, old and new, the twin or the group of a letter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.clauses import binds
from chartcite.verification.evidence import Evidence
from chartcite.verification.kinds import kinds
from chartcite.verification.matching import Matched
from chartcite.verification.nearness import Context
from chartcite.verification.relations import find_relations
from chartcite.verification.statuses import word_veto
from chartcite.verification.timeline import compare_dates
from chartcite.verification.verdicts import Veto, VetoKind

_BE = word_set("is are was were be been being gets got foi foram")
_SELF = word_set("patient pt patient's she he herself himself")
_STAFF = word_set(
    "doctor doctors dr physician surgeon nurse nurses rn midwife resident paramedic paramedics ems pcp gp team "
    "pharmacist police ambulance crew registrar consultant intern provider clinic psychiatrist dentist"
)
_PRONOUNS = {
    "she": word_set("wife mother mom sister daughter aunt grandmother niece girlfriend"),
    "he": word_set("husband father dad brother son uncle grandfather nephew boyfriend"),
}
_SKIPPED = word_set("the a an who which that has had have also then now just still and")


def agent_vetoes(
    matched: Sequence[Matched], claim: Analysed, evidence: Evidence, around: Sequence[Context]
) -> list[Veto]:
    """A veto when the claim has exchanged who does something and what it is done to."""
    found = [item for item in matched if item.hits and not item.is_complement]
    for item in found:
        if _is_turned(item, found, claim, evidence) or _has_other_agent(item, claim, evidence):
            return [_veto(item, evidence, "the source says who did it otherwise")]
    for first, second in pairwise(found):
        # A subject before the verb, an object behind it.
        for verb in (item for item in found if first.word.at < item.word.at):
            if verb.word.at == first.word.at + 1 and _is_swapped(first, verb, found, claim, evidence):
                return [_veto(second, evidence, "subject and object have changed places")]
    return [*_replaced(found, claim, evidence), *_orders(found, evidence), *_labelled(found, claim, evidence),
            *_dated(claim, evidence, around)]  # fmt: skip


def _veto(item: Matched, evidence: Evidence, why: str, kind: VetoKind = "binding") -> Veto:
    return word_veto(kind, item.word, item.hits[0], evidence, why)


def _texts(claim: Analysed) -> list[str]:
    return [token.text for token in claim.tokens]


def _is_turned(item: Matched, found: Sequence[Matched], claim: Analysed, evidence: Evidence) -> bool:
    """`A was stopped by B`, where the source has `B was stopped`."""
    texts, at = _texts(claim), item.word.at
    if not at or texts[at - 1] not in _BE or "by" not in texts[at + 1 : at + 3]:
        return False
    agents = {h.at for other in found if at < other.word.at <= at + _REACH for h in other.hits
              if other.word.segment == item.word.segment}  # fmt: skip
    return all(
        hit.at > 1 and evidence.texts[hit.at - 1] in _BE and hit.at - 2 in agents
        and "by" not in evidence.texts[hit.at + 1 : hit.at + 3]
        for hit in item.hits
    )  # fmt: skip


_REACH = 4


def _has_other_agent(item: Matched, claim: Analysed, evidence: Evidence) -> bool:
    """`Relocated by the patient`, where the source has `relocated by the paramedics`; `she gave`, `husband gave`."""
    claimed = _agent(_texts(claim), item.word.at)
    if claimed is None:
        return False
    return all(
        (stated := _agent(evidence.texts, hit.at)) is not None and stated != claimed and "self" in (stated, claimed)
        for hit in item.hits
    )


def _agent(texts: Sequence[str], at: int) -> str | None:
    """`self` for the patient, else the person who does something: behind `by`, else before an active verb."""
    if "by" in texts[at + 1 : at + 3]:
        return next((person for text in texts[at + 2 : at + 6] if (person := _person(text))), None)
    i = at - 1
    if i >= 0 and texts[i] in _BE:
        return None
    while i >= 0 and (texts[i] in _SKIPPED or (texts[i] == "," and texts[i + 1] in ("who", "which"))):
        i -= 1
    if i < 0:
        return None
    return _antecedent(texts, i) or _person(texts[i])


def _antecedent(texts: Sequence[str], at: int) -> str | None:
    """The relative whom a pronoun behind a semicolon may mean: `taught wife; she returned demonstration`."""
    if texts[at] not in _PRONOUNS or at < 1 or texts[at - 1] != ";":
        return None
    named = (text for text in reversed(texts[:at]) if _person(text))
    return next((text for text in named if text in _PRONOUNS[texts[at]]), None)


def _person(text: str) -> str | None:
    if text in _SELF:
        return "self"
    is_staff = text in _STAFF or text.endswith(("ologist", "geon"))
    return text if is_staff or text == "family" or "relative" in kinds(frozenset((text,))) else None


def _is_swapped(subject: Matched, verb: Matched, found: Sequence[Matched], claim: Analysed, evidence: Evidence) -> bool:
    """`A compresses B`, where the source has `B compresses A`: both active, nothing but articles in between."""
    object_ = next((item for item in found if item.word.at > verb.word.at), None)
    if object_ is None or not verb.word.text.endswith(("s", "ed")):
        return False
    if any(text not in _ARTICLES for text in _texts(claim)[verb.word.at + 1 : object_.word.at]):
        return False
    return all(
        evidence.texts[hit.at].endswith(("s", "ed"))
        and any(o.at == hit.at - 1 for o in object_.hits)
        and any(
            hit.at < s.at and set(evidence.texts[hit.at + 1 : s.at]) <= _ARTICLES for s in subject.hits
        )
        for hit in verb.hits
    )  # fmt: skip


_ARTICLES = word_set("the a an his her their its left right that")


_GONE = word_set("stopped stop discontinued held dc'd d/c'd off ended dropped")
_COME = word_set("substituted started start added begun initiated commenced")
_TO = frozenset((("switched", "to"), ("changed", "to"), ("converted", "to"), ("transitioned", "to")))


def _replaced(found: Sequence[Matched], claim: Analysed, evidence: Evidence) -> list[Veto]:
    """`B was replaced by A`, where the source stopped A or came to B."""
    for relation in find_relations(claim):
        if relation.kind != "replacement":
            continue
        for item in found:
            if "drug" not in kinds(item.word.keys):
                continue
            is_new, is_old = item.word.at in relation.second, item.word.at in relation.first
            fates = {_fate(hit.at, evidence) for hit in item.hits}
            if (is_new and fates == {"gone"}) or (is_old and fates == {"come"}):
                return [_veto(item, evidence, "the source has it the other way round", "order")]
    return []


def _fate(at: int, evidence: Evidence) -> str:
    """What the words beside a drug say became of it."""
    texts = evidence.texts
    if tuple(texts[max(at - 2, 0) : at]) in _TO or (at and texts[at - 1] in ("switched to", "changed to")):
        return "come"
    follow = [text for text in texts[at + 1 : at + 5] if text != "was"]
    segment = evidence.segments[at]
    near = {texts[i] for i in range(at + 1, min(at + 5, len(texts))) if evidence.segments[i] == segment}
    if near & _GONE or (at and texts[at - 1] in _GONE):
        return "gone"
    return "come" if follow and (near & _COME or (at and texts[at - 1] in _COME)) else ""


_ACTS = word_set("stop stopped start started hold held continue continued increase decrease taper resume avoid")


def _orders(found: Sequence[Matched], evidence: Evidence) -> list[Veto]:
    """`A is to be stopped`, where the source has `A BID, stop B`: an order speaks of the drug behind it."""
    drugs = [word for word in evidence.words if "drug" in kinds(word.keys)]
    own = [item for item in found if "drug" in kinds(item.word.keys)]
    for item in found:
        if item.word.text not in _ACTS:
            continue
        said = [d for d in own if d.word.clause == item.word.clause]
        ordered = [_ordered(hit, drugs, evidence) for hit in item.hits]
        if said and all(ordered) and not any(h in objects for objects in ordered for d in said for h in d.hits):
            return [_veto(item, evidence, "the source says it of something else")]
    return []


def _ordered(act: Word, drugs: Sequence[Word], evidence: Evidence) -> list[Word]:
    """The drugs behind an act that opens its segment, up to the next word of doing; none where one stands before it."""
    if act.at and evidence.segments[act.at - 1] == act.segment and evidence.texts[act.at - 1][:1].isalnum():
        return []
    stop = next((w.at for w in evidence.words if w.at > act.at and binds(w.text)), len(evidence.texts))
    behind = [d for d in drugs if act.at < d.at < stop and evidence.sentences[d.at] == evidence.sentences[act.at]]
    return behind if behind and behind[0].segment == act.segment else []


_LETTERED = word_set("twin fetus baby infant donor group sample lead bed")
_LETTERS = frozenset("abcd12")


def _labelled(found: Sequence[Matched], claim: Analysed, evidence: Evidence) -> list[Veto]:
    """`Twin A is transverse`, where the source has it of twin B."""
    claimed, stated = _labels(_texts(claim)), _labels(evidence.texts)
    for item in found:
        own = _label_of(item.word.at, claimed)
        if own is None or item.word.text in _LETTERED or claim.tokens[item.word.at].text in _LETTERS:
            continue
        places = [_label_of(hit.at, stated) for hit in item.hits]
        if all(place is not None and place != own and place[0] == own[0] for place in places):
            return [_veto(item, evidence, "the source says it of another one")]
    return []


def _labels(texts: Sequence[str]) -> list[tuple[int, tuple[str, str]]]:
    return [(i, (a, b)) for i, (a, b) in enumerate(pairwise(texts)) if a in _LETTERED and b in _LETTERS]


def _label_of(at: int, labels: Sequence[tuple[int, tuple[str, str]]]) -> tuple[str, str] | None:
    """The last label before a word."""
    return next((label for i, label in reversed(labels) if i < at), None)


def _dated(claim: Analysed, evidence: Evidence, around: Sequence[Context]) -> Iterator[Veto]:
    """`The shocks were on 22 August`, a date of the header, where the source gives the shocks one of their own."""
    when = {m.at: m.quantity.when for m in evidence.measures if m.quantity.kind == "date"}
    for measure in claim.measures:
        if measure.quantity.kind != "date" or not when:
            continue
        own = [p for p in around if p.segment == measure.segment and p.at != measure.at and len(p.places) == 1]
        named = [p.places[0] for p in own if not binds(claim.tokens[p.at].text)]
        dates = [evidence.dates[place] for place in named]
        apart = [
            date is not None and evidence.segments[date] == evidence.segments[place]
            and compare_dates(measure.quantity.when, when[date]) is not None
            for place, date in zip(named, dates, strict=True)
        ]  # fmt: skip
        if apart and all(apart):
            place = evidence.places[named[0]]
            why = "the source gives it a date of its own"
            yield Veto("order", measure.quantity.span, measure.quantity.when, place.source_id, place.span, why)
