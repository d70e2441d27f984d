"""A verb or a state must be said of the claim's subject: `fever resolved` may not be cited from `cough resolved`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.clauses import BREAKS, binds
from chartcite.verification.evidence import Evidence
from chartcite.verification.exclusive import members
from chartcite.verification.kinds import kinds
from chartcite.verification.matching import Matched
from chartcite.verification.nearness import is_shared
from chartcite.verification.statuses import word_veto
from chartcite.verification.verdicts import Veto


def predicate_vetoes(matched: Sequence[Matched], claim: Analysed, evidence: Evidence) -> list[Veto]:
    """A veto for a predicate that the evidence gives to another subject, or to one of several subjects only."""
    names = [hit.at for item in matched if not binds(item.word.text) for hit in item.hits]
    clauses = {evidence.clauses[at] for at in names}
    for item in matched:
        if not _is_predicate(item.word, claim) or not item.hits or item.is_complement:
            continue
        if all(binds(h.text) and evidence.is_led[h.at] and h.clause not in clauses for h in item.hits):
            subjects = list(_subjects(item.word, matched))
            if subjects and all(_is_apart(s, item.hits, evidence) for s in subjects):
                return [_veto(item, item.hits[0], evidence)]
        joined = list(_joined(item.word, matched, claim)) if _subject(item.word, claim) else []
        reached = [any(_reaches(at, h, evidence) for at in _ats(s) for h in item.hits) for s in joined]
        if any(reached) and not all(reached):
            return [_veto(item, item.hits[0], evidence)]
    return []


def _is_apart(subject: Matched, hits: Sequence[Word], evidence: Evidence) -> bool:
    """Whether the evidence says something else of the subject, in a clause of its own."""
    if any(_reaches(at, hit, evidence) for at in _ats(subject) for hit in hits):
        return False
    own = {hit.clause for hit in subject.hits}
    return any(word.clause in own and binds(word.text) for word in evidence.content)


def _veto(item: Matched, hit: Word, evidence: Evidence) -> Veto:
    return word_veto("binding", item.word, hit, evidence, "the source says it of something else")


_BE = word_set("is are was were be been has have had became becomes remains remained foi está")


def _is_predicate(word: Word, claim: Analysed) -> bool:
    """Whether it says what became of something: `stopped`, `is dilated`; not `closed` in `closed fracture`."""
    is_said = word.at > 0 and claim.tokens[word.at - 1].text in _BE
    return binds(word.text) and (is_said or bool(members(word.keys)))


def _ats(item: Matched) -> list[int]:
    return [hit.at for hit in item.hits]


def _subjects(word: Word, matched: Sequence[Matched]) -> Iterator[Matched]:
    """What stands before the predicate in its segment."""
    for item in matched:
        if item.hits and item.word.at < word.at and item.word.segment == word.segment and not binds(item.word.text):
            yield item


def _subject(word: Word, claim: Analysed) -> bool:
    """Whether something is named before the predicate in its own segment."""
    return any(w.at < word.at and w.segment == word.segment and not binds(w.text) for w in claim.content)


def _joined(word: Word, matched: Sequence[Matched], claim: Analysed) -> Iterator[Matched]:
    """The first word of each part of a list that the predicate is said of: `fever and cough resolved`."""
    segments = claim.layout.segments
    seen: set[int] = set()
    for item in matched:
        segment = segments[item.word.at]
        if item.word.at >= word.at or item.word.clause != word.clause or segment in seen or binds(item.word.text):
            continue
        if _is_list(segment, segments[word.at], claim):
            seen.add(segment)
            yield item


def _is_list(first: int, last: int, claim: Analysed) -> bool:
    """Whether only commas and "and" stand between the segments, and none before the last has a verb."""
    if first == last:
        return True
    segments = claim.layout.segments
    between = [i for i in range(len(segments)) if first <= segments[i] < last]
    words = [claim.tokens[i].text for i in between]
    marks = {text for i, text in zip(between, words, strict=True) if claim.tokens[i].is_mark or text in BREAKS}
    has_verb = any(text in _BE or any(binds(part) for part in text.split()) for text in words)
    return marks <= {",", "and", "or"} and "and" in marks and not has_verb


def _reaches(at: int, hit: Word, evidence: Evidence) -> bool:
    if evidence.sentences[at] != evidence.sentences[hit.at]:
        return False
    return evidence.clauses[at] == hit.clause or evidence.is_header[at] or is_shared(at, hit.at, evidence)


def owner_vetoes(matched: Sequence[Matched], evidence: Evidence) -> list[Veto]:
    """A veto for a relative's finding when the evidence gives it to a relative whom the claim does not name."""
    named = {h.at for item in matched if "relative" in kinds(item.word.keys) for h in item.hits}
    if not named:
        return []
    relatives = [word for word in evidence.words if "relative" in kinds(word.keys)]
    for item in matched:
        if item.word.status.is_family and item.hits and "relative" not in kinds(item.word.keys):
            owners = [_owner(hit, relatives, evidence) for hit in item.hits]
            if all(owner is not None and owner.at not in named for owner in owners):
                return [
                    word_veto("experiencer", item.word, item.hits[0], evidence, "the source says it of another person")
                ]
    return []


def _owner(hit: Word, relatives: Sequence[Word], evidence: Evidence) -> Word | None:
    """The last relative before a word in its sentence."""
    before = (r for r in relatives if r.at < hit.at and evidence.sentences[r.at] == evidence.sentences[hit.at])
    return max(before, key=lambda r: r.at, default=None)
