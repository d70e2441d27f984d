"""Whether a claim is a stretch of the cited text, word for word, that means there what it means alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chartcite.facts.lexicon import word_set
from chartcite.facts.tokens import QUANTITY
from chartcite.verification.analysis import Analysed
from chartcite.verification.evidence import alone
from chartcite.verification.matching import look_up, match_words
from chartcite.verification.omissions import omission_vetoes
from chartcite.verification.statuses import dropped_vetoes

_CUT_OFF = word_set(
    "except unless if but until without other than versus vs or ? nor of not no never none negative absent denied"
)


def is_quoted(claim: str, parts: Sequence[Analysed], text: str, sentences: Sequence[Analysed]) -> bool:
    """Whether the claim stands in the text and each of its words is asserted there as it is in the claim.

    `chest pain` out of `denies chest pain` is a quotation that says something else, and so is no support.
    """
    words = claim.strip().removesuffix(".").split()
    if not words:
        return False
    pattern = r"(?<![\w.,/<>=~-])" + r"\s+".join(map(re.escape, words)) + r"(?![\w%/]|[.,:-]\w)"
    return any(_means_the_same(parts, found.span(), sentences) for found in re.finditer(pattern, text))


def _means_the_same(parts: Sequence[Analysed], span: tuple[int, int], sentences: Sequence[Analysed]) -> bool:
    start, end = span
    touched = [s for s in sentences if s.span.start < end and start < s.span.end]
    stated = [_reading(s, start, end) for s in touched]
    claimed = [_reading(p, p.span.start, p.span.end) for p in parts]
    if not touched or [x for r in stated for x in r] != [x for r in claimed for x in r] or not any(claimed):
        return False
    last = touched[-1]
    following = next((t for t in last.tokens if last.span.start + t.start >= end), None)
    if following is not None and (following.text in _CUT_OFF or following.text == QUANTITY):
        return False
    return not any(_leaves_out(part, sentence) for part in parts for sentence in touched)


def _leaves_out(part: Analysed, sentence: Analysed) -> bool:
    """Whether the words around the stretch turn or narrow what it says."""
    evidence = alone("", sentence)
    matched = match_words(part, look_up(evidence))
    return bool(dropped_vetoes(matched, part, evidence) or omission_vetoes(matched, part, evidence))


def _reading(sentence: Analysed, start: int, end: int) -> list[tuple[object, ...]]:
    """Words with status and quantities, in order, between two offsets."""
    out: list[tuple[int, tuple[object, ...]]] = []
    for word in sentence.words:
        if start <= word.span.start and word.span.end <= end:
            out.append((word.at, (word.text, word.status)))
    for measure in sentence.measures:
        q = measure.quantity
        at = sentence.span.start + q.span.start
        if start <= at and sentence.span.start + q.span.end <= end:
            out.append((measure.at, (q.kind, q.low, q.high, q.comparator, q.unit.name, q.when)))
    return [reading for _, reading in sorted(out, key=lambda pair: pair[0])]
