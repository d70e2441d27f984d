"""What workers of the tests do; they import it where they run."""

from __future__ import annotations

import os
import signal
from typing import Any

from chartcite.compute.port import Work, WorkerDiffers


def doubling() -> Work:
    return lambda job: job * 2


def careful() -> Work:
    """A job called `poison` ends the process; one called `fault` raises with its text."""

    def work(job: Any) -> Any:
        if job == "poison":
            os.kill(os.getpid(), signal.SIGKILL)
        if job == "fault":
            raise ValueError("text of a note")
        return job.upper()

    return work


def never() -> Work:
    raise WorkerDiffers("Another model.", "Have the same.")
