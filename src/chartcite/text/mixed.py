"""The lexical analyser of records in more than one language: a passage by its own, a question in all that there are.

English text gives the terms that `Analyser("en")` gives and nothing else, so a record without Portuguese is searched as
before there was this. A Portuguese passage gives those of `Analyser("pt")` and a mark, by which a partition knows that
it holds some.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal

from chartcite.text.analyser import Analyser
from chartcite.text.folding import fold
from chartcite.text.wordlists import load_words

Language = Literal["en", "pt"]
Analyse = Callable[[str], Sequence[str]]
PORTUGUESE = "in portuguese"
"""The mark: no analyser gives a term with a space in it."""


class MixedAnalyser:
    """Analyses passages by their language.

    Args:
        language_of: the language of a text; it must depend on nothing but the text, for equal texts are one passage.

    >>> mixed = MixedAnalyser(lambda text: "pt" if "dor" in text else "en")
    >>> mixed.terms("Sem dores, Hb 10,2."), mixed.terms("No pains, Hb 10.2.")
    (['sem', 'dor', 'hb', '10.2', 'in portuguese'], ['no', 'pain', 'hb', '10.2'])
    """

    name = "auto-1"

    def __init__(self, language_of: Callable[[str], Language]) -> None:
        self._language_of = language_of
        self._analysers: dict[Language, Analyser] = {"en": Analyser("en"), "pt": Analyser("pt")}

    @property
    def by_language(self) -> Mapping[Language, Analyse]:
        """Text of a language to index terms."""
        return {lang: analyser.terms for lang, analyser in self._analysers.items()}

    def terms(self, text: str) -> list[str]:
        """The index terms of a passage."""
        if self._language_of(text) == "en":
            return self._analysers["en"].terms(text)
        return [*self._analysers["pt"].terms(text), PORTUGUESE]

    def readings(self, size: int, portuguese: int, asked_in: Language) -> tuple[Analyse, ...]:
        """How the words of a question are to be read for a partition, one reading a language, the question's own first.

        Another language's reading leaves out the small words of the question's own: `de` is rare in English notes, and
        no word of the question.

        Args:
            size: passages of the partition.
            portuguese: how many of them have the mark.
            asked_in: the question's language; a Portuguese question finds words that both languages have (`creatinin`)
                in English notes too.
        """
        languages: list[Language] = []
        if portuguese < size or not size:
            languages.append("en")
        if portuguese or asked_in == "pt":
            languages.append("pt")
        own = asked_in if asked_in in languages else languages[0]
        others = (lang for lang in languages if lang != own)
        return (self._analysers[own].terms, *(partial(self._beside, own, lang) for lang in others))

    def _beside(self, own: Language, other: Language, text: str) -> Sequence[str]:
        small = load_words("index_words.txt", f"stop-{own}")
        return self._analysers[other].terms(" ".join(word for word in text.split() if fold(word) not in small))


def in_all(readings: Sequence[Analyse]) -> Analyse:
    """Text to the terms of all readings: those of the first, then what the others have beside them.

    Questions and the sentences that they are held against must be analysed alike.
    """
    if len(readings) == 1:
        return readings[0]

    def analyse(text: str) -> Sequence[str]:
        terms = list(readings[0](text))
        for reading in readings[1:]:
            known = set(terms)
            terms += [term for term in reading(text) if term not in known]
        return terms

    return analyse
