"""Before and after, cause and effect: which part of a sentence comes first, whatever the wording."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from chartcite.core.documents import Span
from chartcite.facts.lexicon import read_rows, word_set
from chartcite.facts.tokens import fold
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.clauses import binds
from chartcite.verification.concepts import DATA
from chartcite.verification.evidence import Evidence
from chartcite.verification.nearness import Context
from chartcite.verification.verdicts import Veto


class Relation(NamedTuple):
    """The tokens of what comes first and of what comes second; tokens `[pivot, last)` are the relation's own words."""

    first: range
    second: range
    pivot: int
    last: int
    kind: str


@lru_cache(maxsize=1)
def _table() -> dict[str, list[tuple[tuple[str, ...], bool, str]]]:
    """Relations by first word, longest first."""
    table: dict[str, list[tuple[tuple[str, ...], bool, str]]] = {}
    for order, kind, text in read_rows(DATA, "relations.tsv"):
        parts = tuple(fold(text).split())
        table.setdefault(parts[0], []).append((parts, order == "first", kind))
    for rows in table.values():
        rows.sort(key=lambda row: len(row[0]), reverse=True)
    return table


def find_relations(sentence: Analysed) -> tuple[Relation, ...]:
    """The relations of a sentence that have something on both sides, or open it (`After A, B`)."""
    return _relations(tuple(token.text for token in sentence.tokens))


@lru_cache(maxsize=4096)
def _relations(whole: tuple[str, ...]) -> tuple[Relation, ...]:
    pivots = list(_pivots(whole))
    out = []
    for own, left_first, kind in pivots:
        # "Faded after A was switched to B": what replaces what is a part of what is ordered.
        ends = [at for at, _, sort in pivots if (sort == "replacement") <= (kind == "replacement") or at == own]
        start = max(max((last for _, last in ends if last <= own[0]), default=0), _bound(whole, own[0], -1) + 1)
        stop = min(min((first for first, _ in ends if first >= own[1]), default=len(whole)), _bound(whole, own[1], 1))
        found = _split(whole, own, (start, stop), left_first, kind)
        if found is not None:
            out.append(found)
    return tuple(out)


def _bound(whole: Sequence[str], at: int, step: int) -> int:
    """The nearest mark that ends a statement, or the edge of the sentence."""
    while 0 <= at < len(whole) and whole[at] not in (";", "."):
        at += step
    return at


# "The rash was caused by" is another row; in "potassium was replaced" nothing comes first.
_NOT_BEHIND_ONCE = word_set("had has have was were a an daily or in per every weekly again more only")
_ACTIVE = frozenset((("replaced",), ("caused",), ("followed",), ("preceded",)))
_PASSIVE = word_set("was were is are be been being")


def _pivots(whole: Sequence[str]) -> Iterator[tuple[tuple[int, int], bool, str]]:
    table = _table()
    i = 0
    while i < len(whole):
        found = _pivot_at(whole, i, table)
        if found is None:
            i += 1
        else:
            yield found
            i = found[0][1]


def _pivot_at(
    whole: Sequence[str], i: int, table: dict[str, list[tuple[tuple[str, ...], bool, str]]]
) -> tuple[tuple[int, int], bool, str] | None:
    for parts, left_first, kind in table.get(whole[i].partition(" ")[0], ()):
        # A listed phrase ("due to") has become one token.
        length = 1 if whole[i] == " ".join(parts) else len(parts)
        if length > 1 and tuple(whole[i : i + length]) != parts:
            continue
        if length == 1 and whole[i] != " ".join(parts):
            continue
        if parts in _ACTIVE and i and whole[i - 1] in _PASSIVE:
            continue
        # "Once caused" and "once or twice" are no order.
        if parts == ("once",) and (i + 1 == len(whole) or binds(whole[i + 1]) or whole[i + 1] in _NOT_BEHIND_ONCE):
            continue
        return (i, i + length), left_first, kind
    return None


