"""Before and after, cause and effect: which part of a sentence comes first, whatever the wording."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from chartcite.core.documents import Span
from chartcite.facts.lexicon import read_rows, word_set
from chartcite.facts.tokens import fold
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.clauses import binds
from chartcite.verification.concepts import DATA
from chartcite.verification.evidence import Evidence
from chartcite.verification.verdicts import Veto


class Relation(NamedTuple):
    """The words of what comes first and of what comes second; tokens `[pivot, last)` are the relation's own words."""

    first: tuple[Word, ...]
    second: tuple[Word, ...]
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


def find_relation(sentence: Analysed) -> Relation | None:
    """The first relation of a sentence that has words on both sides, or that opens it (`After A, B`)."""
    whole = [token.text for token in sentence.tokens]
    table = _table()
    for i, text in enumerate(whole):
        for parts, left_first, kind in table.get(text.partition(" ")[0], ()):
            # A listed phrase ("due to") has become one token.
            length = 1 if text == " ".join(parts) else len(parts)
            if text == " ".join(parts) or (length > 1 and tuple(whole[i : i + length]) == parts):
                return _split(sentence, (i, i + length), left_first, kind)
    return None


def _split(sentence: Analysed, own: tuple[int, int], left_first: bool, kind: str) -> Relation | None:
    pivot, last = own
    left = tuple(word for word in sentence.content if word.at < pivot)
    right = tuple(word for word in sentence.content if word.at >= last)
    if not left:
        comma = next((i for i in range(last, len(sentence.tokens)) if sentence.tokens[i].text == ","), None)
        if comma is None:
            return None
        left = tuple(word for word in right if word.at > comma)
        right = tuple(word for word in right if word.at < comma)
    if not left or not right:
        return None
    return Relation(left, right, pivot, last, kind) if left_first else Relation(right, left, pivot, last, kind)


def check_order(claim: Analysed, evidence: Evidence) -> tuple[list[Veto], frozenset[int]]:
    """A veto when both order the same things the other way round; else the claim's tokens that restate the order.

    `A after B` restates `B before A`.
    """
    claimed = find_relation(claim)
    if claimed is None:
        return [], frozenset()
    for source_id, sentence in evidence.parts:
        stated = find_relation(sentence)
        if stated is None:
            continue
        firsts, seconds = _keys(stated.first), _keys(stated.second)
        if _crosses(claimed.first, firsts, seconds) or _crosses(claimed.second, seconds, firsts):
            return [_reversed(claim, claimed, sentence, stated, source_id)], frozenset()
        if claimed.kind == stated.kind and (_names(claimed.first, firsts) and _names(claimed.second, seconds)):
            return [], frozenset(range(claimed.pivot, claimed.last))
    return [], frozenset()


def _reversed(claim: Analysed, claimed: Relation, sentence: Analysed, stated: Relation, source_id: str) -> Veto:
    pivot, token = claim.tokens[claimed.pivot], sentence.tokens[stated.pivot]
    span = Span(claim.span.start + pivot.start, claim.span.start + pivot.end)
    where = Span(sentence.span.start + token.start, sentence.span.start + token.end)
    why = "the source has the order reversed"
    return Veto("order", span, claim.text[span.start : span.end], source_id, where, why)


def _keys(words: Sequence[Word]) -> frozenset[str]:
    return frozenset[str]().union(*(word.keys.union(*word.parts) for word in words))


def _crosses(words: Sequence[Word], own: frozenset[str], other: frozenset[str]) -> bool:
    """Whether something stands on the wrong side; verbs may stand on either (`fever began after the rash`)."""
    return any(word.keys & other and not word.keys & own and not binds(word.text) for word in words)


def _names(words: Sequence[Word], own: frozenset[str]) -> bool:
    return any(word.keys & own and not binds(word.text) for word in words)


_ROLES = word_set("from to with by for on in of against de para com por")


def role_vetoes(claim: Analysed, evidence: Evidence) -> list[Veto]:
    """A veto when two words have changed places between prepositions (`from A to B`, `from B to A`)."""
    claimed = _roles(claim)
    for source_id, sentence in evidence.parts:
        found = _swapped(claim, claimed, sentence, source_id)
        if found:
            return found
    return []


def _swapped(claim: Analysed, claimed: Sequence[tuple[Word, str]], source: Analysed, source_id: str) -> list[Veto]:
    stated = _roles(source)
    verbs = _keys([w for w in claim.content if binds(w.text)]) & _keys([w for w in source.content if binds(w.text)])
    pairs = [
        (word, role, other, other_role)
        for word, role in claimed
        for other, other_role in stated
        if word.keys & other.keys and role != other_role
    ]
    for word, role, other, other_role in pairs:
        for word2, role2, _, other_role2 in pairs:
            swapped = role == other_role2 and role2 == other_role
            # "A was bridged with B", "B was bridged to A": subject and object of one verb.
            turned = verbs and not role and other_role and role2 and not other_role2
            if word2 is not word and (swapped or turned) and not word.keys & word2.keys:
                return [Veto("binding", word.span, word.text, source_id, other.span, "two things have changed places")]
    return []


def _roles(sentence: Analysed) -> list[tuple[Word, str]]:
    content = {word.at: word for word in sentence.content}
    role, out = "", []
    for i, token in enumerate(sentence.tokens):
        if token.text in _ROLES:
            role = token.text
        elif token.text in (",", ";", ".", ":"):
            role = ""
        elif i in content:
            out.append((content[i], role))
    return out
