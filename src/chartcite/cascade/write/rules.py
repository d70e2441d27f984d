"""Writing by rules: the best evidence sentences, word for word, within the word limit. Nothing can be invented."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chartcite.cascade.presence.patterns import pattern
from chartcite.cascade.standing import family_header
from chartcite.cascade.write.draft import Draft
from chartcite.core.answer import Evidence, Interpretation
from chartcite.text.limits import soft_cut
from chartcite.text.quoting import as_statement

MAX_SENTENCES = 4
WORTH_SHOWING = 0.5


def write(
    asked: Interpretation,
    evidence: Sequence[Evidence],
    limit_words: int,
    order: str,
    fallback: Callable[[str, int], None],
    *,
    by_document: bool = False,
) -> list[Draft]:
    """Quote the evidence, most useful first, while the words last; then put it in time order.

    Args:
        asked: its kind says how many sentences are wanted.
        evidence: kept evidence, most useful first.
        limit_words: most words of the whole answer.
        order: `time` or `rank`.
        by_document: whether every document with strict evidence is worth a sentence (a collection, in turns).
        fallback: told, with a count, what the word limit cost and that a correction is among the sentences.
    """
    drafts: list[Draft] = []
    left, left_out = limit_words, 0
    for item in _worth_showing(asked, evidence, by_document):
        text = statement(item)
        words = len(text.split())
        if words > left:
            if drafts:
                left_out += 1
                continue
            text = soft_cut(text, left)
            words = len(text.split())
            fallback("cut_to_word_limit", 1)
        drafts.append(Draft(text, item))
        left -= words
    if left_out:
        fallback("left_out_for_word_limit", left_out)
    if any(d.evidence.kept == "correction" for d in drafts):
        fallback("correction_found", 1)
    if order == "time":
        drafts.sort(key=lambda d: (d.evidence.sort_key, d.evidence.doc_id, d.evidence.start))
    return drafts


def statement(item: Evidence) -> str:
    """The quote; under a header of relatives with that header, without which it would say it of the patient."""
    text, header = as_statement(item.quote, is_item=item.is_item), family_header(item.section)
    says_so = item.quote.startswith(header) or (item.kept == "presence" and bool(pattern("kin").search(item.quote)))
    return f"{header}: {text}" if header and not says_so else text


def _is_listed_with(best: Evidence, other: Evidence) -> bool:
    """Whether both stand in one section of one note, and the other was kept for that."""
    return other.kept == "neighbour" and other.key == best.key


def _worth_showing(asked: Interpretation, evidence: Sequence[Evidence], by_document: bool) -> Sequence[Evidence]:
    """The best, its corrections in any case, what is not far weaker, and perhaps each document's strict best."""
    if not evidence or evidence[0].kept == "presence":
        return evidence  # all of it is the answer: half of it would say that there is no more
    best, corrections = evidence[0], [e for e in evidence if e.kept == "correction"]
    rest = [e for e in evidence[1:] if e.kept != "correction"]
    own = _first_of_others(best, rest) if by_document else []
    worth = [
        e
        for e in rest
        if e.probability >= WORTH_SHOWING * best.probability or _is_listed_with(best, e) or any(e is o for o in own)
    ]
    if asked.kind in ("latest", "first"):
        worth = [e for e in worth if e.key == best.key]  # another note's value is not the latest
    return [best, *corrections, *worth][:MAX_SENTENCES]


def _first_of_others(best: Evidence, rest: Sequence[Evidence]) -> list[Evidence]:
    """The first strict sentence of each document but that of the best."""
    strict = [e for e in rest if e.kept == "strict" and e.key != best.key]
    return list({e.key: e for e in reversed(strict)}.values())[::-1]
