"""What belongs to what, by nearness: which of several candidates in the evidence a claim's item must mean.

A value, a side, a verb of change, a denial: when the evidence says one thing of A and another of B, a claim on A must
be given A's. The words of the claim around the item vote: each for the candidate or for its rival, whichever stands
nearer to it in the evidence. A word that both are said of (a shared subject, the head of a list) has no vote.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from chartcite.facts.lexicon import word_set
from chartcite.facts.tokens import QUANTITY
from chartcite.verification.clauses import binds
from chartcite.verification.evidence import Evidence

ARROWS = frozenset(("->", "=>", "→"))
_SEGMENT = 8
_SENTENCE = 40
_MARGIN = 2


class Context(NamedTuple):
    """A part of the claim that was found in the evidence: its place in the claim and its possible places there."""

    at: int
    segment: int
    places: tuple[int, ...]
    weight: int = 1


def belongs_elsewhere(
    item: tuple[int, int], candidates: Sequence[int], rivals: Sequence[int], context: Iterable[Context],
    evidence: Evidence, governors: frozenset[int] = frozenset(),
) -> bool:  # fmt: skip
    """Whether the claim's own words put the item with a rival.

    Args:
        item: token and segment of the item in the claim.
        candidates: tokens of the evidence that say the same as the item.
        rivals: tokens that say something else of the same sort.
        context: the other parts of the claim that were found.
        evidence: where they were found.
        governors: tokens that belong to a candidate whatever they stand nearer to; they never speak against it.
    """
    context = tuple(context)
    at, segment = item
    rivals = [r for r in rivals if not _is_said_too(r, candidates, item, context, evidence)]
    if not candidates or not rivals:
        return False
    against = in_favour = 0.0
    taken = set(candidates) | set(rivals)
    for part in context:
        places = [p for p in part.places if not evidence.is_header[p]]
        if part.at == at or not places or set(places) & taken:
            continue
        lean = _lean(places, candidates, rivals, evidence)
        apart = abs(part.at - at) + (_SEGMENT if part.segment != segment else 0)
        if lean < 0 and governors.isdisjoint(places):
            against += part.weight / (1 + apart)
        elif lean > 0:
            in_favour += part.weight / (1 + apart)
    return against > in_favour


def _is_said_too(
    rival: int, candidates: Sequence[int], item: tuple[int, int], context: Sequence[Context], evidence: Evidence
) -> bool:
    """Whether the claim says the rival too, beside the item and in the same order as the evidence (`4 x 3 cm`)."""
    at, segment = item
    return any(
        part.segment == segment and part.at != at and rival in part.places
        and any(
            evidence.segments[c] == evidence.segments[rival] and (part.at < at) == (rival < c) for c in candidates
        )
        for part in context
    )  # fmt: skip


def _lean(places: Sequence[int], candidates: Sequence[int], rivals: Sequence[int], evidence: Evidence) -> int:
    """1 when the places stand nearer to a candidate, -1 to a rival, 0 when that is open."""
    own, is_own_shared = _nearest(places, candidates, evidence)
    other, is_other_shared = _nearest(places, rivals, evidence)
    if (is_own_shared and (is_other_shared or other < _SEGMENT)) or (is_other_shared and own < _SEGMENT):
        return 0
    if abs(own - other) < _MARGIN:
        return 0
    return 1 if own < other else -1


def _nearest(places: Iterable[int], targets: Iterable[int], evidence: Evidence) -> tuple[int, bool]:
    """The least distance, and whether it is bridged by a shared subject."""
    targets = tuple(targets)
    return min(
        (0, True) if is_shared(p, t, evidence) else (distance(p, t, evidence), False) for p in places for t in targets
    )


def is_shared(place: int, target: int, evidence: Evidence) -> bool:
    """Whether a target in a later segment has the place for its subject, its date or its verb.

    `Sertraline was started on 3 Jan and increased on 31 Jan`: the subject belongs to both.
    """
    if evidence.sentences[place] != evidence.sentences[target] or evidence.segments[place] == evidence.segments[target]:
        return False
    if evidence.dates[place] == place:
        return evidence.dates[target] == place
    if place < target:
        is_bare = not evidence.is_led[target] or _is_list_before(place, target, evidence)
        return is_bare and _is_subject(place, target, evidence)
    return evidence.clauses[place] == evidence.clauses[target] and binds(evidence.texts[target])


def _is_list_before(place: int, target: int, evidence: Evidence) -> bool:
    """`A and B were held`: A's verb stands behind the last of the list, and nothing is said of A before it."""
    is_verb = binds(evidence.texts[target])
    if not is_verb or evidence.clauses[place] != evidence.clauses[target]:
        return False
    between = evidence.texts[place + 1 : target]
    return "and" in between and not any(binds(t) or t in _BE_BEFORE or t in _STOPS for t in between[:-1])


