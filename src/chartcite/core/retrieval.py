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
        parts: rank and score in each list that contributed, by the list's name. `first_stage` is the place before
            reranking; `parent` and `neighbour` say which note or hit took in a passage.
    """

    passage: int
    rank: int
    score: float
    places: tuple[Place, ...]
    parts: Mapping[str, tuple[int, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How to rank passages.

    Attributes:
        method: first stage, and what is done with its hits; a file of `retrieval/methods`.
        rerank: `fused` (late interaction joins the lists), `cross` (cross-encoder), `none`.
        fusion: `rrf` (reciprocal ranks) or `convex` (scores brought to [0, 1]).
        top_k: passages ranked, before any expansion.
        rrf_k: the constant of reciprocal rank fusion.
        weights: of a list by its name, where it is not 1.
        rerank_depth: how many of the first stage are reranked.
        parents: notes that `hierarchical` takes in whole.
        neighbours: passages before and after a hit that `neighbours` takes in.
        max_tokens: budget of what `full_context`, `hierarchical` and `neighbours` take in; 0 for none.
    """

    method: str = "hybrid"
    rerank: str = "fused"
    fusion: str = "convex"
    top_k: int = 20
    rrf_k: int = 60
    weights: Mapping[str, float] = field(default_factory=lambda: {"late": 2.0})
    rerank_depth: int = 100
    parents: int = 5
    neighbours: int = 1
    max_tokens: int = 0

    def weight(self, name: str) -> float:
        """The weight of a list."""
        return self.weights.get(name, 1.0)
