"""Port of whoever runs workers. Jobs and results are plain values; no engine's type crosses this border."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol

from chartcite.core.errors import ChartciteError, EndpointFailed, NotConfigured, ReadError

Work = Callable[[Any], Any]
"""What a worker does with one job."""


class ComputeFailed(EndpointFailed):
    """No worker can be started, or they end again and again."""


class WorkerDiffers(NotConfigured):
    """A worker would not do what this machine does: other code, another model, other digits."""


def text_would_leave() -> NotConfigured:
    """Workers are elsewhere, and whoever asks has not allowed that."""
    return NotConfigured(
        "The workers of ray_address are on other machines, and record text would go there.",
        "Set allow_remote = true, and see docs/ray.md for TLS and the token.",
    )


class JobLost(ReadError):
    """Every worker that was given this job ended at it."""


class JobFailed(ReadError):
    """A worker broke down at a job: a fault of chartcite. Named after the exception's type alone."""


@dataclass(frozen=True, slots=True)
class Worker:
    """How a worker is made, where it runs: `make(*given)`, once, before its first job. `make` is a module's function.

    What `make` raises as a `ChartciteError` ends the whole crew.
    """

    make: Callable[..., Work]
    given: tuple[Any, ...] = ()


class Crew(Protocol):
    """Workers that take jobs. A job may be done twice where a worker is lost: it must change nothing."""

    workers: int
    lost: int  # workers that ended before they were asked to; others did their jobs

    def submit(self, group: Hashable, job: Any) -> Future[Any]:
        """The result of a job, now or later. Jobs of one group may go to a worker together, of two never."""
        ...

    def close(self) -> None:
        """Stop; jobs not begun are given up."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a job, as it crosses the border: engines would write an exception, and its text, into their logs."""

    result: Any = None
    error: tuple[type[ChartciteError], str, str] | None = None

    @classmethod
    def of(cls, work: Work, job: Any) -> Outcome:
        """Do a job."""
        try:
            return cls(work(job))
        except ChartciteError as error:
            return cls(error=(type(error), str(error.args[0]), error.advice))
        except Exception as error:  # noqa: BLE001  (whatever it is, it goes to whoever waits for the result)
            reason = f"A worker broke down ({type(error).__name__}): a fault in chartcite."
            return cls(error=(JobFailed, reason, "Please report it, with the command."))

    def settle(self, future: Future[Any]) -> None:
        """Hand it to whoever waits."""
        if not future.set_running_or_notify_cancel():
            return
        if self.error is None:
            future.set_result(self.result)
        else:
            kind, message, advice = self.error
            future.set_exception(kind(message, advice))
