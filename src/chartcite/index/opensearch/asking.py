"""The requests of a search: which passages count, how often terms occur in them, and the best by a script's score.

The cluster's own ranking would count a term's frequency over the patients of a shard and keep lengths in a byte. So it
is not used: the scripts compute the same formulas as the exact arrays do, with the partition's own statistics.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chartcite.index.opensearch.connection import Connection, Json, in_batches
from chartcite.index.opensearch.passages import routings

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PAGE = 10_000
_IN_LIST = 60_000  # of 65,536 values that a query may list

# BM25 as in index/lexical.py. Lucene keeps the sum in single precision: whoever asks scores the best once more.
LEXICAL = (
    "double s = 0; double held = params.k1 * (1.0 - params.b + params.b * doc['length'].value / params.mean);"
    " for (int i = 0; i < params.terms.length; i++) {"
    " double tf = termFreq('terms', params.terms[i]);"
    " if (tf > 0) { s += params.weights[i] * tf / (tf + held); } } return s;"
)
# Cosine of unit vectors, plus 1, as no score may be negative.
DENSE = (
    "BytesRef kept = doc['vector'].value; byte[] d = kept.bytes; int o = kept.offset; List q = params.query;"
    " double s = 0; for (int i = 0; i < q.size(); i++) {"
    " s += Float.intBitsToFloat((d[o] & 255) | ((d[o + 1] & 255) << 8) | ((d[o + 2] & 255) << 16) | (d[o + 3] << 24))"
    " * (double) q.get(i); o += 4; } return Math.max(0.0, 1.0 + s);"
)


@dataclass(frozen=True, slots=True)
class Standing:
    """Which passages of the cluster count: the partition's, at the reader's state, less those that are no evidence.

    Attributes:
        owner: names the partition.
        seq: of the reader.
        slots: as the passages are spread.
        without: int64, ascending, texts that stand in no document that may be evidence.
    """

    owner: str
    seq: int
    slots: int
    without: NDArray[np.int64]

    def filters(self) -> list[Json]:
        """As a query's filters."""
        clauses: list[Json] = [{"term": {"owner": self.owner}}, {"range": {"since": {"lte": self.seq}}}]
        if len(self.without):
            clauses.append({"bool": {"must_not": _listed(self.without)}})
        return clauses

    def among(self, texts: NDArray[np.int64]) -> list[Json]:
        """The same, kept to some texts."""
        return [*self.filters(), {"bool": {"should": _listed(texts), "minimum_should_match": 1}}]

    def but(self, texts: NDArray[np.int64]) -> list[Json]:
        """The same, less some texts."""
        return [*self.filters(), {"bool": {"must_not": _listed(texts)}}]


class Asker:
    """Asks the cluster about one partition."""

    def __init__(self, connection: Connection, alias: str, standing: Standing) -> None:
        self._connection, self._alias, self._standing = connection, alias, standing

    def size(self) -> tuple[int, float]:
        """How many passages count, and the sum of their lengths."""
        sums = {"n": {"value_count": {"field": "length"}}, "sum": {"sum": {"field": "length"}}}
        said = self._search({"size": 0, "query": _of(self._standing.filters()), "aggs": sums})["aggregations"]
        return int(said["n"]["value"]), float(said["sum"]["value"])

    def holding(self, numbers: Sequence[int]) -> dict[int, int]:
        """How many passages have each term."""
        counted: dict[int, int] = {}
        for some in in_batches(list(dict.fromkeys(numbers)), 1000):
            filters = {str(n): {"term": {"terms": str(n)}} for n in some}
            body = {
                "size": 0, "query": _of(self._standing.filters()),
                "aggs": {"terms": {"filters": {"filters": filters}}},
            }  # fmt: skip
            buckets = self._search(body)["aggregations"]["terms"]["buckets"]
            counted.update({n: int(buckets[str(n)]["doc_count"]) for n in some})
        return counted

    def best(
        self, script: str, parameters: Json, depth: int, above: float, slack: float, filters: Sequence[Json]
    ) -> NDArray[np.int64]:
        """Texts among which are all of the `depth` best by a script's score.

        Args:
            script: what scores, a constant of this file.
            parameters: its parameters.
            depth: how many.
            above: the least score that counts.
            slack: how much a score may differ from the true one.
            filters: which may be found.
        """
        scored = {"query": _of(filters), "script": {"source": script, "params": parameters}, "min_score": above}
        texts: list[int] = []
        scores: list[float] = []
        for text, score in self._pages({"script_score": scored}, depth):
            if len(texts) >= depth and score < scores[depth - 1] - slack:
                break
            texts.append(text)
            scores.append(score)
        return np.array(texts, np.int64)

    def _pages(self, query: Json, depth: int) -> Iterator[tuple[int, float]]:
        size, after = min(_PAGE, depth + max(10, depth // 10)), None
        while True:
            body: Json = {
                "size": size, "query": query, "sort": [{"_score": "desc"}, {"text": "asc"}],
                "docvalue_fields": ["text"], "track_total_hits": False,
            }  # fmt: skip
            if after is not None:
                body["search_after"] = after
            hits = self._search(body)["hits"]["hits"]
            for hit in hits:
                yield int(hit["fields"]["text"][0]), float(hit["_score"])
            if len(hits) < size:
                return
            after = hits[-1]["sort"]

    def _search(self, body: Json) -> Json:
        """All shards answer, or it is an error: half of a record is no record."""
        parameters = {
            "routing": routings(self._standing.owner, self._standing.slots),
            "allow_partial_search_results": "false", "request_cache": "false",
        }  # fmt: skip
        return self._connection.ask("POST", f"/{self._alias}/_search", body, parameters)


def _of(filters: Sequence[Json]) -> Json:
    return {"bool": {"filter": list(filters)}}


def _listed(texts: NDArray[np.int64]) -> list[Json]:
    return [{"terms": {"text": some}} for some in in_batches(texts.tolist(), _IN_LIST)]
