"""txtai: one Embeddings database with content and a hybrid index, asked in its SQL with a condition on the patient.

As its documentation shows: neuml.github.io/txtai, "Query guide" (`similar` with bind parameters, candidates and
weights) and "Embeddings configuration" (`content`, `hybrid`). Conditions are applied to the candidates of `similar`,
by default ten times the limit: with several patients that can leave fewer than asked for, so every passage is a
candidate here, and `default` is how it comes. `dense` is the hybrid index with all weight on the vectors.
"""

from __future__ import annotations

from pathlib import Path

from txtai import Embeddings

PACKAGES = ("txtai", "faiss-cpu", "torch")
_SIMILAR = {
    "dense": "similar(:query, {n}, 1.0)",
    "hybrid": "similar(:query, {n}, 0.5)",
    "default": "similar(:query)",
}


class Engine:
    """See the module."""

    modes = ("dense", "hybrid", "default")

    def __init__(self, model: Path, work: Path, setting: str) -> None:
        self._file = str(work / "index")
        self._embeddings = Embeddings(path=str(model), content=True, hybrid=True)
        self._n = 0

    def ingest(self, passages: list[dict[str, str]]) -> None:
        self._embeddings.index((p["id"], {"text": p["text"], "patient": p["patient"]}, None) for p in passages)
        self._embeddings.save(self._file)
        self._n = len(passages)

    def search(self, mode: str, query: str, patient: str, k: int) -> list[str]:
        similar = _SIMILAR[mode].format(n=self._n)
        sql = f"select id, score from txtai where {similar} and patient = :patient"
        found = self._embeddings.search(sql, limit=k, parameters={"query": query, "patient": patient})
        return [row["id"] for row in found]
