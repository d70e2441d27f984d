"""What came of one computation of a claim: it holds, it is wrong, or what is cited leaves it open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from chartcite.core.documents import Span
from chartcite.verification.verdicts import VetoKind


class Located(Protocol):
    """Something that a cited sentence states."""

    @property
    def source_id(self) -> str:
        """Which source."""

    @property
    def span(self) -> Span:
        """Where in its text."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`holds` is None where nothing follows. A wrong one says what is otherwise, where in the claim and the source.

    `at` counts in the sentence of the claim; `why` holds no text of either.
    """

    holds: bool | None
    kind: VetoKind = "number"
    why: str = ""
    at: tuple[int, int] = (0, 0)
    source: Located | None = None
    sources: frozenset[str] = frozenset()


OPEN = Finding(None)


def wrong(kind: VetoKind, why: str, at: tuple[int, int], source: Located | None) -> Finding:
    """A computation that comes out otherwise."""
    return Finding(False, kind, why, at, source)
