"""Text that a record has more than once: copied forward from note to note."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


class Occurrence(NamedTuple):
    """A document that has a sentence; `day` as precise as its time, None without one."""

    doc_id: str
    day: str | None

    def to_dict(self) -> dict[str, str | None]:
        """The schema's form."""
        return {"doc_id": self.doc_id, "day": self.day}


@dataclass(frozen=True, slots=True)
class AlsoIn:
    """Where else a cited sentence stands in its record, word for word but for white space and case.

    Attributes:
        count: further documents that have it.
        first, latest: of all that have it, the cited one among them, by the order of the record.
        later: how many come after the cited one.
    """

    count: int
    first: Occurrence
    latest: Occurrence
    later: int

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "count": self.count, "first": self.first.to_dict(), "latest": self.latest.to_dict(), "later": self.later,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class CopiedShare:
    """How much of a record is copied forward.

    Attributes:
        sentences: all, without headers.
        copied: those that an earlier document has too.
    """

    sentences: int
    copied: int

    @property
    def share(self) -> float | None:
        """From 0 to 1; None where there are no sentences."""
        return self.copied / self.sentences if self.sentences else None

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        share = self.share
        return {
            "sentences": self.sentences, "copied": self.copied, "share": None if share is None else round(share, 4),
        }  # fmt: skip
