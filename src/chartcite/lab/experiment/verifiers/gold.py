"""`gold`: does a citation point where the data set says the evidence is?

A citation supports when it lies in a relevant item of the case and, where the data set names gold sentences for that
item, when its quote and one of them contain one another (white space aside). A sentence is supported when one of its
citations is. This judges where an answer points to, not whether the answer is right.
"""

from __future__ import annotations

from collections.abc import Mapping

from chartcite.lab.experiment.tables import Cited
from chartcite.lab.experiment.verifiers import Finding, Given, ToCheck


class Gold:
    """See the module. `gold`: by case, relevant items with their gold sentences."""

    def __init__(self, gold: Mapping[str, Mapping[str, tuple[str, ...]]]) -> None:
        self._gold = gold

    def check(self, what: ToCheck) -> Finding:
        """Compare each citation with the gold of the case."""
        items = self._gold.get(what.case_id)
        if not items:
            why = "a claim has no gold citations" if not what.case_id else "no relevant item of this case is known"
            return Finding(None, (None,) * len(what.citations), why)
        supports = tuple(_is_gold(c, items) for c in what.citations)
        return Finding(any(supports), supports, "cites the gold" if any(supports) else "cites something else")


def _is_gold(citation: Cited, items: Mapping[str, tuple[str, ...]]) -> bool:
    if citation.doc_id not in items:
        return False
    sentences, quote = items[citation.doc_id], " ".join(citation.quote.split())
    return not sentences or any(quote in s or s in quote for s in (" ".join(x.split()) for x in sentences))


def load(given: Given) -> Gold:
    """Needs the data set's judgements."""
    return Gold(given.gold)
