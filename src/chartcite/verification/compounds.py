"""Two words that are one thing in the claim must stand together somewhere: no `chest x-ray` in `chest clear; x-ray`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product

from chartcite.facts.lexicon import word_set
from chartcite.verification.evidence import Evidence
from chartcite.verification.kinds import kinds
from chartcite.verification.matching import Matched
from chartcite.verification.statuses import word_veto
from chartcite.verification.verdicts import Veto


def compound_vetoes(matched: Sequence[Matched], evidence: Evidence) -> list[Veto]:
    """A veto for a part of the body and what follows it, when no cited sentence has both."""
    if len(evidence.parts) < 2:
        return []
    for first, second in pairwise(matched):
        if not (first.hits and second.hits) or not _is_compound(first, second):
            continue
        pairs = product(first.hits, second.hits)
        if not any(evidence.sentences[a.at] == evidence.sentences[b.at] for a, b in pairs):
            why = "the source says it of something else"
            return [word_veto("binding", second.word, second.hits[0], evidence, why)]
    return []


def _is_compound(first: Matched, second: Matched) -> bool:
    one, other = first.word, second.word
    is_beside = 0 <= other.at - one.at <= 2 and one.segment == other.segment  # 0: the parts of one listed phrase
    return is_beside and "site" in kinds(one.keys) and not _TESTS.isdisjoint(other.text.split())


_TESTS = word_set(
    "ray x-ray xray radiograph film films ct mri mra cta scan ultrasound sonogram us doppler biopsy culture swab "
    "aspirate tap tube drain catheter surgery operation resection radiation radiotherapy exam "
    "examination injection block"
)
