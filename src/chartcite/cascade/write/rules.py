"""Writing by rules: the best evidence sentences, word for word, within the word limit.

`select` decides what is evidence (strict, else lenient, else the first three) and whether there is enough of it;
`write` quotes it. Nothing is rephrased, so nothing can be invented.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from chartcite.cascade.score.rules import Scored
from chartcite.core.answer import Evidence, Interpretation, Kept
from chartcite.retrieval.candidates import Bookshelf
from chartcite.text.limits import soft_cut
from chartcite.text.quoting import as_statement

STRICT, LENIENT = 4, 3
MAX_SENTENCES = 4
FALLBACK_SENTENCES = 3
Fallback = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer sentence before its check, with the evidence it quotes."""

    text: str
    evidence: Evidence


def write(asked: Interpretation, evidence: Sequence[Evidence], limit_words: int, order: str, fallback: Fallback) -> list[Draft]:
    """Quote the evidence, most relevant first, while the words last; then put it in time order.

    Args:
        asked: for the order that the kind of question wants.
        evidence: kept evidence, most relevant first.
        limit_words: most words of the whole answer.
        order: `time` or `rank`.
        fallback: told when a sentence had to be cut.
    """
    drafts: list[Draft] = []
    left = limit_words
    for item in evidence[:MAX_SENTENCES]:
        text = as_statement(item.quote)
        words = len(text.split())
        if words > left:
            if drafts:
                continue
            text = soft_cut(text, left)
            words = len(text.split())
            fallback("cut_to_word_limit", 1)
        drafts.append(Draft(text, item))
        left -= words
    if order == "time":
        drafts.sort(key=lambda d: (d.evidence.sort_key, d.evidence.doc_id, d.evidence.start))
    return drafts


def select(
    asked: Interpretation,
    scored: Sequence[Scored],
    shelf: Bookshelf,
    covers: Callable[[str], float],
    fallback: Fallback,
) -> list[Evidence]:
    """The evidence to answer from, most relevant first; empty when there is not enough.

    Args:
        asked: the question's kind and focus.
        scored: all graded candidates, best first.
        shelf: for the documents' ids.
        covers: share of the question's focus words, weighted by rarity, that a text has.
        fallback: told which rung of strict, lenient, first three was used.
    """
    raise NotImplementedError
