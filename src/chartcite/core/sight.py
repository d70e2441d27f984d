"""Sight: which documents of a partition may be evidence, by doc_id. What is out of sight is as if it were not there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Sight:
    """`only` these, where it is not None; and never those of `without`.

    >>> Sight.of(without=["a"]).shows("a"), Sight().shows("a")
    (False, True)
    """

    only: frozenset[str] | None = None
    without: frozenset[str] = frozenset()

    @classmethod
    def of(cls, only: Collection[str] | None = None, without: Collection[str] = ()) -> Self:
        """From any collections of doc_ids."""
        return cls(None if only is None else frozenset(only), frozenset(without))

    @property
    def is_whole(self) -> bool:
        """Whether nothing is hidden."""
        return self.only is None and not self.without

    def shows(self, doc_id: str) -> bool:
        """Whether a document may be evidence."""
        return doc_id not in self.without and (self.only is None or doc_id in self.only)
