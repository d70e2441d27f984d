"""`rules`: chartcite's own deterministic check of everything that a sentence says (`chartcite.verification`).

A citation supports when it carries the sentence alone, or when the citations together carry it and would not without
this one (ALCE). The answers of chartcite passed this very check before they were given: on them it finds no fault, by
construction. It tells something about claims of others, and about answers of other systems.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chartcite.lab.experiment.verifiers import Finding, Given, ToCheck
from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import CheckedClaim, Source


class Rules:
    """See the module."""

    def check(self, what: ToCheck) -> Finding:
        """The verdict of the rules."""
        return by_citation(what, lambda claim, sources: _of(check_claim(claim, sources)))


def _of(checked: CheckedClaim) -> tuple[bool, str]:
    return checked.verified, checked.reason


def by_citation(what: ToCheck, check: Callable[[str, Sequence[Source]], tuple[bool, str]]) -> Finding:
    """A finding for all citations together and for each, in ALCE's sense.

    Args:
        what: the sentence and its citations.
        check: says whether some sources carry a claim, and why.
    """
    sources = [Source(str(i), c.quote, c.section, c.day, c.doc_id) for i, c in enumerate(what.citations, start=1)]
    whole, reason = check(what.text, sources)
    if len(sources) == 1:
        return Finding(whole, (whole,), reason)
    supports = tuple(
        check(what.text, [source])[0] or (whole and not check(what.text, [s for s in sources if s is not source])[0])
        for source in sources
    )
    return Finding(whole, supports, reason)


def load(given: Given) -> Rules:  # noqa: ARG001 - what every verifier is made with
    """Needs nothing."""
    return Rules()
