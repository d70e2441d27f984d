"""Cluster: what the library asks of OpenSearch. Makes indexes, brings partitions up to date, opens and forgets them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from chartcite.core.errors import EndpointFailed, StoreMismatch
from chartcite.core.stored import Recipe
from chartcite.index.lexical import Bm25
from chartcite.index.opensearch.connection import Address, Connection
from chartcite.index.opensearch.feeding import Fed, Feeder
from chartcite.index.opensearch.index import OpenSearchIndex
from chartcite.index.opensearch.passages import present
from chartcite.index.opensearch.schema import make, passages_pattern, states_index
from chartcite.index.opensearch.states import States

if TYPE_CHECKING:
    from chartcite.store.reader import PartitionReader


class Cluster:
    """One store's part of a cluster. Threads may share it."""

    def __init__(self, address: Address) -> None:
        self._connection = Connection(address)

    def close(self) -> None:
        """Close all sockets."""
        self._connection.close()

    def refresh(self, reader: PartitionReader, recipe: Recipe, *, afresh: bool = False) -> Fed:
        """Bring a partition to the reader's state; nothing is sent of what is there.

        Args:
            reader: of the partition, which has a secret.
            recipe: whose passages.
            afresh: take all away first.

        Raises:
            EndpointFailed: the cluster cannot be reached or does not take it.
            StoreMismatch: some document was never prepared under this recipe.
            StoreLocked: another process is at it.
        """
        wanted, owner = present(reader, recipe), owner_of(reader)
        alias = make(self._connection, recipe)
        states = States(self._connection, owner, alias)
        if not afresh and states.read().holds(reader.seq, wanted.digest):
            return Fed(0, 0)
        with states.alone() as lease:
            if not afresh and lease.held.holds(reader.seq, wanted.digest):
                return Fed(0, 0)
            if not afresh and reader.seq < max(lease.held.states, default=0):
                raise _overtaken()
            feeder = Feeder(self._connection, alias, owner, lease)
            return feeder.feed(reader, recipe, wanted, self._slots(reader), afresh=afresh)

    def open(self, reader: PartitionReader, recipe: Recipe, parameters: Bm25) -> OpenSearchIndex:
        """A partition's index at the reader's state, which is brought into the cluster if need be.

        Raises:
            as `refresh`; StoreDamaged: the cluster holds something else than the store.
        """
        self.refresh(reader, recipe)
        wanted, owner = present(reader, recipe), owner_of(reader)
        alias = make(self._connection, recipe)
        states = States(self._connection, owner, alias)
        return OpenSearchIndex(self._connection, states, alias, owner, wanted, reader, recipe, parameters)

    def owner(self, reader: PartitionReader) -> str | None:
        """The name under which a partition is held; None if it never was."""
        return owner_of(reader) if reader.secret() else None

    def forget(self, owner: str) -> None:
        """Take away all passages and states of a partition, under all recipes.

        Raises:
            EndpointFailed: the cluster cannot be reached, or did not delete all of it.
        """
        pattern = passages_pattern(self._connection)
        for name in sorted(self._connection.find(f"/{pattern}") or {}):
            self._connection.ask("POST", f"/{name}/_refresh")
            said = self._connection.ask(
                "POST", f"/{name}/_delete_by_query", {"query": {"term": {"owner": owner}}},
                {"conflicts": "proceed", "refresh": "true"},
            )  # fmt: skip
            if said.get("failures") or said.get("version_conflicts"):
                raise EndpointFailed("OpenSearch did not delete all passages.", "Run the same command again.")
            if said.get("deleted"):  # deleted documents stay in their segment until it is written anew
                self._connection.ask("POST", f"/{name}/_forcemerge", None, {"only_expunge_deletes": "true"})
            States(self._connection, owner, name.rpartition("-")[0]).forget()

    def version(self) -> tuple[int, ...]:
        """Of the server.

        Raises:
            EndpointFailed: it cannot be reached, is no OpenSearch, or too old.
        """
        return self._connection.version()

    def count(self) -> int:
        """How many passages the cluster holds of this store, of all partitions and recipes."""
        return int(self._connection.ask("GET", f"/{passages_pattern(self._connection)}/_count")["count"])

    def remove(self) -> None:
        """Take everything of this store away, index and all; it can be made again from the store."""
        for name in (passages_pattern(self._connection), states_index(self._connection)):
            for index in sorted(self._connection.find(f"/{name}") or {}):
                self._connection.ask("DELETE", f"/{index}")

    def _slots(self, reader: PartitionReader) -> int:
        """A patient is on one shard; a collection may be larger than a machine."""
        return 1 if reader.scope.kind == "patient" else self._connection.address.shards


def owner_of(reader: PartitionReader) -> str:
    """The name of a partition in the cluster: follows from its secret, is no other store's, and tells nobody whose.

    Raises:
        StoreMismatch: the partition has no secret yet.
    """
    secret = reader.secret()
    if secret is None:
        raise StoreMismatch(f"This {reader.scope.kind} was never brought into OpenSearch.", "Run `chartcite index`.")
    return hashlib.sha256(b"chartcite index\0" + secret).hexdigest()[:32]


def _overtaken() -> StoreMismatch:
    return StoreMismatch(
        "OpenSearch holds a later state of this partition than the store.",
        "Ask again; if it stays so, as after a restored backup, run `chartcite index`.",
    )
