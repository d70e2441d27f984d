"""Trace: what happened on the way from question to answer. Fallbacks have names and counts, stages their time."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Trace:
    """What happened on the way: fallbacks by name, and the time of each stage."""

    fallbacks: list[Mapping[str, Any]] = field(default_factory=list)
    timings_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage; one that comes again adds to its time."""
        start = time.perf_counter()
        try:
            yield
        finally:
            took = (time.perf_counter() - start) * 1000
            self.timings_ms[name] = round(self.timings_ms.get(name, 0.0) + took, 2)

    def fallback(self, name: str, count: int = 1) -> None:
        """A fallback is named and counted, never silent; one that comes again adds to its count."""
        for n, known in enumerate(self.fallbacks):
            if known["name"] == name:
                self.fallbacks[n] = {"name": name, "count": known["count"] + count}
                return
        self.fallbacks.append({"name": name, "count": count})

    def readings(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Misspelt words that were read as others, both shown."""
        read = [{"written": written, "read": read} for written, read in pairs]
        self.fallbacks.append({"name": "read_as", "count": len(pairs), "words": read})
