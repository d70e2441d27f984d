"""A stage's units on workers elsewhere: the same rows, in whatever order they are done.

A worker sees the run's folder, read-only: on several machines it lies where all of them have it, under one path.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from chartcite.compute.port import Worker, WorkerDiffers
from chartcite.lab.experiment.folder import RunFolder
from chartcite.lab.experiment.machine import made_with
from chartcite.lab.experiment.spec import Experiment
from chartcite.lab.experiment.stage import Context, Done, Stage
from chartcite.lab.experiment.study import study_of
from chartcite.lab.experiment.units import Key
from chartcite.library.book import Book
from chartcite.library.crews import crew_of
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

_MOST_KEYS = 16
_SHARES_EACH = 4  # a worker comes so often, so that none waits long for the last one


@dataclass(frozen=True, slots=True)
class Timed:
    """A finished unit and how long it took where it was done."""

    done: Done
    ms: float


def is_shared_out(stage: Stage, spec: Experiment) -> bool:
    """Whether workers do this stage."""
    return stage.shares_out and spec.strategies[0].settings.compute != "local"


def shared_out(stage: Stage, ctx: Context, pending: Sequence[Key]) -> Iterator[Timed]:
    """All units that are not done yet, as they come back.

    Raises:
        MissingExtra, NotConfigured, ComputeFailed, WorkerDiffers: about the workers. What came back is kept.
    """
    given = (ctx.spec, ctx.folder.path.resolve(), ctx.base.resolve(), stage.name, made_with())
    with closing(crew_of(ctx.spec.strategies[0].settings, Worker(stage_worker, given), batch=1)) as crew:
        for future in as_completed([crew.submit(keys[0][0], keys) for keys in _shares(pending, crew.workers)]):
            yield from future.result()


def _shares(pending: Sequence[Key], workers: int) -> Iterator[list[Key]]:
    """Neighbours go together, those of two strategies never: each has settings of its own."""
    size = max(1, min(_MOST_KEYS, len(pending) // (workers * _SHARES_EACH)))
    for first in dict.fromkeys(key[0] for key in pending):
        own = [key for key in pending if key[0] == first]
        yield from (own[at : at + size] for at in range(0, len(own), size))


def stage_worker(
    spec: Experiment, folder: Path, base: Path, stage: str, wanted: Mapping[str, str]
) -> Callable[[list[Key]], list[Timed]]:
    """Runs where the worker is. Models are loaded once; the store is opened for each share.

    Raises:
        WorkerDiffers: rows of two versions would be mixed.
        RunDamaged: the run's folder is not there.
    """
    if made_with() != wanted:
        raise WorkerDiffers("A worker has another version of chartcite or a library.", "Install the same everywhere.")
    engines: dict[Settings, Engines] = {}

    def opener(place: Path, settings: Settings, create: bool) -> Book:
        kept = engines.setdefault(settings, Engines(settings))
        return Book(place, settings, create=create, engines=kept)

    ctx = Context(spec, RunFolder.open(folder), base, opener)
    doing = next(one for one in study_of(spec).stages if one.name == stage)

    def work(keys: list[Key]) -> list[Timed]:
        return list(_timed(doing.run(ctx, keys)))

    return work


def _timed(units: Iterator[Done]) -> Iterator[Timed]:
    start = time.perf_counter()
    for done in units:
        yield Timed(done, (time.perf_counter() - start) * 1000)
        start = time.perf_counter()


def done_here(stage: Stage, ctx: Context, pending: Sequence[Key]) -> Iterator[Timed]:
    """The same in this process."""
    return _timed(stage.run(ctx, pending))
