"""What stands in the evidence where a word of the claim was not found: a rival, something else, or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chartcite.verification.analysis import Word
from chartcite.verification.evidence import Evidence
from chartcite.verification.exclusive import exclude
from chartcite.verification.kinds import Kind, kinds
from chartcite.verification.matching import Matched
from chartcite.verification.relations import find_relations
from chartcite.verification.support import Account

_BESIDE = 2


def clues(account: Account) -> Iterator[str]:
    """One name or more for each word of the claim that is left over.

    `rival:opposite` and `rival:kind`: the evidence has a word that the claim does not use, and that excludes the
    one left over or names another drug, site or relative. `slot:taken`: an unused word stands beside what the
    neighbours of the word left over were found in; else `slot:free`. `alone`: nothing of its segment was found.
    `relation:cause` and `relation:time`: the word says what came from what, or what came first.
    """
    left = {item.at for item in account.uncovered if item.kind == "word"}
    if not left:
        return
    used = {hit.at for item in account.matched for hit in item.hits}
    unused = [word for word in account.evidence.content if word.at not in used]
    relations = {at: r.kind for r in find_relations(account.claim) for at in range(r.pivot, r.last)}
    for n, item in enumerate(account.matched):
        if item.hits or item.word.at not in left:
            continue
        if any(_exclude(item.word, word) for word in unused):
            yield "rival:opposite"
        own = _kinds(item.word)
        if own and any(own & _kinds(word) for word in unused):
            yield "rival:kind"
        yield "slot:taken" if _is_taken(n, account.matched, unused, account.evidence) else "slot:free"
        if not any(m.hits and m.word.segment == item.word.segment for m in account.matched):
            yield "alone"
        if item.word.at in relations:
            yield f"relation:{relations[item.word.at]}"


def _exclude(first: Word, second: Word) -> bool:
    return any(exclude(one, other) for one in _all(first) for other in _all(second))


def _all(word: Word) -> tuple[frozenset[str], ...]:
    """The keys of a word, and of each word of a phrase: `right upper lobe`."""
    return (word.keys, *word.parts)


def _kinds(word: Word) -> frozenset[Kind]:
    return frozenset[Kind]().union(*(kinds(keys) for keys in _all(word)))


def _is_taken(n: int, matched: Sequence[Matched], unused: Sequence[Word], evidence: Evidence) -> bool:
    beside = [hit for item in (*matched[max(n - 1, 0) : n], *matched[n + 1 : n + 2]) for hit in item.hits]
    return any(
        abs(word.at - hit.at) <= _BESIDE and evidence.segments[word.at] == evidence.segments[hit.at]
        for word in unused
        for hit in beside
    )
