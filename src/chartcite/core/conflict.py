"""What the search for conflicts exchanges: a further statement of the record, and in what it disagrees with a claim."""

from __future__ import annotations

from dataclasses import dataclass

from chartcite.core.documents import Span


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of the record: its text, the headers it stands under, its document's ISO date (or empty)."""

    text: str
    section: tuple[str, ...] = ()
    date: str = ""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Which of the other statements says otherwise, in what, and where in its text. `why` holds no text of either."""

    index: int
    kind: str
    why: str
    span: Span
