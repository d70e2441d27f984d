"""What an audit trail is told of one use of a partition: who, what, whose, with what outcome; never any text of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from chartcite.core.scope import Scope

Action = Literal[
    "ask", "choose", "span", "table", "search", "rank", "grade", "timeline", "verify", "deidentify", "model", "ingest",
    "delete", "report", "prune", "document", "documents", "feedback", "export", "access", "enter",
]  # fmt: skip
Outcome = Literal["begun", "answered", "abstained", "done", "refused", "failed"]


@dataclass(frozen=True, slots=True)
class Event:
    """One use. The trail keeps a keyed hash of `asked`, and pseudonyms of the scope and of the documents.

    Attributes:
        action: what was done, or tried.
        outcome: `refused` for a named error, `failed` for one without a name; `begun` stands first where a result is
            seen before the use ends, or cannot be undone.
        scope: whose record; None for what is about no one partition.
        asked: the question, query or topic.
        documents: doc_ids of what was shown.
        model: names of the models that took part, empty for rules alone.
        reason: why there is no answer: a reason of abstention, or the kind of an error.
    """

    action: Action
    outcome: Outcome
    scope: Scope | None = None
    asked: str = ""
    documents: Sequence[str] = ()
    model: str = ""
    reason: str = ""


class Witness(Protocol):
    """Whoever keeps events. What it could not keep must not be shown to anybody."""

    def record(self, event: Event) -> None:
        """Keep it for good before returning.

        Raises:
            StoreError: it cannot be kept.
        """

    def forget(self, scope: Scope) -> None:
        """Lose the clear names behind the pseudonyms of a partition and of its documents."""
