"""How well an answer is cited: strict precision and recall in ALCE's sense, lenient recall, and what was left unused.

- strict recall: the share of sentences that all their citations together carry;
- strict precision: the share of citations that are needed: their sentence is carried, and this citation carries it
  alone or it is not carried without it (ALCE: Gao et al., EMNLP 2023, section 4.2; rules in the place of its model);
- lenient recall: the share of sentences carried by all evidence that the writer was given, cited or not;
- omitted: evidence of the highest grades that no sentence cites.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source


@dataclass(frozen=True, slots=True)
class CitationQuality:
    """Counts, and the shares made of them; a share of nothing is None."""

    sentences: int
    carried: int
    citations: int
    needed: int
    carried_by_all: int | None
    omitted: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """For `--json`, with the reason where a figure is undefined."""
        return {
            "strict": {
                "recall": _share(self.carried, self.sentences), "precision": _share(self.needed, self.citations),
                "sentences": self.sentences, "citations": self.citations,
            },
            "lenient": {
                "recall": None if self.carried_by_all is None else _share(self.carried_by_all, self.sentences),
                "why": "the evidence cannot be read" if self.carried_by_all is None else "",
            },
            "omitted": list(self.omitted),
        }  # fmt: skip


def citation_quality(
    sentences: Sequence[tuple[str, Sequence[Source]]],
    evidence: Sequence[Source] | None = None,
    essential: Sequence[str] = (),
) -> CitationQuality:
    """Measure an answer.

    Args:
        sentences: each with what it cites.
        evidence: all that the writer was given; None if it is not known.
        essential: ids of evidence that an answer should use, as far as they are known.
    """
    carried = needed = by_all = 0
    for text, cited in sentences:
        holds = check_claim(text, cited).verified
        carried += holds
        needed += sum(_is_needed(text, cited, n) for n in range(len(cited))) if holds else 0
        by_all += holds or (evidence is not None and check_claim(text, evidence).verified)
    used = {source.id for _, cited in sentences for source in cited}
    return CitationQuality(
        len(sentences), carried, sum(len(cited) for _, cited in sentences), needed,
        None if evidence is None else by_all, tuple(name for name in essential if name not in used),
    )  # fmt: skip


def _is_needed(text: str, cited: Sequence[Source], n: int) -> bool:
    rest = [source for i, source in enumerate(cited) if i != n]
    return check_claim(text, [cited[n]]).verified or not check_claim(text, rest).verified


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
