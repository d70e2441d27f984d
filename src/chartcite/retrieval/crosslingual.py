"""A question in one language put to texts in the other: what its words are called there.

A word list and regular spellings (`facts/bilingual.py`), no model. They find; they never verify anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from chartcite.facts.bilingual import in_other_language
from chartcite.facts.cognates import Language

OWN_WEIGHT = 0.25
"""Of a word that has a name in the texts' language; where it stands in them too, it is rare and says little."""
UNKNOWN_WEIGHT = 0.5
"""Of a word that has none: a number, a person's name, an abbreviation."""
BESIDE_WEIGHT = 0.5
"""Of a name in the other language, where texts of both stand side by side."""
MOST_ALONE = 0.2
"""Up to this share of passages in the question's own language texts count as all in the other (short ones mislead)."""
LEAST_SHARE = 0.02
"""From this share on passages in the other language are worth looking for."""

ASKED_ACROSS = "asked_in_another_language"
"""The fallback: the texts are in another language, and no encoder knows both; words were looked up in a list."""

Analyse = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Crossing:
    """From a question's language to that of the texts. The weights were chosen on one half of ReBEC's titles.

    Attributes:
        to: the language of the texts.
        analyse: text of that language to index terms.
        is_beside: the partition has texts in the question's own language too.
        is_by_words: the encoder does not know both languages, and the texts are all in the other one.
        is_glossed: the encoder knows the texts' language and not the question's, and is given `gloss(question)`.
    """

    to: Language
    analyse: Analyse
    is_beside: bool = False
    is_by_words: bool = False
    is_glossed: bool = False

    def terms(self, query: str, own: Mapping[str, float]) -> dict[str, float]:
        """A query's terms with their weights, from its own terms with theirs."""
        said = in_other_language(query, self.to)
        if self.is_beside:
            found = dict(own)
        else:
            unknown = {term for word in said if not word.names for term in self.analyse(word.text)}
            found = {t: weight * (UNKNOWN_WEIGHT if t in unknown else OWN_WEIGHT) for t, weight in own.items()}
        for name in (name for word in said for name in word.names):
            terms = list(dict.fromkeys(self.analyse(name)))
            for term in terms:
                weight = (BESIDE_WEIGHT if self.is_beside else 1.0) / len(terms)
                found[term] = max(found.get(term, 0.0), weight)
        return found

    def names(self, word: str) -> list[str]:
        """What one word of a question is called in the texts' language."""
        return [name for said in in_other_language(word, self.to) for name in said.names]

    def spoken(self, query: str) -> str:
        """The query as the encoder is given it."""
        return gloss(query, self.to) if self.is_glossed else query


def crossing(
    asked_in: Language, share: float, analysers: Mapping[Language, Analyse], encoder_languages: Sequence[str]
) -> Crossing | None:
    """How a question crosses to the texts of a partition; None where they are in its own language.

    Args:
        asked_in: the question's language.
        share: of the partition's passages that are Portuguese.
        analysers: text to index terms, by the language of the text.
        encoder_languages: those that the encoder knows; none where that is not known.
    """
    to: Language = "en" if asked_in == "pt" else "pt"
    there = share if to == "pt" else 1 - share
    if there < LEAST_SHARE or to not in analysers:
        return None
    is_beside = 1 - there > MOST_ALONE
    is_by_words = not is_beside and not {asked_in, to} <= set(encoder_languages)
    is_glossed = is_by_words and to in encoder_languages
    return Crossing(to, analysers[to], is_beside, is_by_words, is_glossed)


def gloss(query: str, to: Language) -> str:
    """The query word by word in the other language, for an encoder that knows no other; small words are left out.

    >>> gloss("Qual foi a última creatinina?", "en")
    'Qual latest creatinine'
    """
    return " ".join(word.names[0] if word.names else word.text for word in in_other_language(query, to)) or query
