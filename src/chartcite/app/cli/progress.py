"""How far an ingest is: a bar on a terminal, a line every ten seconds elsewhere; on stderr, and silent when quick."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from chartcite.app.cli.output import console

if TYPE_CHECKING:
    from chartcite.ingest.corridor import Progress
    from chartcite.ingest.ledger import SourceEntry
    from chartcite.ingest.walk import SourceFile

LINE_EVERY_S = 10.0


@contextmanager
def showing(gauge: Gauge, what: str) -> Iterator[Progress]:
    """A callback for the corridor; what it shows ends with the block."""
    err = console(sys.stderr)
    if not err.is_terminal or err.is_dumb_terminal:
        yield Lines(gauge, what, lambda line: print(line, file=sys.stderr, flush=True))
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    bar = Progress(
        TextColumn(f"{what}", markup=False), BarColumn(), TaskProgressColumn(),
        TextColumn("{task.fields[documents]} documents"), TimeRemainingColumn(compact=True), TextColumn("left"),
        console=err, transient=True, refresh_per_second=5,
    )  # fmt: skip
    with bar:
        task = bar.add_task(what, total=gauge.total, documents="0")

        def advance(entry: SourceEntry, bytes_done: int) -> None:
            gauge.note(entry, bytes_done)
            bar.update(task, completed=gauge.done, documents=f"{gauge.documents:,}")

        yield advance


@contextmanager
def counting(what: str, total: int, done: int = 0) -> Iterator[Callable[[], None]]:
    """A callback for each of `total` things done: a bar on a terminal, a line every ten seconds elsewhere."""
    err = console(sys.stderr)
    if not err.is_terminal or err.is_dumb_terminal:
        yield _Count(what, total, done, lambda line: print(line, file=sys.stderr, flush=True)).advance
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    bar = Progress(
        TextColumn(what, markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(compact=True),
        console=err, transient=True, refresh_per_second=5,
    )  # fmt: skip
    with bar:
        task = bar.add_task(what, total=total, completed=done)
        yield lambda: bar.advance(task)


class _Count:
    """At most one plain line every ten seconds, the first after ten."""

    def __init__(
        self, what: str, total: int, done: int, write: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._what, self._total, self._done, self._write, self._clock = what, total, done, write, clock
        self._last = clock()

    def advance(self) -> None:
        """One more is done."""
        self._done += 1
        now = self._clock()
        if now - self._last >= LINE_EVERY_S:
            self._last = now
            self._write(f"{self._what}: {self._done:,} of {self._total:,}")


class Gauge:
    """Bytes done, the source under way by the characters read of it; or, without sources, documents done."""

    def __init__(self, sources: Sequence[SourceFile] = (), documents: int = 0) -> None:
        self.total = max(1, documents + sum(source.size for source in sources))
        self.done = 0
        self.documents = 0
        self._sizes = {source.name: source.size for source in sources}
        self._ended = 0
        self._entry: SourceEntry | None = None

    def note(self, entry: SourceEntry, bytes_done: int) -> None:
        """Take in what the corridor reports."""
        if entry is not self._entry:
            self._ended += _documents(self._entry)
            self._entry = entry
        self.documents = self._ended + _documents(entry)
        if not self._sizes:
            self.done = min(self.documents, self.total)
            return
        under_way = min(entry.chars, max(self._sizes.get(entry.name, 0) - 1, 0))
        self.done = min(max(self.done, bytes_done, bytes_done + under_way), self.total)


def _documents(entry: SourceEntry | None) -> int:
    return entry.documents if entry else 0


class Lines:
    """At most one plain line every ten seconds, the first after ten."""

    def __init__(
        self, gauge: Gauge, what: str, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._gauge, self._what, self._write, self._clock = gauge, what, write, clock
        self._start = self._last = clock()

    def __call__(self, entry: SourceEntry, bytes_done: int) -> None:
        """What the corridor calls."""
        self._gauge.note(entry, bytes_done)
        now = self._clock()
        if now - self._last < LINE_EVERY_S:
            return
        self._last = now
        share = self._gauge.done / self._gauge.total
        left = (now - self._start) * (1 - share) / share if share else 0.0
        said = f"{self._what}: {self._gauge.documents:,} documents, {share:.0%}"
        self._write(said + (f", about {_duration(left)} left" if share else ""))


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
