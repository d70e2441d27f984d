"""Account of one question: what its calls cost, stage by stage, and what happened on the wire."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from chartcite.core.chat import ChatReply, Usage


@dataclass(slots=True)
class Account:
    """Safe to write to from several threads; nothing in it depends on which of them came first.

    Attributes:
        asked: requests that the budget let through, answered by an endpoint or from the store.
    """

    asked: int = 0
    _usage: dict[str, Usage] = field(default_factory=dict)
    _notes: Counter[str] = field(default_factory=Counter)
    _hidden: dict[str, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def called(self, stage: str, reply: ChatReply | None, seconds: float) -> None:
        """A request went to an endpoint; None where it failed."""
        with self._lock:
            used = self._usage.get(stage, Usage())
            self._usage[stage] = replace(
                used,
                calls=used.calls + 1,
                prompt_tokens=_sum(used.prompt_tokens, reply.prompt_tokens if reply else None),
                completion_tokens=_sum(used.completion_tokens, reply.completion_tokens if reply else None),
                seconds=used.seconds + seconds,
            )

    def known(self, stage: str) -> None:
        """A request was answered from the store."""
        with self._lock:
            used = self._usage.get(stage, Usage())
            self._usage[stage] = replace(used, cached=used.cached + 1)

    def note(self, names: Iterable[str]) -> None:
        """Something that the answer must tell."""
        with self._lock:
            self._notes.update(names)

    def take_notes(self) -> dict[str, int]:
        """What was noted since the last time, by name with how often; for whoever writes it beside each result."""
        with self._lock:
            taken, self._notes = dict(sorted(self._notes.items())), Counter()
        return taken

    def hidden(self, counts: Mapping[str, int]) -> None:
        """How many things of each kind have been hidden from the endpoints so far."""
        with self._lock:
            self._hidden.update({kind: max(count, self._hidden.get(kind, 0)) for kind, count in counts.items()})

    @property
    def usage(self) -> Mapping[str, Usage]:
        """By stage, in order of their names."""
        return dict(sorted(self._usage.items()))

    @property
    def fallbacks(self) -> tuple[Mapping[str, Any], ...]:
        """What was hidden, by kind; then what was noted, with how often, in order of the names."""
        kinds = dict(sorted(self._hidden.items()))
        hidden = ({"name": "deidentified", "count": sum(kinds.values()), "kinds": kinds},) if kinds else ()
        return hidden + tuple({"name": name, "count": count} for name, count in sorted(self._notes.items()))


def _sum(known: int | None, more: int | None) -> int | None:
    return known if more is None else (known or 0) + more
