"""`always`: says "supported" to everything, for comparison. A grounding figure that it reaches too says nothing."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.lab.studies.grounding_study.judges import Said
from chartcite.lab.studies.grounding_study.writing import Numbered
from chartcite.library.engines import Engines


class Always:
    """See the module."""

    def judge(self, query: str, claim: str, sources: Sequence[Numbered]) -> Said:  # noqa: ARG002
        """Supported."""
        return Said(True, sources[0].n if sources else None, True, "says so of every claim")


def load(engines: Engines) -> Always:  # noqa: ARG001
    """Needs nothing."""
    return Always()
