"""Draft: an answer sentence before its check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chartcite.core.answer import Evidence


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer sentence with the evidence that it rests on, as its writer says.

    `is_quote`: the text is the first evidence's own, so that other evidence with the same words may stand beside it.
    `places`, `computed`: as `AnswerSentence` has them, of a sentence computed from the timeline; nothing else is linked
    to such a one.
    """

    text: str
    evidence: Evidence
    also: tuple[Evidence, ...] = ()
    is_quote: bool = True
    places: tuple[tuple[int, int], ...] = ()
    computed: Mapping[str, Any] | None = None

    @property
    def sources(self) -> tuple[Evidence, ...]:
        """All its evidence."""
        return (self.evidence, *self.also)
