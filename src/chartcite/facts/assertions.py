"""What a sentence asserts about each of its words: affirmed, negated, possible, past, hypothetical, the family's.

ConText's idea (Harkema et al. 2009: cues, directions, ends of scope) with our own cues (see `cues`) and two more
answers than yes and no: `neutral` (a place or a test inside a negation, `no pneumonia on CXR`) and `doubtful` (the
rules cannot tell), which a checker treats as a mismatch with everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from chartcite.facts.cues import NOTS, SEPARATORS, Cue, CueKind, find_cues
from chartcite.facts.lexicon import word_set
from chartcite.facts.presence import AFTER_PRESENCE, place_end, presence_end
from chartcite.facts.scopes import back_scope, forward_scope
from chartcite.facts.tokens import Token

Polarity = Literal["affirmed", "negated", "neutral", "doubtful"]


@dataclass(frozen=True, slots=True)
class Status:
    """How a word is asserted."""

    polarity: Polarity = "affirmed"
    is_possible: bool = False
    is_historical: bool = False
    is_family: bool = False
    is_hypothetical: bool = False


PLAIN = Status()


@dataclass(frozen=True, slots=True)
class Assertions:
    """Cues of a sentence, the tokens that each one governs, and one status for each token."""

    cues: tuple[Cue, ...]
    scopes: tuple[tuple[int, ...], ...]
    statuses: tuple[Status, ...]


def read_assertions(tokens: Sequence[Token]) -> Assertions:
    """Find the cues of one sentence and what they govern. Quantities should have been taken out of `tokens`."""
    cues = tuple(find_cues(tokens))
    statuses = [PLAIN] * len(tokens)
    scopes = tuple(_apply(cue, n, cues, tokens, statuses) for n, cue in enumerate(cues))
    return Assertions(cues, scopes, tuple(statuses))


def _apply(cue: Cue, n: int, cues: tuple[Cue, ...], tokens: Sequence[Token], statuses: list[Status]) -> tuple[int, ...]:
    if cue.kind == "end":
        return ()
    if cue.kind == "affirm":
        # In "no increase in pain" the increase is denied, the pain is not.
        own = tuple(range(cue.first, cue.last)) if cue.speaks else ()
        for i in own:
            statuses[i] = replace(statuses[i], polarity="negated")
        return own
    scope = _scope(cue, n, cues, tokens)
    if cue.kind == "negation" and cue.direction == "pre" and not NOTS.isdisjoint(cue.words.split()):
        # "The canal is not narrowed" denies the narrowing; that there is a canal it neither says nor denies.
        for i in back_scope(tokens, cue.first, cues[:n]):
            statuses[i] = _with(statuses[i], cue.kind, "neutral")
    if cue.speaks and cue.kind in ("family", "historical"):
        scope += [(i, "negated") for i in range(cue.first, cue.last)]
    for i, polarity in scope:
        statuses[i] = _with(statuses[i], cue.kind, polarity)
        if cue.kind == "negation" and _EVER & set(cue.words.split()):
            statuses[i] = replace(statuses[i], is_historical=True)
    return tuple(i for i, _ in scope)


_EVER = word_set("history hx h/o never prior previous previously past")


def _scope(cue: Cue, n: int, cues: tuple[Cue, ...], tokens: Sequence[Token]) -> list[tuple[int, Polarity]]:
    if cue.direction == "pre":
        return list(forward_scope(tokens, cue, cues[n + 1 :], _doubles(cue, n, cues, tokens)))
    if cue.direction == "word":
        return [(cue.first - 1, "negated")]
    if cue.direction == "around":
        subject = back_scope(tokens, cue.first, cues[:n])
        if not subject and cue.first and tokens[cue.first - 1].text in ("but", "and", ",", "mas", "e"):
            # "Considered but never given": the verb has the subject of the one before.
            comma = 1 if cue.first > 1 and tokens[cue.first - 2].text == "," else 0
            subject = back_scope(tokens, cue.first - 1 - comma, ())
        end = presence_end(tokens, cue.last)
        denied: list[tuple[int, Polarity]] = [(i, "negated") for i in (*subject, *range(cue.last, end))]
        return denied + [(i, "neutral") for i in range(end, place_end(tokens, end))]
    if cue.direction == "sides":
        ahead = forward_scope(tokens, cue, cues[n + 1 :], False)
        return [(i, "negated") for i in back_scope(tokens, cue.first, cues[:n])] + list(ahead)
    is_answer = cue.direction == "answer"
    # "Fever, chills and cough were denied": the plural verb has the whole list for its subject.
    before = tokens[cue.first - 1].text if cue.first else ""
    whole_list = is_answer or cue.words.startswith("were ") or before == "were"
    # "HER2 1+ (negative)": an answer in brackets is that of what stands before them.
    in_brackets = before == "(" and cue.last < len(tokens) and tokens[cue.last].text == ")"
    scope = back_scope(tokens, cue.first - (is_answer or in_brackets), cues[:n], whole_list)
    if cue.words in ("negative", "neg"):
        scope = _predicate(tokens, scope)
    found: list[tuple[int, Polarity]] = list(_denied_before(tokens, scope, cue.kind == "negation"))
    if (
        cue.kind == "negation"
        and cue.last < len(tokens)
        and tokens[cue.last].text in AFTER_PRESENCE - {"and", "or", "but"}
    ):
        found += [(i, "neutral") for i in range(cue.last, place_end(tokens, cue.last))]
    return found


def _denied_before(tokens: Sequence[Token], scope: range, has_places: bool) -> Iterator[tuple[int, Polarity]]:
    """Of `blood in the stool` denied is the blood, not the stool."""
    is_place = False
    for i in scope:
        is_place = has_places and (is_place or (tokens[i].text in ("in", "on", "at", "within") and i > scope.start))
        yield i, "neutral" if is_place else "negated"


def _predicate(tokens: Sequence[Token], scope: range) -> range:
    """`The tumour is HER2 negative` denies HER2, not the tumour."""
    for i in range(scope.stop - 2, scope.start - 1, -1):
        if tokens[i].text in _SUBJECT_ENDS:
            return range(i + 1, scope.stop)
    return scope


# "Source patient HIV neg" denies HIV, not the patient.
_SUBJECT_ENDS = word_set("is was are were being patient pt she he")


def _doubles(cue: Cue, n: int, cues: tuple[Cue, ...], tokens: Sequence[Token]) -> bool:
    """Whether another negation stands right beside this one: what the two say together is not for a rule to guess."""
    if cue.kind != "negation":
        return False
    return any(
        _touch(tokens, *sorted((cue, other), key=lambda c: c.first))
        for other in (*cues[max(n - 1, 0) : n], *cues[n + 1 : n + 2])
    )


def _touch(tokens: Sequence[Token], first: Cue, second: Cue) -> bool:
    between = {t.text for t in tokens[first.last : second.first]}
    is_pair = first.kind == second.kind and "pre" == first.direction == second.direction
    return is_pair and second.first - first.last <= 1 and not between & SEPARATORS and second.words != "nor"


def _with(status: Status, kind: CueKind, polarity: Polarity) -> Status:
    if kind == "doubtful" or polarity == "doubtful":
        return replace(status, polarity="doubtful")
    if polarity == "neutral":
        return replace(status, polarity="neutral") if status.polarity == "affirmed" else status
    if kind == "negation":
        return replace(status, polarity=polarity if status.polarity in ("affirmed", "neutral") else status.polarity)
    return _FLAGS[kind](status)


_FLAGS: dict[str, Callable[[Status], Status]] = {
    # As it is where nothing changes: a line of nothing but question marks has each in the scope of all before it.
    "possible": lambda status: status if status.is_possible else replace(status, is_possible=True),
    "historical": lambda status: status if status.is_historical else replace(status, is_historical=True),
    "family": lambda status: status if status.is_family else replace(status, is_family=True),
    "hypothetical": lambda status: status if status.is_hypothetical else replace(status, is_hypothetical=True),
}
