"""`rules`: chartcite's deterministic check of everything that a claim says. Always beside any other judge."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.lab.studies.grounding_study.judges import Said
from chartcite.lab.studies.grounding_study.writing import Numbered
from chartcite.library.engines import Engines
from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source


class Rules:
    """See the module."""

    def judge(self, query: str, claim: str, sources: Sequence[Numbered]) -> Said:  # noqa: ARG002
        """The verdict of the rules on all sources together."""
        found = check_claim(claim, [Source(str(source.n), source.text) for source in sources])
        best = int(found.best_source) if found.best_source else None
        return Said(found.verified, best, True, found.reason)


def load(engines: Engines) -> Rules:  # noqa: ARG001
    """Needs nothing."""
    return Rules()
