"""De-identifiers of the partitions of one store: a patient's secret and what the record says of its own names."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from chartcite.core.errors import StoreLocked, StoreUnwritable
from chartcite.core.scope import Scope
from chartcite.core.unseen import seen
from chartcite.deid.deidentifier import Deidentifier
from chartcite.deid.known import RecordFacts, read_record
from chartcite.store.reader import PartitionReader
from chartcite.store.store import Store

_KEPT = 4
_MOST_DOCUMENTS = 20_000
"""A collection of more is not read for its names and words before a question; its authors are known all the same."""
NOT_READ = "record_not_read_for_names"


@dataclass(slots=True)
class Veils:
    """See the module."""

    store: Store
    _facts: OrderedDict[tuple[Scope, int, int], RecordFacts] = field(default_factory=OrderedDict)

    def secret(self, scope: Scope) -> tuple[bytes, bool]:
        """The partition's secret, and whether it is kept; one for this call alone where the store cannot be written.

        Raises:
            UnknownPartition: the store has no such patient or collection.
        """
        try:
            return self.store.secret(scope), True
        except (StoreUnwritable, StoreLocked):
            return os.urandom(32), False

    def maker(
        self, reader: PartitionReader, secret: bytes, note: Callable[[str], None] | None = None
    ) -> Callable[[], Deidentifier]:
        """Makes the partition's de-identifier when it is called; `reader` must be open then.

        Args:
            reader: of the partition.
            secret: of it.
            note: told `NOT_READ` where the partition is too large to be read for its names.
        """

        def make() -> Deidentifier:
            if note and not _is_read(reader):
                note(NOT_READ)
            return Deidentifier(secret, self._read(reader))

        return make

    def forget(self, scope: Scope | None = None) -> None:
        """Keep nothing of a partition in memory; of none at all when None."""
        for key in [key for key in self._facts if scope is None or key[0] == scope]:
            del self._facts[key]

    def _read(self, reader: PartitionReader) -> RecordFacts:
        key = (reader.scope, reader.incarnation, reader.seq)
        if key not in self._facts:
            is_patient = reader.scope.kind == "patient"
            texts = map(seen, reader.all_texts_of_documents()) if _is_read(reader) else iter(())
            labels = [reader.scope.name] if is_patient else []
            self._facts[key] = read_record(texts, labels, reader.authors())
        self._facts.move_to_end(key)
        while len(self._facts) > _KEPT:
            self._facts.popitem(last=False)
        return self._facts[key]


def _is_read(reader: PartitionReader) -> bool:
    """Whether all texts are read: those of a patient always."""
    return reader.scope.kind == "patient" or len(reader.all_keys()) <= _MOST_DOCUMENTS
