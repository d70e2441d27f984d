"""What follows a preposition belongs to the word before it: `allergic to A` may not be cited from `allergic to B`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.evidence import Evidence
from chartcite.verification.matching import Matched
from chartcite.verification.statuses import word_veto
from chartcite.verification.verdicts import Veto

_PREPOSITIONS = word_set("to with from w/ for against by")
_JOINS = frozenset((",", "and", "or", "/", "nor"))


def object_vetoes(matched: Sequence[Matched], claim: Analysed, evidence: Evidence) -> list[Veto]:
    """A veto for a word whose object in the evidence is another one than in the claim."""
    used = {hit.at for item in matched for hit in item.hits}
    words = {word.at: word for word in evidence.words}
    for head, object_ in _pairs(matched, claim):
        objects = [hit.at for hit in object_.hits]
        others = [_object(hit, used, words, evidence) for hit in head.hits]
        if all(other is not None for other in others) and not any(
            _is_joined(hit, at, words, evidence) for hit in head.hits for at in objects
        ):
            why = "the source says it of something else"
            return [word_veto("binding", head.word, head.hits[0], evidence, why)]
    return []


def _pairs(matched: Sequence[Matched], claim: Analysed) -> Iterator[tuple[Matched, Matched]]:
    """Words of the claim and the first word behind the preposition that follows them."""
    found = [item for item in matched if item.hits]
    for head, object_ in pairwise(found):
        between = [token.text for token in claim.tokens[head.word.at + 1 : object_.word.at]]
        if head.word.segment == object_.word.segment and set(between) & _PREPOSITIONS and len(between) <= _NEAR:
            yield head, object_


_NEAR = 3


def _object(hit: Word, used: set[int], words: Mapping[int, Word], evidence: Evidence) -> Word | None:
    """What the evidence says it of, when the claim leaves that out: behind its preposition, or before its bracket."""
    segment = evidence.segments[hit.at]
    at, is_after = hit.at + 1, False
    while at < len(evidence.texts) and evidence.segments[at] == segment:
        is_after = is_after or evidence.texts[at] in _PREPOSITIONS
        word = words.get(at)
        if word is not None and word.is_content:
            if is_after:
                return None if at in used else word
            if at not in used:
                break
        at += 1
    return _before_bracket(hit, used, words, evidence)


def _before_bracket(hit: Word, used: set[int], words: Mapping[int, Word], evidence: Evidence) -> Word | None:
    start = hit.at
    while start > 0 and evidence.segments[start - 1] == evidence.segments[hit.at]:
        start -= 1
    if start < 2 or evidence.texts[start - 1] != "(":
        return None
    word = words.get(start - 2)
    return word if word is not None and word.is_content and word.at not in used else None


def _is_joined(hit: Word, at: int, words: Mapping[int, Word], evidence: Evidence) -> bool:
    """Whether a thing stands in the statement of a word or in the list that goes on behind it."""
    if evidence.sentences[hit.at] != evidence.sentences[at]:
        return False
    if evidence.segments[hit.at] == evidence.segments[at]:
        return True
    if evidence.clauses[hit.at] != evidence.clauses[at]:
        return False
    start = at
    while start > 0 and evidence.segments[start - 1] == evidence.segments[at]:
        start -= 1
    leads = any(i in words and words[i].is_content for i in range(start, at) if evidence.texts[i] not in _JOINS)
    return not leads or at < hit.at
