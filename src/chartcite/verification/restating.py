"""Words of time and cause that the evidence says in another way: by dates, order, brackets, `for` or `s/p`."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from chartcite.facts.lexicon import read_rows, word_set
from chartcite.facts.sides import is_rest
from chartcite.facts.tokens import QUANTITY, fold
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.clauses import binds
from chartcite.verification.concepts import DATA
from chartcite.verification.evidence import Evidence
from chartcite.verification.kinds import kinds_of
from chartcite.verification.nearness import ARROWS, Context
from chartcite.verification.relations import Relation, find_relations, stated_relations
from chartcite.verification.timeline import precedes


def borne_out_words(claim: Analysed, evidence: Evidence, around: Sequence[Context]) -> frozenset[int]:
    """The claim's words of time and cause that the evidence bears out."""
    out: set[int] = set()
    for relation in find_relations(claim):
        if _is_told(relation, claim, evidence, around):
            out.update(range(relation.pivot, relation.last))
    pivots = {i for r in find_relations(claim) for i in range(r.pivot, r.last)}
    return (
        frozenset(out)
        | (_former(claim, evidence) - pivots)
        | _both(claim, evidence, around)
        | _since(claim, evidence, around)
        | _counted(claim, evidence, around)
        | _first(claim, evidence, around)
    )


def _is_told(relation: Relation, claim: Analysed, evidence: Evidence, around: Sequence[Context]) -> bool:
    first, second = (_nearest(side, relation, claim) for side in (relation.first, relation.second))
    firsts, seconds = _found(first, claim, around), _found(second, claim, around)
    if relation.kind == "cause":
        return _is_denied(relation.second, claim) or _causes(firsts, seconds, evidence)
    is_denied = _is_denied(second, claim)
    if is_denied and not any(word.at in first for word in claim.content):
        # "No pneumothorax after the procedure", unless there was none before it.
        return not any(r.kind == "time" and not set(r.first).isdisjoint(seconds) for r, _ in stated_relations(evidence))
    whole = _found(relation.first, claim, around), _found(relation.second, claim, around)
    return (
        _comes_first(*whole, evidence)
        or _comes_first(firsts, seconds, evidence)
        or _follows(firsts, seconds, evidence, is_denied)
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
        or any(evidence.texts[i] in ARROWS for i in range(min(first, second), max(first, second)))
    }
    return True in votes and False not in votes


_SINCE_THEN = word_set("post after following since")
_MARKS_LATER = word_set("post postop postoperative postoperatively pod")
_BARE = word_set("pre post")
_MARKS_EARLIER = word_set("pre preop preoperative preoperatively")


def _follows(firsts: Sequence[int], seconds: Sequence[int], evidence: Evidence, is_denied: bool) -> bool:
    """Whether one comes after the other by words beside them: `s/p A: B`, `B post A`, `A preop`, `extubated to B`."""
    return any(
        _is_reference(first, second, evidence)
        or _is_marked(first, second, evidence)
        or _is_target(first, second, evidence)
        or _is_outcome(first, second, evidence)
        or (is_denied and first < second)
        for first in firsts
        for second in seconds
    )


def _is_reference(first: int, second: int, evidence: Evidence) -> bool:
    """`Closed wound 2 weeks s/p appendectomy`: all that the sentence says holds after it."""
    if evidence.sentences[first] != evidence.sentences[second]:
        return False
    before = evidence.texts[max(first - 2, 0) : first]
    return bool(_SINCE_THEN.intersection(before)) or "s/p" in before


def _is_marked(first: int, second: int, evidence: Evidence) -> bool:
    """`Cefazolin preop`, `K 6.1 pre`, `postop Hb 9`."""
    return any(
        evidence.segments[i] == evidence.segments[place] and evidence.texts[i] in marks
        for place, marks in ((first, _MARKS_EARLIER), (second, _MARKS_LATER))
        for i in range(max(place - _BESIDE, 0), min(place + _BESIDE + 1, len(evidence.texts)))
        # "Post prostatectomy" is what comes after the prostatectomy.
        if not (i < place and evidence.texts[i] in _BARE)
    )


_BESIDE = 4


def _is_target(first: int, second: int, evidence: Evidence) -> bool:
    """`Extubated to high flow`: what follows the act."""
    is_one = evidence.segments[first] == evidence.segments[second] and first < second
    return is_one and binds(evidence.texts[first]) and "to" in evidence.texts[max(second - 2, first) : second]


def _is_outcome(first: int, second: int, evidence: Evidence) -> bool:
    """`Reversed with vitamin K; INR fell`: a change that is told behind what was done, in one sentence."""
    if first > second or evidence.sentences[first] != evidence.sentences[second]:
        return False
    clauses = evidence.clauses
    is_done = any(binds(evidence.texts[i]) for i in _clause(first, clauses))
    return is_done and clauses[first] != clauses[second] and any(
        evidence.texts[i] in _OUTCOMES for i in _clause(second, clauses)
    )  # fmt: skip


