"""How many cores this process may use."""

from __future__ import annotations

import os


def cores() -> int:
    """The cores that the process is bound to, where the system says so; else all of them."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