_STOPS = frozenset((";", "(", ")", ":", "but"))
_BE_BEFORE = word_set("has had with for on")


def _is_subject(place: int, target: int, evidence: Evidence) -> bool:
    """Whether a word opens its segment: what stands behind a value or a verb belongs to that one only."""
    if evidence.texts[place] == QUANTITY or binds(evidence.texts[place]) or ";" in evidence.texts[place:target]:
        return False
    is_value = evidence.texts[target] == QUANTITY
    at = place - 1
    while at >= 0 and evidence.segments[at] == evidence.segments[place]:
        text = evidence.texts[at]
        if text == QUANTITY if is_value else binds(text):
            return False
        at -= 1
    return True


def is_said_of_another(
    item: tuple[int, int], hits: Sequence[int], rivals: Sequence[int], context: Iterable[Context], evidence: Evidence
) -> bool:
    """Whether what the claim says of a drug, a site or a relative is said of another in the evidence.

    Only the words of the item's own segment are asked, and all must agree. A word speaks of the last of the names
    before it; the head of a list and the verb behind it speak of all of them.
    """
    at, segment = item
    taken, names = set(hits) | set(rivals), sorted(set(hits) | set(rivals))
    is_against = False
    for part in context:
        places = [p for p in part.places if not evidence.is_header[p]]
        if part.at == at or part.segment != segment or not places or set(places) & taken:
            continue
        if all(_starts_all(p, evidence) for p in places):
            return False
        if any(place - hit == part.at - at and abs(part.at - at) == 1 for place in places for hit in hits):
            continue  # A part of the name: `coronary artery`.
        if all(_is_left_behind(p, hit, rivals, evidence) for p in places for hit in hits):
            is_against = True
            continue
        speaking = [_speaks_of(p, hits, names, evidence) for p in places]
        if all(speaking):
            return False
        if any(speaking):
            continue
        own = min(distance(p, hit, evidence) for p in places for hit in hits)
        other = min(distance(p, rival, evidence) for p in places for rival in rivals)
        if abs(own - other) >= _SEGMENT:
            if own < other:
                return False
            is_against = True
    return is_against


def _is_left_behind(place: int, hit: int, rivals: Sequence[int], evidence: Evidence) -> bool:
    """`Rash with A -> on B`: what stands before A and the arrow is not said of B."""
    return any(place < rival < hit and not ARROWS.isdisjoint(evidence.texts[rival:hit]) for rival in rivals)


_BE = word_set("was were is are has had been")
_ALL = word_set("both all these")


def _starts_all(place: int, evidence: Evidence) -> bool:
    """`A and B; both were continued`: said of all that was named before."""
    start = place
    while start > 0 and evidence.segments[start - 1] == evidence.segments[place]:
        start -= 1
    return evidence.texts[start] in _ALL and start < place


def _speaks_of(place: int, hits: Sequence[int], names: Sequence[int], evidence: Evidence) -> bool:
    topic = max((name for name in names if name < place), default=None)
    segment = evidence.segments[place]
    is_own = topic is not None and evidence.segments[topic] == segment
    if topic in hits and (is_own or not any(evidence.segments[n] == segment for n in names)):
        return True
    if topic in hits and any(binds(text) or text in _BE for text in evidence.texts[topic:place]):
        return True  # "A was given on Monday with B".
    # "A 5 mg and B 2 mg given for agitation": what stands behind the verb is said of the whole list.
    start = max((n for n in names if n < place), default=place)
    is_tail = is_own and any(binds(text) for text in evidence.texts[start:place])
    is_head = not is_own and evidence.texts[max(place - 1, 0)] != "("
    for hit in hits:
        is_one_clause = evidence.clauses[hit] == evidence.clauses[place]
        if is_one_clause and (binds(evidence.texts[place]) or (is_head and place < hit) or (is_tail and hit < place)):
            return True
    return False


def distance(here: int, there: int, evidence: Evidence) -> int:
    """How far apart two tokens of the evidence are: by sentence, segment, then words."""
    if not evidence.is_one_source(here, there):
        return _SENTENCE + _SEGMENT
    apart = min(abs(here - there), _SEGMENT - 1)
    if evidence.sentences[here] != evidence.sentences[there]:
        return _SENTENCE + apart
    return _SEGMENT * min(abs(evidence.segments[here] - evidence.segments[there]), 4) + apart