_OUTCOMES = word_set(
    "fell dropped decreased rose increased improved resolved cleared normalized normalised stabilized stabilised "
    "recovered converted subsided settled abated relieved"
)


def _clause(at: int, clauses: Sequence[int]) -> range:
    start = stop = at
    while start > 0 and clauses[start - 1] == clauses[at]:
        start -= 1
    while stop < len(clauses) and clauses[stop] == clauses[at]:
        stop += 1
    return range(start, stop)


_REACH = 12
# "Rash with amoxicillin" names the cause, "rash treated with prednisone" does not.
_TREATS = word_set("treated treat treating given gave managed received receiving takes taking")


def _causes(firsts: Sequence[int], seconds: Sequence[int], evidence: Evidence) -> bool:
    """Whether a cause and its effect stand in one sentence with a word between them that says which is which."""
    for cause in firsts:
        for effect in seconds:
            if evidence.sentences[cause] != evidence.sentences[effect]:
                continue
            between = _between(min(cause, effect), max(cause, effect), evidence)
            if ";" in between or len(between) > _REACH:
                continue
            if _is_linked(cause, effect, between, evidence) or _is_reaction(cause, effect, between, evidence):
                return True
    return False


def _between(first: int, last: int, evidence: Evidence) -> list[str]:
    """The words between two; `2/2` before a word means "secondary to"."""
    out = list(evidence.texts[first + 1 : last])
    for measure in evidence.measures:
        is_inside = first < measure.at < last and measure.quantity.kind == "ratio"
        if is_inside and measure.quantity.low == measure.quantity.high == 2 and measure.next_word is not None:
            out[measure.at - first - 1] = "2/2"
    return out


_REACTIONS = word_set("allergy allergies allergic reaction reactions rxn adr adrs adverse intolerance intolerances")


def _is_reaction(cause: int, effect: int, between: Sequence[str], evidence: Evidence) -> bool:
    """`Allergies: codeine - itching`, `Adverse reactions: statin myalgia`: a drug and, right behind it, what it did."""
    return cause < effect and set(between) <= _DASHES and _is_under_reactions(cause, evidence)


def _is_under_reactions(at: int, evidence: Evidence) -> bool:
    start = at
    while start > 0 and evidence.sentences[start - 1] == evidence.sentences[at]:
        start -= 1
    return any(evidence.is_header[i] and not _REACTIONS.isdisjoint(evidence.texts[i].split()) for i in range(start, at))


_DASHES = frozenset(("-", "–", "—", ":"))


def _is_linked(cause: int, effect: int, between: Sequence[str], evidence: Evidence) -> bool:
    if _is_in_brackets(cause, effect, evidence):
        return True
    signs = [_signs()[text] for text in between if text in _signs()]
    if any(binds(text) or text in _TREATS for text in between):
        signs = [sign for sign in signs if sign != "loose"]
    if cause < effect:
        return ":" in between or set(signs) == {"on"}
    # "A -> stopped due to B": the sign beside the cause counts, unless another thing is said in between.
    return ":" in between or (bool(signs) and signs[-1] != "on" and not _is_cut_off(effect, cause, evidence))


def _is_cut_off(effect: int, cause: int, evidence: Evidence) -> bool:
    """`ANC low, oxaliplatin dropped for neuropathy`: the cause belongs to a statement with a subject of its own."""
    return any(
        evidence.segments[i] != evidence.segments[effect] and evidence.is_led[i] and binds(evidence.texts[i])
        for i in range(effect + 1, cause)
    )


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
    # "Cirrhosis (alcohol)" names the cause in the brackets.
    is_drug = any(word.at == cause and "drug" in kinds_of(word) for word in evidence.words)
    return is_verb if effect < cause else is_drug or _is_under_reactions(cause, evidence)


_EARLIER = word_set("before earlier previously beforehand formerly ago prior previous past once")
_STATED_EARLIER = word_set(
    "before earlier previously beforehand formerly ago prior previous past prev was last former s/p tried hx h/o"
)


def _former(claim: Analysed, evidence: Evidence) -> frozenset[int]:
    """`Earlier`, said of what the evidence puts into the past."""
    if not any(text in _STATED_EARLIER for text in evidence.texts):
        return frozenset()
    return frozenset(word.at for word in claim.content if word.text in _EARLIER)


def _since(claim: Analysed, evidence: Evidence, around: Sequence[Context]) -> frozenset[int]:
    """`Since 2019`, told by `from 2019`; `until Monday`, told by `through Monday`; `left unchanged`, by `unchanged`."""
    texts = [token.text for token in claim.tokens]
    # "A drain was left in place"; that a number of something is left must be said.
    lefts = (i for i in range(1, len(texts)) if texts[i] == "left" and texts[i - 1] in _BE)
    out = {i for i in lefts if not is_rest(claim.tokens, i)}
    for i, text in enumerate(texts):
        signs = _SPANS.get(text)
        following = next((part for part in around if i < part.at <= i + _BESIDE), None)
        if signs and following and any(_is_preceded(place, signs, evidence) for place in following.places):
            out.add(i)
    return frozenset(out)


