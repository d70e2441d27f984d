"""Of which states of a partition the cluster holds all passages, and who is bringing it up to date.

A state is a sequence number of the store with a digest of the texts that stood then: a store that was set back to a
backup may reach a number again with other texts. One process at a time changes a partition's passages; it says so in
the partition's state document, under the server's own guard against two writers, and for a bounded time.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from chartcite.core.errors import StoreLocked
from chartcite.index.opensearch.connection import Conflict, Connection, Json
from chartcite.index.opensearch.schema import states_index

_LEASE_S = 120.0
_MOST_STATES = 50
_POLL_S = 0.2


@dataclass(frozen=True, slots=True)
class Held:
    """What the cluster holds of a partition.

    Attributes:
        states: digest by sequence number; all of them can be searched.
        slots: over how many routing values the passages are spread.
        working: who changes them now; empty for nobody.
        until: Unix time at which that is over, come what may.
        version: of the document, for the guard.
    """

    states: Mapping[int, str]
    slots: int = 1
    working: str = ""
    until: float = 0.0
    version: tuple[int, int] | None = None

    def holds(self, seq: int, digest: str) -> bool:
        """Whether this state can be searched."""
        return self.states.get(seq) == digest


class States:
    """The state document of one partition under one recipe."""

    def __init__(self, connection: Connection, owner: str, alias: str) -> None:
        self._connection = connection
        self._path = f"/{states_index(connection)}/_doc/{alias}.{owner}"

    def read(self) -> Held:
        """As it is at this moment, whatever has been refreshed."""
        said = self._connection.find(self._path)
        if said is None or not said.get("found", False):
            return Held({})
        state: Json = said["_source"]["state"]
        return Held(
            {int(seq): str(digest) for seq, digest in state["states"].items()}, int(state["slots"]),
            str(state["working"]), float(state["until"]), (int(said["_seq_no"]), int(said["_primary_term"])),
        )  # fmt: skip

    def write(self, held: Held) -> Held:
        """Put a new one in place of the one whose version it carries.

        Raises:
            Conflict: another process was first.
        """
        kept = dict(sorted(held.states.items())[-_MOST_STATES:])
        state = {
            "states": {str(seq): digest for seq, digest in kept.items()}, "slots": held.slots,
            "working": held.working, "until": held.until,
        }  # fmt: skip
        guard: dict[str, Any] = {"op_type": "create"}
        if held.version is not None:
            guard = {"if_seq_no": held.version[0], "if_primary_term": held.version[1]}
        said = self._connection.ask("PUT", self._path, {"state": state}, guard)
        return replace(held, states=kept, version=(int(said["_seq_no"]), int(said["_primary_term"])))

    def forget(self) -> None:
        """Remove it."""
        if self._connection.find(self._path) is not None:
            self._connection.ask("DELETE", self._path)

    @contextmanager
    def alone(self, patience_s: float = 60.0) -> Iterator[Lease]:
        """Change the partition's passages with nobody else doing it.

        Raises:
            StoreLocked: another process is at it, for longer than this waits.
        """
        lease = self._taken(patience_s)
        try:
            yield lease
        finally:
            lease.end()

    def _taken(self, patience_s: float) -> Lease:
        me, last = uuid.uuid4().hex, time.monotonic() + patience_s
        while True:
            held = self.read()
            if not held.working or held.until < time.time():
                try:
                    mine = replace(held, working=me, until=time.time() + _LEASE_S)
                    return Lease(self, self.write(mine))
                except Conflict:
                    continue
            if time.monotonic() > last:
                raise StoreLocked(
                    "Another process is bringing this partition into OpenSearch.",
                    "Wait until it is done, then try again.",
                )
            time.sleep(_POLL_S)


class Lease:
    """The right to change a partition's passages."""

    def __init__(self, states: States, held: Held) -> None:
        self._states = states
        self.held = held

    def renew(self) -> None:
        """Say that the work goes on; call often.

        Raises:
            Conflict: it took so long that another process has begun.
        """
        if self.held.until - time.time() < _LEASE_S / 2:
            self.held = self._states.write(replace(self.held, until=time.time() + _LEASE_S))

    def put(self, states: Mapping[int, str], slots: int) -> None:
        """Say which states are held now.

        Raises:
            Conflict: as `renew`.
        """
        self.held = self._states.write(replace(self.held, states=states, slots=slots))

    def end(self) -> None:
        """Give the right back; one that was lost is another's."""
        try:
            self.held = self._states.write(replace(self.held, working="", until=0.0))
        except Conflict:
            return
