"""What a door for programs needs of a book: the part of its methods that the tools call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    import threading

    from chartcite.core.answer import Answer, Audience
    from chartcite.core.stored import PartitionSummary
    from chartcite.library.found import FoundPassage
    from chartcite.records.timeline import Timeline
    from chartcite.verification.answers import Recheck


class Records(Protocol):
    """A book that lets through what was granted; see `Book` for the methods."""

    def ask(
        self,
        question: str,
        *,
        patient: str | None = None,
        collection: str | None = None,
        narrative: str = "",
        as_of: str | None = None,
        cancel: threading.Event | None = None,
        audience: Audience = "clinician",
    ) -> Answer:
        """An answer with its citations."""
        ...

    def search(
        self,
        query: str,
        *,
        patient: str | None = None,
        collection: str | None = None,
        as_of: str | None = None,
        order: Literal["rank", "time"] = "rank",
    ) -> list[FoundPassage]:
        """The best passages."""
        ...

    def timeline(self, topic: str = "", *, patient: str, as_of: str | None = None) -> Timeline:
        """What was measured and taken by day."""
        ...

    def verify_answer(self, stored: Mapping[str, Any]) -> Sequence[Recheck]:
        """A stored answer against the documents of today."""
        ...

    def patients(self) -> list[PartitionSummary]:
        """The patients let through."""
        ...

    def collections(self) -> list[PartitionSummary]:
        """The collections let through."""
        ...
