"""Draft: an answer sentence before its check."""

from __future__ import annotations

from dataclasses import dataclass

from chartcite.core.answer import Evidence


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer sentence with the evidence that it rests on, as its writer says.

    `is_quote`: the text is the first evidence's own, so that other evidence with the same words may stand beside it.
    """

    text: str
    evidence: Evidence
    also: tuple[Evidence, ...] = ()
    is_quote: bool = True

    @property
    def sources(self) -> tuple[Evidence, ...]:
        """All its evidence."""
        return (self.evidence, *self.also)
