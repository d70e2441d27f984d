"""Before and after, cause and effect: which part of a sentence comes first, whatever the wording."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from chartcite.facts.lexicon import read_rows, word_set
from chartcite.facts.tokens import fold
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.concepts import DATA
from chartcite.verification.verdicts import Veto


class Relation(NamedTuple):
    """The words of what comes first and of what comes second; `pivot` is the first token of the relation's words."""

    first: tuple[Word, ...]
    second: tuple[Word, ...]
    pivot: int
    last: int


@lru_cache(maxsize=1)
def _table() -> tuple[tuple[tuple[str, ...], bool], ...]:
    rows = [(tuple(fold(words).split()), order == "first") for order, words in read_rows(DATA, "relations.tsv")]
    return tuple(sorted(rows, key=lambda row: len(row[0]), reverse=True))


def find_relation(sentence: Analysed) -> Relation | None:
    """The first relation of a sentence that has words on both sides, or that opens it (`After A, B`)."""
    texts = [word for token in sentence.tokens for word in token.text.split()[:1]]
    whole = [token.text for token in sentence.tokens]
    for i in range(len(whole)):
        for words, left_first in _table():
            is_here = whole[i] == " ".join(words) or tuple(texts[i : i + len(words)]) == words
            if is_here:
                last = i + (1 if whole[i] == " ".join(words) else len(words))
                return _split(sentence, i, last, left_first)
    return None


def _split(sentence: Analysed, pivot: int, last: int, left_first: bool) -> Relation | None:
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
    return Relation(left, right, pivot, last) if left_first else Relation(right, left, pivot, last)


def order_vetoes(claim: Analysed, source: Analysed, source_id: str) -> list[Veto]:
    """A veto when claim and source order the same things the other way round."""
    claimed = find_relation(claim)
    if claimed is None:
        return []
    stated = find_relation(source)
    pivot = claim.tokens[claimed.pivot]
    where = (claim.span.start + pivot.start, claim.span.start + pivot.end)
    if stated is None:
        return []
    firsts = frozenset[str]().union(*(word.keys.union(*word.parts) for word in stated.first))
    seconds = frozenset[str]().union(*(word.keys.union(*word.parts) for word in stated.second))
    crossed = any(w.keys & seconds and not w.keys & firsts for w in claimed.first) or any(
        w.keys & firsts and not w.keys & seconds for w in claimed.second
    )
    if not crossed:
        return []
    token = source.tokens[stated.pivot]
    spans = type(claim.span)
    return [
        Veto(
            "order", spans(*where), claim.text[where[0] : where[1]], source_id,
            spans(source.span.start + token.start, source.span.start + token.end), "the source has the order reversed",
        )
    ]  # fmt: skip


_ROLES = word_set("from to with by for on in of against de para com por")


def role_vetoes(claim: Analysed, source: Analysed, source_id: str) -> list[Veto]:
    """A veto when two words have changed places between prepositions (`from A to B`, `from B to A`)."""
    claimed = _roles(claim)
    stated = _roles(source)
    pairs = [
        (word, role, other, other_role)
        for word, role in claimed
        for other, other_role in stated
        if word.keys & other.keys and role != other_role
    ]
    for word, role, other, other_role in pairs:
        for word2, role2, _, other_role2 in pairs:
            if word2 is not word and role == other_role2 and role2 == other_role and not word.keys & word2.keys:
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
