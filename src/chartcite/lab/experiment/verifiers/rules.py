"""`rules`: chartcite's own deterministic check of everything that a sentence says (`chartcite.verification`).

A citation supports when it carries the sentence alone, or when the citations together carry it and would not without
this one (ALCE). The answers of chartcite passed this very check before they were given: on them it finds no fault, by
construction. It tells something about claims of others, and about answers of other systems.
"""

from __future__ import annotations

from chartcite.lab.experiment.verifiers import Finding, Given, ToCheck
from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source


class Rules:
    """See the module."""

    def check(self, what: ToCheck) -> Finding:
        """The verdict of the rules."""
        sources = [Source(str(i), c.quote, c.section) for i, c in enumerate(what.citations, start=1)]
        whole = check_claim(what.text, sources)
        if len(sources) == 1:
            return Finding(whole.verified, (whole.verified,), whole.reason)
        supports = tuple(
            check_claim(what.text, [source]).verified
            or (whole.verified and not check_claim(what.text, [s for s in sources if s is not source]).verified)
            for source in sources
        )
        return Finding(whole.verified, supports, whole.reason)


def load(given: Given) -> Rules:  # noqa: ARG001 - what every verifier is made with
    """Needs nothing."""
    return Rules()
