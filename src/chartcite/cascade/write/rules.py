"""Writing by rules: the best evidence sentences, word for word, within the word limit. Nothing can be invented."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chartcite.core.answer import Evidence, Interpretation
from chartcite.text.limits import soft_cut
from chartcite.text.quoting import as_statement

MAX_SENTENCES = 4
WORTH_SHOWING = 0.5


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer sentence before its check, with the evidence it quotes."""

    text: str
    evidence: Evidence


def write(
    asked: Interpretation, evidence: Sequence[Evidence], limit_words: int, order: str, fallback: Callable[[str], None]
) -> list[Draft]:
    """Quote the evidence, most useful first, while the words last; then put it in time order.

    Args:
        asked: its kind says how many sentences are wanted.
        evidence: kept evidence, most useful first.
        limit_words: most words of the whole answer.
        order: `time` or `rank`.
        fallback: told when a sentence had to be cut.
    """
    drafts: list[Draft] = []
    left = limit_words
    for item in _worth_showing(asked, evidence):
        text = as_statement(item.quote)
        words = len(text.split())
        if words > left:
            if drafts:
                continue
            text = soft_cut(text, left)
            words = len(text.split())
            fallback("cut_to_word_limit")
        drafts.append(Draft(text, item))
        left -= words
    if order == "time":
        drafts.sort(key=lambda d: (d.evidence.sort_key, d.evidence.doc_id, d.evidence.start))
    return drafts


def _worth_showing(asked: Interpretation, evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    if not evidence:
        return []
    best = evidence[0]
    worth = [e for e in evidence if e.probability >= WORTH_SHOWING * best.probability]
    if asked.kind in ("latest", "first"):
        worth = [e for e in worth if e.key == best.key]  # another note's value is not the latest
    return worth[:MAX_SENTENCES]
