"""What a claim may not leave out: words that end, forbid or condition what the source says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from chartcite.core.documents import Span
from chartcite.facts.lexicon import read_words, word_set
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.clauses import binds
from chartcite.verification.concepts import DATA
from chartcite.verification.stems import stem
from chartcite.verification.verdicts import Veto, VetoKind
from chartcite.verification.words import Matched

_CONDITIONS = frozenset(
    ("if", "unless", "in case of", "except", "except for", "apart from", "aside from", "other than", "exceto", "caso")
)


@lru_cache(maxsize=1)
def _reversing() -> frozenset[str]:
    return frozenset(stem(word) for word in read_words(DATA, "reversing.tsv"))


def omission_vetoes(matched: Sequence[Matched], claim: Analysed, source: Analysed, source_id: str) -> list[Veto]:
    """Vetoes for a stop, an allergy, a condition or an owner that the claim does not mention."""
    hits = [hit for item in matched for hit in item.hits]
    if not hits:
        return []
    return (
        _reversals(matched, hits, source, source_id)
        or _conditions(matched, hits, claim, source, source_id)
        or _lone_verbs(matched, source, source_id)
        or _tenses(matched, source_id)
    )


def _reversals(matched: Sequence[Matched], hits: Sequence[Word], source: Analysed, source_id: str) -> list[Veto]:
    """`On metformin` may not be cited from `stopped metformin`, nor `penicillin` from `allergic to penicillin`."""
    used = {hit.at for hit in hits}
    clauses = {hit.clause for hit in hits}
    for word in source.words:
        if word.clause in clauses and word.at not in used and word.is_content and stem(word.text) in _reversing():
            return [_veto("reversal", matched[0].word, word.span, source_id, "the source ends, refuses or forbids it")]
    return []


def _conditions(
    matched: Sequence[Matched], hits: Sequence[Word], claim: Analysed, source: Analysed, source_id: str
) -> list[Veto]:
    """`Continue unless bleeding` is not `continue`; `all normal except LFTs` is not `all normal`."""
    if any(cue.words in _CONDITIONS for cue in claim.assertions.cues):
        return []
    for cue in source.assertions.cues:
        if cue.words in _CONDITIONS and any(hit.at < cue.first for hit in hits):
            token = source.tokens[cue.first]
            where = Span(source.span.start + token.start, source.span.start + token.end)
            return [
                _veto("certainty", matched[0].word, where, source_id, "the source makes a condition or an exception")
            ]
    return []


def _lone_verbs(matched: Sequence[Matched], source: Analysed, source_id: str) -> list[Veto]:
    """`The patient improved` may not be cited from `the cough improved`."""
    if not all(binds(item.word.text) for item in matched):
        return []
    used = {hit.at for item in matched for hit in item.hits}
    for item in matched:
        for hit in item.hits[:1]:
            subject = [w for w in source.content if w.segment == hit.segment and w.at < hit.at and w.at not in used]
            if subject:
                return [_veto("binding", item.word, hit.span, source_id, "the source says it of something else")]
    return []


_HABITS = word_set("smokes smoke takes take drinks drink uses use lives works continues")
_ENDED = word_set("smoked took drank used lived worked continued taken")


def _tenses(matched: Sequence[Matched], source_id: str) -> list[Veto]:
    """`Smokes` may not be cited from `smoked until 2010`."""
    for item in matched:
        if item.word.text in _HABITS and item.hits and all(hit.text in _ENDED for hit in item.hits):
            return [_veto("history", item.word, item.hits[0].span, source_id, "the source speaks of the past")]
    return []


def _veto(kind: VetoKind, word: Word, where: Span, source_id: str, why: str) -> Veto:
    return Veto(kind, word.span, word.text, source_id, where, why)
