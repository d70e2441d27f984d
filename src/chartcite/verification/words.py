"""Words of a claim against words of one source sentence: what is matched, and how both assert it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from chartcite.core.documents import Span
from chartcite.facts.assertions import Status
from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.verdicts import Veto, VetoKind


@dataclass(frozen=True, slots=True)
class Matched:
    """A claim's word and the source's words that may stand for it (empty: none)."""

    word: Word
    hits: tuple[Word, ...]


def match_words(words: Iterable[Word], source: Analysed) -> tuple[Matched, ...]:
    """Find each word in the source by stem, abbreviation, brand or synonym; a phrase as a whole or word by word."""
    index: dict[str, list[Word]] = {}
    for word in source.words:
        for key in word.keys.union(*word.parts):
            index.setdefault(key, []).append(word)
    return tuple(item for word in words for item in _match(word, index))


def _match(word: Word, index: dict[str, list[Word]]) -> tuple[Matched, ...]:
    hits = _hits(word.keys, index)
    if hits or not word.parts:
        return (Matched(word, hits),)
    each = tuple(Matched(replace(word, keys=part, parts=()), _hits(part, index)) for part in word.parts)
    return each if all(item.hits for item in each) else (Matched(word, ()),)


def _hits(keys: frozenset[str], index: dict[str, list[Word]]) -> tuple[Word, ...]:
    return _unique(hit for key in keys for hit in index.get(key, ()))


def _unique(words: Iterable[Word]) -> tuple[Word, ...]:
    return tuple(sorted(set(words), key=lambda word: word.at))


def clash(claimed: Status, stated: Status, claim_is_past: bool) -> tuple[VetoKind, str] | None:
    """How two statuses of one word disagree; None when a source that says one may be cited for the other."""
    if claimed.is_family != stated.is_family:
        return "experiencer", "the source says it of another person"
    if claimed.is_hypothetical != stated.is_hypothetical:
        return "certainty", "one of the two speaks of something planned, feared or conditional"
    polarities = (claimed.polarity, stated.polarity)
    if "doubtful" in polarities:
        return "negation", "it is unclear whether this is denied"
    if "neutral" in polarities:
        return None
    if claimed.polarity != stated.polarity:
        return "negation", "the source denies it" if stated.polarity == "negated" else "the source does not deny it"
    return _clash_of_time(claimed, stated, claim_is_past)


def _clash_of_time(claimed: Status, stated: Status, claim_is_past: bool) -> tuple[VetoKind, str] | None:
    if claimed.is_possible != stated.is_possible:
        return "certainty", "one of the two is certain, the other is not"
    if claimed.is_historical and not stated.is_historical:
        return "history", "the source does not say that it is past"
    if stated.is_historical and not claimed.is_historical and not claim_is_past:
        return "history", "the source speaks of the past"
    return None


def status_vetoes(matched: Sequence[Matched], claim: Analysed, source_id: str) -> list[Veto]:
    """A veto for each word that no occurrence asserts as the claim does."""
    out = []
    for item in matched:
        clashes = [clash(item.word.status, hit.status, claim.is_past) for hit in item.hits]
        if clashes and all(clashes):
            kind, why = next(c for c in clashes if c)
            out.append(word_veto(kind, item.word, item.hits[0].span, source_id, why))
    negated = [m for m in matched if m.word.status.polarity == "negated" and m.hits]
    if negated and not any(h.status.polarity == "negated" for m in negated for h in m.hits):
        why = "the source does not deny it"
        out.append(word_veto("negation", negated[0].word, negated[0].hits[0].span, source_id, why))
    return out


def agreeing(item: Matched, claim: Analysed) -> tuple[Word, ...]:
    """The occurrences whose status fits the claim's."""
    return tuple(hit for hit in item.hits if clash(item.word.status, hit.status, claim.is_past) is None)


_SOFTENERS = word_set(
    "partial partially near nearly almost borderline attempted barely minimally incomplete incompletely subtotal pre "
    "equivocal pseudo quasi early trace less rarely half"
)
_MODALITIES = word_set(
    "exam examination imaging ct cxr mri xray x-ray ultrasound us echo ekg ecg radiograph review testing screening "
    "auscultation palpation today admission arrival labs scan film"
)


def dropped_vetoes(matched: Sequence[Matched], claim: Analysed, source: Analysed, source_id: str) -> list[Veto]:
    """A claim must keep what weakens a statement, and what narrows a denial: `no acute X` is not `no X`."""
    used = {hit.at for item in matched for hit in item.hits}
    by_at = {word.at: word for word in source.words}
    for item in matched:
        for hit in agreeing(item, claim)[:1]:
            before = by_at.get(hit.at - 1)
            if before and before.is_content and before.at not in used:
                if before.text in _SOFTENERS:
                    return [word_veto("certainty", item.word, before.span, source_id, "the source weakens it")]
                if hit.status.polarity == "negated" == before.status.polarity:
                    return [
                        word_veto("negation", item.word, before.span, source_id, "the source denies something narrower")
                    ]
            if hit.status.polarity == "negated":
                narrower = _restriction(hit, source, used)
                if narrower:
                    return [
                        word_veto("negation", item.word, narrower, source_id, "the source denies something narrower")
                    ]
    return []


_RESTRICTS = word_set("in at with during since on to over of from until within while except for")


def _restriction(hit: Word, source: Analysed, used: set[int]) -> Span | None:
    """The words right behind a denied one that say where or when, when the claim leaves them out."""
    i = hit.at + 1
    by_at = {word.at: word for word in source.words}
    if i >= len(source.tokens):
        return None
    follower = by_at.get(i)
    if source.tokens[i].text not in _RESTRICTS:
        # "no chest pain": the claim "no chest" stops inside the phrase.
        is_cut = follower is not None and follower.is_content and i not in used
        return follower.span if follower is not None and is_cut and follower.status.polarity == "negated" else None
    for at in range(i + 1, len(source.tokens)):
        token = source.tokens[at]
        word = by_at.get(at)
        if token.is_mark or at in used or token.text in _MODALITIES:
            return None
        if word is None or word.is_content:
            start = source.span.start + token.start
            return Span(start, source.span.start + token.end)
    return None


def word_veto(kind: VetoKind, word: Word, where: Span, source_id: str, why: str) -> Veto:
    """A veto about one word of the claim."""
    return Veto(kind, word.span, word.text, source_id, where, why)
