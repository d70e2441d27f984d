"""How far an experiment is: a bar for the stage under way on a terminal, a line now and then elsewhere; on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from chartcite.app.cli.output import console
from chartcite.app.cli.progress import LINE_EVERY_S

Progress = Callable[[str, float, int], None]


@contextmanager
def showing_stages() -> Iterator[Progress]:
    """A callback for the runner; what it shows ends with the block."""
    err = console(sys.stderr)
    if not err.is_terminal or err.is_dumb_terminal:
        yield StageLines(lambda line: print(line, file=sys.stderr, flush=True))
        return
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    bar = Progress(
        TextColumn("{task.description:<9}", markup=False), BarColumn(),
        TextColumn("{task.fields[units]}", markup=False), TimeRemainingColumn(compact=True), TextColumn("left"),
        console=err, transient=True, refresh_per_second=5, speed_estimate_period=120,
    )  # fmt: skip
    tasks: dict[str, TaskID] = {}
    with bar:

        def advance(stage: str, done: float, total: int) -> None:
            if stage not in tasks:
                for task in tasks.values():
                    bar.remove_task(task)
                tasks.clear()
                tasks[stage] = bar.add_task(stage, total=total or 1, units="")
            bar.update(tasks[stage], completed=done, units=f"{int(done):,} of {total:,}")

        yield advance


class StageLines:
    """A line when a stage has lasted ten seconds, then every ten; the time left from the stage's own pace."""

    def __init__(self, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._write, self._clock = write, clock
        self._stage, self._first = "", 0.0
        self._start = self._last = clock()

    def __call__(self, stage: str, done: float, total: int) -> None:
        """What the runner calls."""
        now = self._clock()
        if stage != self._stage:
            self._stage, self._first, self._start, self._last = stage, done, now, now
        if now - self._last < LINE_EVERY_S:
            return
        self._last = now
        pace = (done - self._first) / (now - self._start)
        left = f", about {_duration((total - done) / pace)} left" if pace > 0 else ""
        self._write(f"{stage}: {int(done):,} of {total:,}{left}")


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
