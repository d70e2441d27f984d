"""`full`: chartcite's full verdict, rules and bundled model (`chartcite.verification.full`).

As `rules`, with what the model lifts. It was fitted on claims about clinical notes, and says nothing certain about
others.
"""

from __future__ import annotations

from chartcite.lab.experiment.verifiers import Finding, Given, ToCheck
from chartcite.lab.experiment.verifiers.rules import by_citation
from chartcite.verification.full import full_check
from chartcite.verification.verdicts import CheckedClaim


class Full:
    """See the module."""

    def check(self, what: ToCheck) -> Finding:
        """The full verdict."""
        return by_citation(what, lambda claim, sources: _of(full_check(claim, sources)))


def _of(checked: CheckedClaim) -> tuple[bool, str]:
    return checked.verdict == "supported", checked.reason


def load(given: Given) -> Full:  # noqa: ARG001 - what every verifier is made with
    """Needs nothing."""
    return Full()
