"""Every use of a partition is told to the store's audit trail before its result is given away, refusals too."""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from chartcite.core.audit import Action, Event, Outcome, Witness
from chartcite.core.errors import AuditKeyMissing, ChartciteError
from chartcite.core.scope import Scope
from chartcite.store import audit


class _Told(Protocol):
    """An answer in any form."""

    def to_dict(self) -> dict[str, Any]: ...


@dataclass(slots=True)
class Use:
    """What becomes of one use; its block fills it in."""

    action: Action
    asked: str = ""
    scope: Scope | None = None
    outcome: Outcome = "done"
    documents: dict[str, None] = field(default_factory=dict)
    model: str = ""
    reason: str = ""

    def showed(self, doc_ids: Iterable[str]) -> None:
        """Documents of which something will be seen."""
        self.documents.update(dict.fromkeys(doc_ids))

    def told(self, found: _Told) -> None:
        """What an answer shows, whoever wrote it, or why there is none."""
        content = found.to_dict()
        self.showed(_doc_ids(content))
        self.outcome = "abstained" if content.get("abstained", content.get("is_impossible")) else "answered"
        self.reason = str(content.get("reason") or "")
        self.model = str((content.get("writer") or {}).get("model") or "")

    def event(self) -> Event:
        """As the trail keeps it."""
        return Event(self.action, self.outcome, self.scope, self.asked, tuple(self.documents), self.model, self.reason)


@contextmanager
def witnessed(witness: Witness | None, use: Use, *, first: bool = False) -> Iterator[Use]:
    """One use, told when its block ends; `first`: before it begins as well, since its result cannot be held back."""
    if witness is None:
        yield use
        return
    if first:
        witness.record(Event(use.action, "begun", use.scope, use.asked))
    try:
        yield use
    except ChartciteError as error:
        use.outcome, use.reason = "refused", error.kind
        witness.record(use.event())
        raise
    except GeneratorExit:  # whoever took the rows wants no more of them
        witness.record(use.event())
        raise
    except BaseException as error:
        use.outcome, use.reason = "failed", type(error).__name__
        witness.record(use.event())
        raise
    witness.record(use.event())


def witness_of(folder: Path, key_file: str, who: str | None) -> audit.AuditTrail | None:
    """The trail of a store; None where there shall be none.

    Raises:
        AuditKeyMissing: the store has a trail, and no key was named.
    """
    if key_file:
        return audit.AuditTrail(folder, Path(key_file), who or pwd.getpwuid(os.geteuid()).pw_name)
    if (folder / audit.FILE).exists():
        raise AuditKeyMissing(
            "This store is audited, and no key of its trail was named.", "Set audit_key to the key's file."
        )
    return None


def _doc_ids(content: object) -> Iterator[str]:
    if isinstance(content, dict):
        for name, value in content.items():
            if name == "doc_id" and isinstance(value, str):
                yield value
            else:
                yield from _doc_ids(value)
    elif isinstance(content, list | tuple):
        for value in content:
            yield from _doc_ids(value)
