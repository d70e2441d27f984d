"""Words of retrieval: how to search, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Place(NamedTuple):
    """Where a text stands: the store's number of the document, and the span in its text."""

    document: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Hit:
    """One passage of a ranking.

    Attributes:
        passage: number of the distinct text in the partition's index.
        rank: from 1.
        score: of the last stage that ordered it, higher is better.
        places: where the text stands, oldest document first; equal texts are one hit.
        parts: rank and score in each list that contributed, by the list's name.
    """

    passage: int
    rank: int
    score: float
    places: tuple[Place, ...]
    parts: Mapping[str, tuple[int, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How to rank passages. `top_k` is a depth; `rrf_k` is the constant of reciprocal rank fusion."""

    method: str = "hybrid"
    rerank: str = "fused"
    top_k: int = 20
    rrf_k: int = 60
    late_weight: float = 2.0
    rerank_depth: int = 100
