"""Bringing a partition into the cluster: what is not there yet is sent, what is no more is taken away.

First it is said that older states can no longer be searched (if anything goes), then passages go and come, then the
index is refreshed and counted, and only then is the new state said to be held. Broken off anywhere, it is begun again.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chartcite.core.errors import EndpointFailed, StoreDamaged
from chartcite.core.stored import Recipe
from chartcite.index.opensearch.connection import Connection, Json, in_batches
from chartcite.index.opensearch.passages import Present, identifier, routing, routings, sources
from chartcite.index.opensearch.states import Lease

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chartcite.store.reader import PartitionReader

_IN_BULK, _AT_ONCE = 1000, 3
_PAGE = 10_000
_TAKEN, _LATER = frozenset({200, 201}), frozenset({429, 502, 503, 504})
_TRIES, _FIRST_WAIT, _LONGEST_WAIT = 10, 0.2, 10.0


@dataclass(frozen=True, slots=True)
class Fed:
    """How many passages were sent and taken away."""

    sent: int
    removed: int


class Feeder:
    """Changes the passages of one partition under one recipe."""

    def __init__(self, connection: Connection, alias: str, owner: str, lease: Lease) -> None:
        self._connection, self._alias, self._owner, self._lease = connection, alias, owner, lease

    def feed(self, reader: PartitionReader, recipe: Recipe, wanted: Present, slots: int, *, afresh: bool) -> Fed:
        """Have the reader's state in the cluster.

        Raises:
            EndpointFailed: the cluster does not take it.
            StoreDamaged: it took all and holds something else.
        """
        held = self._lease.held
        if afresh or (held.slots != slots and held.states):
            self._lease.put({}, slots)
            self.clear()
            there = np.zeros((0, 2), np.int64)
        else:
            there = self._there(slots)
        pairs = np.column_stack([wanted.keys, wanted.digests])
        new, gone = _without(pairs, there), _without(there, pairs)
        known = {} if len(gone) or not held.states else dict(self._lease.held.states)
        if len(gone):
            self._lease.put({}, slots)
            self._remove(gone, slots)
        self._send(reader, recipe, new, slots)
        self._connection.ask("POST", f"/{self._alias}/_refresh")
        self._count(len(wanted.keys), slots)
        self._lease.put({**known, reader.seq: wanted.digest}, slots)
        return Fed(len(new), len(gone))

    def clear(self) -> None:
        """Take all passages of the partition away."""
        self._connection.ask("POST", f"/{self._alias}/_refresh")  # what is not refreshed is not found, so not deleted
        said = self._connection.ask(
            "POST", f"/{self._alias}/_delete_by_query", {"query": {"term": {"owner": self._owner}}},
            {"conflicts": "proceed", "refresh": "true"},  # on all shards: they may have been spread otherwise
        )  # fmt: skip
        if said.get("failures") or said.get("version_conflicts"):
            raise EndpointFailed("OpenSearch did not delete all passages.", "Run the same command again.")

    def _there(self, slots: int) -> NDArray[np.int64]:
        """(text, digest) of all passages of the partition, int64 [n, 2], by text."""
        self._connection.ask("POST", f"/{self._alias}/_refresh")
        found: list[tuple[int, int]] = []
        after: list[int] | None = None
        while True:
            body: Json = {
                "size": _PAGE, "query": {"term": {"owner": self._owner}}, "sort": [{"text": "asc"}],
                "docvalue_fields": ["text", "digest"], "track_total_hits": False,
            }  # fmt: skip
            if after:
                body["search_after"] = after
            said = self._connection.ask(
                "POST", f"/{self._alias}/_search", body,
                {"routing": routings(self._owner, slots), "allow_partial_search_results": "false"},
            )  # fmt: skip
            hits = said["hits"]["hits"]
            # A text whose number the store gave again may be there twice: both are wanted here, so pages overlap.
            found += [(int(h["fields"]["text"][0]), int(h["fields"]["digest"][0])) for h in hits]
            if len(hits) < _PAGE:
                return np.unique(np.array(found, np.int64).reshape(-1, 2), axis=0)
            after = [int(hits[-1]["sort"][0]) - 1]
            self._lease.renew()

    def _send(self, reader: PartitionReader, recipe: Recipe, pairs: NDArray[np.int64], slots: int) -> None:
        """A few requests are under way at once, while the next is made; never more, so that memory is bounded."""
        under_way: deque[Future[None]] = deque()
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="feed") as threads:
            for batch in in_batches(pairs.tolist(), _IN_BULK):
                keys, digests = [key for key, _ in batch], [digest for _, digest in batch]
                bodies = sources(reader, recipe, self._owner, keys, digests)
                wanted = [
                    (_action("index", self._owner, key, digest, slots), body)
                    for key, digest, body in zip(keys, digests, bodies, strict=True)
                ]
                self._lease.renew()
                while len(under_way) >= _AT_ONCE:
                    under_way.popleft().result()
                under_way.append(threads.submit(self._bulk, wanted))
            for one in under_way:
                one.result()

    def _remove(self, pairs: NDArray[np.int64], slots: int) -> None:
        for batch in in_batches(pairs.tolist(), _IN_BULK):
            self._lease.renew()
            self._bulk([(_action("delete", self._owner, key, digest, slots), None) for key, digest in batch])

    def _bulk(self, wanted: Sequence[tuple[Json, Json | None]]) -> None:
        """Send until all is taken. The server may take some and be too busy for others; only those go again, later."""
        wait, left = _FIRST_WAIT, list(wanted)
        for _ in range(_TRIES):
            said = self._connection.ask(
                "POST", f"/{self._alias}/_bulk", "".join(_lines(left)), {"require_alias": "true"}
            )
            results = [_status(item) for item in said["items"]]
            refused = set(results) - _TAKEN - _LATER
            if refused:
                raise EndpointFailed(
                    f"OpenSearch refuses passages with status {min(refused)}.", "See docs/cluster.md; its log says why."
                )
            left = [item for item, status in zip(left, results, strict=True) if status not in _TAKEN]
            if not left:
                return
            time.sleep(wait)
            wait = min(2 * wait, _LONGEST_WAIT)
        raise EndpointFailed("OpenSearch is too busy to take more passages.", "Run the same command again later.")

    def _count(self, wanted: int, slots: int) -> None:
        said = self._connection.ask(
            "POST", f"/{self._alias}/_count", {"query": {"term": {"owner": self._owner}}},
            {"routing": routings(self._owner, slots)},
        )  # fmt: skip
        if said["_shards"]["failed"] or int(said["count"]) != wanted:
            raise StoreDamaged(
                f"OpenSearch holds {int(said['count']):,} passages of this partition, the store {wanted:,}.",
                "Run `chartcite index`.",
            )


def _action(kind: str, owner: str, key: int, digest: int, slots: int) -> Json:
    return {kind: {"_id": identifier(owner, key, digest), "routing": routing(owner, key, slots)}}


def _status(item: Json) -> int:
    """Of one action of a bulk request; what was to be deleted and is not there is done."""
    kind, said = next(iter(item.items()))
    status = int(said["status"])
    return 200 if kind == "delete" and status == 404 and said.get("result") == "not_found" else status


def _lines(items: Sequence[tuple[Json, Json | None]]) -> Iterator[str]:
    for action, body in items:
        yield json.dumps(action) + "\n"
        if body is not None:
            yield json.dumps(body) + "\n"


def _without(these: NDArray[np.int64], those: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rows of [n, 2] that are not among others."""
    other = set(map(tuple, those.tolist()))
    return np.array([row for row in these.tolist() if tuple(row) not in other], np.int64).reshape(-1, 2)
