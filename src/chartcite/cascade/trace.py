"""Trace: what happened on the way from question to answer. Fallbacks have names and counts, stages their time."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from chartcite.core.answer import AnswerSentence
from chartcite.core.listener import Listener


@dataclass(slots=True)
class Trace:
    """What happened on the way: fallbacks by name, and the time of each stage.

    Attributes:
        listener: told of stages and of sentences that will be shown; None: nobody listens.
    """

    listener: Listener | None = None
    fallbacks: list[Mapping[str, Any]] = field(default_factory=list)
    timings_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage; one that comes again adds to its time."""
        if self.listener is not None:
            self.listener.stage(name)
        start = time.perf_counter()
        try:
            yield
        finally:
            took = (time.perf_counter() - start) * 1000
            self.timings_ms[name] = round(self.timings_ms.get(name, 0.0) + took, 2)

    def shown(self, sentences: Sequence[AnswerSentence]) -> None:
        """These sentences will be in the answer, whatever comes; those that did not pass are not announced."""
        for sentence in sentences:
            if self.listener is not None and sentence.verified:
                self.listener.sentence(sentence)

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