def _split(
    whole: Sequence[str], own: tuple[int, int], bounds: tuple[int, int], left_first: bool, kind: str
) -> Relation | None:
    (pivot, last), (start, stop) = own, bounds
    left, right = range(start, pivot), range(last, stop)
    # "After A, B" and "two days after A, B".
    if not any(whole[i][:1].isalnum() for i in left):
        comma = next((i for i in range(last, len(whole)) if whole[i] == ","), None)
        # "Because of adhesions the operation became open".
        cut = comma or next((i for i in range(last + 1, len(whole)) if whole[i] in _OPENS), None)
        if cut is None:
            return None
        left, right = range(cut + (cut == comma), len(whole)), range(last, cut)
    return Relation(left, right, pivot, last, kind) if left_first else Relation(right, left, pivot, last, kind)


_OPENS = word_set("the a an he she they his her it")


def order_words(claim: Analysed) -> frozenset[int]:
    """The tokens of the claim's words of order and cause."""
    return frozenset(i for r in find_relations(claim) if r.kind != "replacement" for i in range(r.pivot, r.last))


def is_same_order(claimed: str, stated: str) -> bool:
    """Whether two words put things into one order; no list of synonyms knows which part comes first."""
    return claimed == stated or _sense(claimed) == _sense(stated) is not None


def _sense(text: str) -> tuple[bool, str] | None:
    rows = _table().get(text.partition(" ")[0], ())
    return next(((left_first, kind) for parts, left_first, kind in rows if " ".join(parts) == text), None)


def check_order(claim: Analysed, evidence: Evidence, around: Sequence[Context]) -> tuple[list[Veto], frozenset[int]]:
    """A veto when both order the same things the other way round; else the claim's tokens that restate the order.

    `A after B` restates `B before A`.
    """
    stated = [item for item in stated_relations(evidence) if item[0].kind != "late"]
    restated: set[int] = set()
    for claimed in find_relations(claim):
        others = [item for item in stated if item[0].kind != "replacement"]
        alike = [item for item in stated if item[0].kind == claimed.kind] or others
        firsts, seconds = _places(claimed.first, claim, around), _places(claimed.second, claim, around)
        for relation, source_id in alike:
            if _any_in(firsts, relation.second, relation.first) and _any_in(seconds, relation.first, relation.second):
                return [_reversed(claim, claimed, relation, evidence, source_id)], frozenset()
            is_same = claimed.kind == relation.kind
            if is_same and _any_in(firsts, relation.first) and _any_in(seconds, relation.second):
                restated.update(range(claimed.pivot, claimed.last))
    return [], frozenset(restated)


def stated_relations(evidence: Evidence) -> Iterator[tuple[Relation, str]]:
    """The relations of all sentences, in the evidence's own tokens."""
    base = 0
    for source_id, sentence in evidence.parts:
        for r in find_relations(sentence):
            first, second = (range(side.start + base, side.stop + base) for side in (r.first, r.second))
            yield Relation(first, second, r.pivot + base, r.last + base, r.kind), source_id
        base += len(sentence.tokens)


def _places(side: range, claim: Analysed, around: Sequence[Context]) -> list[tuple[int, ...]]:
    """Where a part of the claim was found; its verbs may stand on either side (`fever began after the rash`)."""
    return [part.places for part in around if part.at in side and not binds(claim.tokens[part.at].text)]


def _any_in(found: Iterable[tuple[int, ...]], side: range, other: range | None = None) -> bool:
    """Whether something stands on a side (and not on the other)."""
    return any(
        any(p in side for p in places) and not (other is not None and any(p in other for p in places))
        for places in found
    )


def _reversed(claim: Analysed, claimed: Relation, stated: Relation, evidence: Evidence, source_id: str) -> Veto:
    pivot = claim.tokens[claimed.pivot]
    span = Span(claim.span.start + pivot.start, claim.span.start + pivot.end)
    why = "the source has the order reversed"
    return Veto("order", span, claim.text[span.start : span.end], source_id, evidence.places[stated.pivot].span, why)


_ROLES = word_set("from to into onto with by for on in of against de para com por")


def role_vetoes(claim: Analysed, evidence: Evidence) -> list[Veto]:
    """A veto when two words have changed places between prepositions (`from A to B`, `from B to A`)."""
    claimed = _roles(claim)
    for source_id, sentence in evidence.parts:
        found = _swapped(claim, claimed, sentence, source_id)
        if found:
            return found
    return []


