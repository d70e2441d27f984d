"""The passages of a partition at the reader's state, as the store has them: what the cluster must hold."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chartcite.core.stored import Recipe
from chartcite.index.opensearch.connection import Json

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chartcite.store.reader import PartitionReader


@dataclass(frozen=True, slots=True)
class Present:
    """All texts of all documents, evidence or not.

    Attributes:
        keys: int64 [n], the store's number of each text, ascending.
        digests: int64 [n], the first 8 bytes of its SHA-256, which tell it from a later text of the same number.
        places: int64 [p, 4], (text key, document key, start, end) in the order of the record.
    """

    keys: NDArray[np.int64]
    digests: NDArray[np.int64]
    places: NDArray[np.int64]

    @property
    def digest(self) -> str:
        """Of the set of texts."""
        return hashlib.sha256(self.keys.tobytes() + self.digests.tobytes()).hexdigest()[:16]


def present(reader: PartitionReader, recipe: Recipe) -> Present:
    """Read what stands where.

    Raises:
        StoreMismatch: some document was never prepared under this recipe.
    """
    places = np.concatenate([np.zeros((0, 4), np.int64), *reader.walk(recipe)])
    keys = np.unique(places[:, 0])
    numbers, digests = reader.short_digests()
    return Present(keys, digests[np.searchsorted(numbers, keys)], places)


def identifier(owner: str, key: int, digest: int) -> str:
    """`_id` of a passage: what it is, so that it is never there twice."""
    return f"{owner}-{key}-{digest & 0xFFFFFFFFFFFFFFFF:016x}"


def routing(owner: str, key: int, slots: int) -> str:
    """On which shard it lies: a patient's passages together, those of a collection spread over slots."""
    return owner if slots == 1 else f"{owner}.{key % slots}"


def routings(owner: str, slots: int) -> str:
    """All routing values of a partition."""
    return owner if slots == 1 else ",".join(f"{owner}.{slot}" for slot in range(slots))


def sources(
    reader: PartitionReader, recipe: Recipe, owner: str, keys: Sequence[int], digests: Sequence[int]
) -> list[Json]:
    """What is sent of some texts; `since` is the reader's state.

    Raises:
        StoreMismatch: a text lacks something.
    """
    made = []
    for key, digest, stored in zip(keys, digests, reader.derived(keys, recipe), strict=True):
        _, terms, counts, vector = stored
        numbers = np.repeat(np.frombuffer(terms, np.int64), np.frombuffer(counts, np.uint16))
        made.append({
            "owner": owner, "text": key, "digest": digest, "since": reader.seq, "length": len(numbers),
            "terms": " ".join(map(str, numbers.tolist())), "vector": base64.b64encode(vector).decode(),
        })  # fmt: skip
    return made
