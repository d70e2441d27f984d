"""The log of a stage under way: one line a finished unit, flushed, so that a killed run loses the unit at hand only.

A last line that was torn by the kill is cut off when the log is opened again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from chartcite.lab.rows import json_line

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """A finished unit: its rows by table, and how long it took."""

    key: Key
    ms: float
    rows: Mapping[str, Sequence[Any]]


class UnitLog:
    """Append-only. `done` holds what was finished before and what is finished since."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done: dict[Key, Unit] = {}
        keep = self._read()
        self._file = path.open("ab")
        if self._file.tell() > keep:
            self._file.truncate(keep)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._file.close()

    def add(self, unit: Unit) -> None:
        """Write one unit; it is with the operating system when this returns."""
        line = json_line({"key": unit.key, "ms": round(unit.ms, 2), "rows": unit.rows})
        self._file.write(line.encode() + b"\n")
        self._file.flush()
        # Read back, so that a resumed run and an uninterrupted one hold the very same values.
        self.done[unit.key] = _parsed(line.encode()) or unit

    def sync(self) -> None:
        """Wait until the disk has it."""
        os.fsync(self._file.fileno())

    def _read(self) -> int:
        """Take in the whole lines; returns where they end."""
        if not self.path.exists():
            return 0
        end = 0
        for line in self.path.read_bytes().splitlines(keepends=True):
            unit = _parsed(line) if line.endswith(b"\n") else None
            if unit is None:
                break
            self.done[unit.key] = unit
            end += len(line)
        return end


def _parsed(line: bytes) -> Unit | None:
    try:
        row = json.loads(line)
        return Unit(tuple(row["key"]), float(row["ms"]), row["rows"])
    except (ValueError, KeyError, TypeError):
        return None
