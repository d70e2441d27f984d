"""A passage that a search found, with every place where its text stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """Where the text stands: `text[start:end]` of that document."""

    doc_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """One distinct text of a ranking.

    Attributes:
        score: of the last stage that ordered it, higher is better.
        title, note_type, time, page: of the first place.
        places: oldest document first.
        parts: rank and score in each list that contributed, by the list's name.
    """

    rank: int
    score: float
    text: str
    title: str
    note_type: str
    time: str | None
    page: int | None
    places: tuple[FoundPlace, ...]
    parts: Mapping[str, tuple[int, float]]

    def to_dict(self) -> dict[str, Any]:
        """For `--json`: the first place on top, all of them below."""
        first = self.places[0]
        return {
            "rank": self.rank, "score": self.score, "doc_id": first.doc_id, "start": first.start, "end": first.end,
            "text": self.text, "title": self.title, "note_type": self.note_type, "time": self.time, "page": self.page,
            "places": [{"doc_id": p.doc_id, "start": p.start, "end": p.end} for p in self.places],
            "lists": {name: {"rank": rank, "score": score} for name, (rank, score) in self.parts.items()},
        }  # fmt: skip
