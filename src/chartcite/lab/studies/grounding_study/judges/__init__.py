"""Who judges a claim, one file each: the file's name is the judge's name, `load(given)` makes it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from chartcite.lab.studies.grounding_study.writing import Numbered
from chartcite.library.engines import Engines


@dataclass(frozen=True, slots=True)
class Said:
    """A judge's word. `best` is the number of the source that it relies on; not `conclusive`: it said nothing clear."""

    supported: bool
    best: int | None
    conclusive: bool
    reason: str


class ClaimJudge(Protocol):
    """Says whether numbered sources support a claim."""

    def judge(self, query: str, claim: str, sources: Sequence[Numbered]) -> Said:
        """The verdict.

        Raises:
            EndpointFailed: a judge behind an endpoint cannot be reached.
        """
        ...


def find_judge(name: str) -> Callable[[Engines], ClaimJudge]:
    """The maker of a judge; it raises NotConfigured when it lacks something."""
    load: Callable[[Engines], ClaimJudge] = importlib.import_module(f"{__name__}.{name}").load
    return load