def _keys(words: Sequence[Word]) -> frozenset[str]:
    return frozenset[str]().union(*(word.keys.union(*word.parts) for word in words))


def _swapped(claim: Analysed, claimed: Sequence[tuple[Word, str]], source: Analysed, source_id: str) -> list[Veto]:
    stated = _roles(source)
    verbs = _keys([w for w in claim.content if binds(w.text)]) & _keys([w for w in source.content if binds(w.text)])
    is_turned_round = _is_passive(claim) != _is_passive(source)
    is_change = {"from", "to"} <= {role for _, role in claimed}
    # "Rotate from A to B": what is moved between them need not be a listed word of doing.
    is_moved = any(
        word.keys & other.keys for word, role in claimed for other, _ in stated if role not in ("from", "to")
    )
    pairs = [
        (word, role, other, other_role)
        for word, role in claimed
        for other, other_role in stated
        if word.keys & other.keys
        and role != other_role
        and _OPEN not in (role, other_role)
        # "The son reported it", "it was reported by the son".
        and not (is_turned_round and "by" in (role, other_role))
    ]
    is_change = is_change or (_moves(claim) and _moves(source))
    for word, role, other, other_role in pairs:
        if (verbs or is_moved) and is_change and {role, other_role} == {"from", "to"}:
            return [
                Veto("binding", word.span, word.text, source_id, other.span, "the source has it the other way round")
            ]
        for word2, role2, _, other_role2 in pairs:
            swapped = role == other_role2 and role2 == other_role
            # "A was bridged with B", "B was bridged to A": subject and object of one verb.
            turned = verbs and not role and other_role in _ARGUMENTS and role2 in _ARGUMENTS and not other_role2
            if word2 is not word and (swapped or turned) and not word.keys & word2.keys:
                return [Veto("binding", word.span, word.text, source_id, other.span, "two things have changed places")]
    return []


_MOVES = word_set(
    "sent received transfer transferred transfers moved moves admitted discharged referred transferido transferida"
)


def _moves(sentence: Analysed) -> bool:
    """`Transferred to the ICU`: here a single place says which way."""
    return not _MOVES.isdisjoint(token.text for token in sentence.tokens)


_ARGUMENTS = word_set("from to with by on de para com por")
# "Failed in 2016 and B in 2017": a place or a time is not carried over to the next item of a list.
_LOCAL = word_set("in on of at")
_OPEN = "?"


def _is_passive(sentence: Analysed) -> bool:
    return any(token.text in ("by", "por") for token in sentence.tokens)


def _roles(sentence: Analysed) -> list[tuple[Word, str]]:
    content = {word.at: word for word in sentence.content}
    role, out = "", []
    clauses, segments = sentence.layout.clauses, sentence.layout.segments
    for i, token in enumerate(sentence.tokens):
        if token.text in (";", ".", ":") or (i and clauses[i] != clauses[i - 1]):
            role = ""
        if role in _LOCAL and i and segments[i] != segments[i - 1]:
            role = _OPEN
        if token.text in _ROLES:
            role = _role_of(token.text, sentence.tokens[i - 1].text if i else "")
        elif i in content:
            out.append((content[i], role))
        # A listed phrase ("switched to") is one token.
        last = token.text.rpartition(" ")
        role = last[2] if last[0] and last[2] in _ROLES else role
    return _received(out, sentence)


def _role_of(word: str, before: str) -> str:
    if before == "reason":
        return _OPEN  # "The reason for the visit" is no role of the visit.
    if word == "of" and before == "out":
        return "from"
    return "to" if word in ("into", "onto") else word


def _received(roles: list[tuple[Word, str]], sentence: Analysed) -> list[tuple[Word, str]]:
    """`The ward received her from the unit`: the subject is where she went to."""
    verb = next((i for i, token in enumerate(sentence.tokens) if token.text == "received"), None)
    if verb is None or not any(role == "from" for _, role in roles):
        return roles
    return [(word, "to" if not role and word.at < verb else role) for word, role in roles]
