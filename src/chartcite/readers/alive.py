"""A sign of life from a reader that has long work before it, page by page; heard only in the sandbox's child."""

from __future__ import annotations

from collections.abc import Callable

_tell: list[Callable[[], None]] = []


def page_begins() -> None:
    """Say that a page that may take long is begun: the parent's clock then allows it the time of one page."""
    for tell in _tell:
        tell()


def tell_by(tell: Callable[[], None]) -> None:
    """Once a process: how it is said."""
    _tell[:] = [tell]