def _is_preceded(place: int, signs: AbstractSet[str], evidence: Evidence) -> bool:
    """Whether one of some words stands a little before a place, in its segment or closing the one before."""
    segment = evidence.segments[place]
    reach = range(max(place - _BESIDE, 0), place)
    return any(evidence.texts[i] in signs and evidence.segments[place - 1] == segment for i in reach
               if evidence.segments[i] in (segment, segment - 1) and ";" not in evidence.texts[i:place])  # fmt: skip


_SPANS = {
    "since": word_set("vs from since after than post s/p desde"),
    "after": word_set("since"),
    "than": word_set("vs from since than"),
    "until": word_set("thru through until till to até"),
    "till": word_set("thru through until till to até"),
    "through": word_set("thru through until till to até"),
}
_BE = word_set("was were is are been being")


def _counted(claim: Analysed, evidence: Evidence, around: Sequence[Context]) -> frozenset[int]:
    """`Only three pills`, which the number says; `remaining`, told by `left`; `remained`, told by `still`."""
    texts = [token.text for token in claim.tokens]
    found = {part.at for part in around}
    out = {i for i, text in enumerate(texts) if text == "only" and _number_after(i, texts) in found}
    stated = set(evidence.texts)
    return frozenset(out | {i for i, text in enumerate(texts) if not stated.isdisjoint(_TOLD_BY.get(text, ()))})


def _number_after(at: int, texts: Sequence[str]) -> int:
    return next((i for i in range(at + 1, min(at + 3, len(texts))) if texts[i] == QUANTITY), -1)


_TOLD_BY = {
    "remaining": word_set("left remain remains"),
    "remained": word_set("still"),
    "remains": word_set("still"),
    "stayed": word_set("still unchanged stable"),
}


def _first(claim: Analysed, evidence: Evidence, around: Sequence[Context]) -> frozenset[int]:
    """`The first dose`, told by what came `then`; `the first seizure`, by `no prior seizures`."""
    out = set()
    for at in _firsts(claim):
        segment = claim.layout.segments[at]
        places = [p.places[0] for p in around if p.segment == segment and p.at != at and len(p.places) == 1]
        named = next((p.places for p in around if p.at == at + 1), ())
        if (places and all(_is_followed(place, evidence) for place in places)) or any(
            evidence.texts[place - 1] in _EARLIER and _is_denied_at(place, evidence) for place in named if place
        ):
            out.add(at)
    return frozenset(out)


def _firsts(claim: Analysed) -> list[int]:
    """Where the claim says `first`, which may have become a blank token."""
    out = [word.at for word in claim.content if word.text == "first"]
    return out + [m.at for m in claim.measures if m.quantity.kind == "ordinal" and m.quantity.low == 1]


def _is_denied_at(place: int, evidence: Evidence) -> bool:
    return any(word.at == place and word.status.polarity == "negated" for word in evidence.words)


_NEXT = word_set("then later subsequently bridged narrowed thereafter afterwards")


def _is_followed(place: int, evidence: Evidence) -> bool:
    """Whether its sentence goes on to what came later, and nothing came before it."""
    own = evidence.sentences[place]
    steps = [i for i, text in enumerate(evidence.texts) if evidence.sentences[i] == own and text in _NEXT]
    return bool(steps) and place < steps[0]


def _both(claim: Analysed, evidence: Evidence, around: Sequence[Context]) -> frozenset[int]:
    """`Both A and B` says no more than the list does; `both hips` is told by two sides, `x2` or `bilateral`."""
    words = [word for word in claim.content if word.text == "both"]
    if not words:
        return frozenset()
    sides = {side.name for side in evidence.sides}
    if len(sides) > 1:
        return frozenset(word.at for word in words)
    # "Both knees were swollen and tender" is not told by one knee.
    is_list = any(token.text == "and" for token in claim.tokens) and (not sides or bool(claim.sides))
    return frozenset(word.at for word in words if is_list or _is_paired(word, evidence, around))


_PAIRED = word_set("bibasilar bibasal bilateral bilaterally bitemporal biapical bimalleolar bifrontal ou b/l both")


def _is_paired(word: Word, evidence: Evidence, around: Sequence[Context]) -> bool:
    """Whether what it is said of is paired in the evidence."""
    own = {evidence.segments[p] for part in around if part.segment == word.segment for p in part.places}
    twice = {m.segment for m in evidence.measures
             if m.quantity.low == m.quantity.high == 2 and m.quantity.kind in ("count", "ratio")}  # fmt: skip
    paired = {evidence.segments[i] for i, text in enumerate(evidence.texts) if text in _PAIRED}
    return bool(own & (twice | paired))
