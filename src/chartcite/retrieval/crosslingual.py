"""A question in one language put to texts in the other: the terms of what its words are called there.

A word list and regular spellings (`facts/bilingual.py`), no model. They find; they never verify anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from chartcite.facts.bilingual import in_other_language
from chartcite.facts.cognates import Language

OWN_WEIGHT = 0.25
"""Of a word that has a name in the texts' language: where it stands in them all the same, it is rare and says little."""
UNKNOWN_WEIGHT = 0.5
"""Of a word that has none: a number, a person's name, an abbreviation."""
BESIDE_WEIGHT = 0.5
"""Of a name in the other language, where texts of both stand side by side."""

Analyse = Callable[[str], Sequence[str]]


def terms_across(
    query: str, to: Language, own: Mapping[str, float], analyse: Analyse, *, is_beside: bool = False
) -> dict[str, float]:
    """A query's terms with their weights, for texts in another language.

    The weights were chosen on the titles of one half of ReBEC (English titles, Portuguese bodies).

    Args:
        query: as it is asked.
        to: the language of the texts.
        own: the query's own terms with their weights.
        analyse: text of that language to index terms.
        is_beside: the partition has texts in the query's own language too.
    """
    said = in_other_language(query, to)
    if is_beside:
        found = dict(own)
    else:
        unknown = {term for word in said if not word.names for term in analyse(word.text)}
        found = {t: weight * (UNKNOWN_WEIGHT if t in unknown else OWN_WEIGHT) for t, weight in own.items()}
    for word in said:
        for name in word.names:
            terms = list(dict.fromkeys(analyse(name)))
            for term in terms:
                weight = (BESIDE_WEIGHT if is_beside else 1.0) / len(terms)
                found[term] = max(found.get(term, 0.0), weight)
    return found


def gloss(query: str, to: Language) -> str:
    """The query word by word in the other language, for an encoder that knows no other; small words are left out.

    >>> gloss("Qual foi a última creatinina?", "en")
    'latest creatinine'
    """
    return " ".join(word.names[0] if word.names else word.text for word in in_other_language(query, to)) or query
