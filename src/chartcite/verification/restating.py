"""Words of time and cause that the evidence says in another way: by dates, order, brackets, `for` or `s/p`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from chartcite.facts.lexicon import read_rows, word_set
from chartcite.facts.tokens import fold
from chartcite.verification.analysis import Analysed
from chartcite.verification.clauses import binds
from chartcite.verification.concepts import DATA
from chartcite.verification.evidence import Evidence
from chartcite.verification.nearness import Context
from chartcite.verification.relations import Relation, find_relations
from chartcite.verification.timeline import precedes


def borne_out_words(claim: Analysed, evidence: Evidence, around: Sequence[Context]) -> frozenset[int]:
    """The claim's words of time and cause that the evidence bears out."""
    out: set[int] = set()
    for relation in find_relations(claim):
        is_cause = relation.kind == "cause"
        firsts, seconds = (
            _found(_nearest(side, relation, claim) if is_cause else side, claim, around)
            for side in (relation.first, relation.second)
        )
        is_borne_out = _causes if is_cause else _comes_first
        if (
            (is_cause and _is_denied(relation.second, claim))
            or is_borne_out(firsts, seconds, evidence)
            or any(_is_in_brackets(first, second, evidence) for first in firsts for second in seconds)
        ):
            out.update(range(relation.pivot, relation.last))
    pivots = {i for r in find_relations(claim) for i in range(r.pivot, r.last)}
    return (
        frozenset(out) | (_former(claim, evidence) - pivots) | _both(claim, evidence) | _since(claim, evidence, around)
    )


def _is_denied(side: range, claim: Analysed) -> bool:
    """`Caused no symptoms`: that there are none is all it says."""
    own = [word for word in claim.content if word.at in side]
    return bool(own) and all(word.status.polarity == "negated" for word in own)


def _nearest(side: range, relation: Relation, claim: Analysed) -> range:
    """The part of a side that stands beside the relation's own words: `A caused X and B caused Y`."""
    segments = claim.layout.segments
    edge = side.stop - 1 if side.start < relation.pivot else side.start
    own = [i for i in side if segments[i] == segments[edge]]
    return range(own[0], own[-1] + 1) if own else side


def _found(side: range, claim: Analysed, around: Sequence[Context]) -> list[int]:
    """Where a part of the claim stands in the evidence, as far as that is certain."""
    found = [part for part in around if part.at in side and len(part.places) == 1]
    # Verbs may stand on either side (`fever began after the rash`), so they count only where nothing is named.
    named = [part for part in found if not binds(claim.tokens[part.at].text)]
    return [part.places[0] for part in named or found]


def _comes_first(firsts: Sequence[int], seconds: Sequence[int], evidence: Evidence) -> bool:
    votes = {
        precedes(first, second, evidence)
        for first in firsts
        for second in seconds
        if evidence.segments[first] != evidence.segments[second]
    }
    return True in votes and False not in votes


_REACH = 12
# "Rash with amoxicillin" names the cause, "rash treated with prednisone" does not.
_TREATS = word_set("treated treat treating given gave managed received receiving takes taking")


def _causes(firsts: Sequence[int], seconds: Sequence[int], evidence: Evidence) -> bool:
    """Whether a cause and its effect stand in one sentence with a word between them that says which is which."""
    for cause in firsts:
        for effect in seconds:
            if evidence.sentences[cause] != evidence.sentences[effect]:
                continue
            between = evidence.texts[min(cause, effect) + 1 : max(cause, effect)]
            if ";" not in between and len(between) <= _REACH and _is_linked(cause, effect, between, evidence):
                return True
    return False


def _is_linked(cause: int, effect: int, between: Sequence[str], evidence: Evidence) -> bool:
    if _is_in_brackets(cause, effect, evidence):
        return True
    signs = {_signs()[text] for text in between if text in _signs()}
    if any(binds(text) or text in _TREATS for text in between):
        signs.discard("loose")
    if cause < effect:
        return ":" in between or signs == {"on"}
    return (":" in between or bool(signs & {"back", "loose"})) and "on" not in signs


@lru_cache(maxsize=1)
def _signs() -> dict[str, str]:
    return {fold(word): sign for sign, words in read_rows(DATA, "causes.tsv") for word in words.split("|")}


def _is_in_brackets(cause: int, effect: int, evidence: Evidence) -> bool:
    """`Penicillin (hives)`: the effect in brackets behind its cause; `stopped (cough)`: the cause behind a verb."""
    first, second = min(cause, effect), max(cause, effect)
    opens = evidence.texts[first + 1 : second]
    if evidence.segments[second] - evidence.segments[first] != 1 or "(" not in opens:
        return False
    start = first
    while start > 0 and evidence.segments[start - 1] == evidence.segments[first]:
        start -= 1
    is_verb = any(binds(text) for text in evidence.texts[start : first + 1 + opens.index("(")])
    return cause < effect or is_verb


_EARLIER = word_set("before earlier previously beforehand formerly ago prior previous past")
_STATED_EARLIER = word_set(
    "before earlier previously beforehand formerly ago prior previous past prev was last former s/p tried hx h/o"
)


def _former(claim: Analysed, evidence: Evidence) -> frozenset[int]:
    """`Earlier`, said of what the evidence puts into the past."""
    if not any(text in _STATED_EARLIER for text in evidence.texts):
        return frozenset()
    return frozenset(word.at for word in claim.content if word.text in _EARLIER)


def _since(claim: Analysed, evidence: Evidence, around: Sequence[Context]) -> frozenset[int]:
    """`Since 2019`, told by `from 2019`; `left unchanged`, told by `unchanged`."""
    places = {part.at: part.places for part in around}
    texts = [token.text for token in claim.tokens]
    out = {
        i
        for i, text in enumerate(texts[:-1])
        if text == "since" and any(p and evidence.texts[p - 1] in _SINCE for p in places.get(i + 1, ()))
    }
    return frozenset(out | {i for i in range(1, len(texts)) if texts[i] == "left" and texts[i - 1] in _BE})


_SINCE = word_set("from since after desde")
_BE = word_set("was were is are been being")


def _both(claim: Analysed, evidence: Evidence) -> frozenset[int]:
    """`Both A and B` says no more than the list does; `both hips` is told by a left one and a right one."""
    words = [word for word in claim.content if word.text == "both"]
    joined = any(token.text == "and" for token in claim.tokens) or len({side.name for side in evidence.sides}) > 1
    return frozenset(word.at for word in words if joined)
