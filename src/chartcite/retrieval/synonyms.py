"""Query terms with their weights: the query's own, and at less weight those of other spellings of what it names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from chartcite.facts.spellings import other_spellings
from chartcite.retrieval.crosslingual import Crossing

Analyse = Callable[[str], Sequence[str]]
OTHER_READING = 0.4
"""Weight of what a word gives when it is read in another language than the question's; that of a synonym by default."""


def terms_in_all(
    query: str, readings: Sequence[Analyse], synonym_weight: float, across: Crossing | None = None
) -> Mapping[str, float]:
    """Terms of a query read in several languages, its own first, and of its names in the language of the texts.

    Of a term that comes in several ways, the greatest weight.
    """
    found: dict[str, float] = {}
    for n, analyse in enumerate(readings):
        share = OTHER_READING if n else 1.0
        for term, weight in query_terms(query, analyse, synonym_weight).items():
            found[term] = max(found.get(term, 0.0), share * weight)
    return across.terms(query, found) if across else found


def query_terms(query: str, analyse: Analyse, synonym_weight: float) -> Mapping[str, float]:
    """Terms of a query with the weight each has in BM25's sum.

    Args:
        query: as it is searched.
        analyse: text to index terms.
        synonym_weight: of a spelling of one word; the words of a longer one share it. 0 for the query's own terms only.
    """
    own = {term: float(count) for term, count in Counter(analyse(query)).items()}
    if not synonym_weight:
        return own
    added: dict[str, float] = {}
    for group in other_spellings(query):
        for spelling in group:
            terms = [term for term in dict.fromkeys(analyse(spelling)) if term not in own]
            for term in terms:
                added[term] = max(added.get(term, 0.0), synonym_weight / len(terms))
    return own | added
