"""METEOR as NLTK computes it, which is also that of `evaluate`; best over the references; between 0 and 1.

Formula and parameters as in `meteor`, stages too, but NLTK matches each word with the last free one like it, stage by
stage: more chunks than need be, so lower where words repeat (`the cat sat on the mat` against `on the mat sat the cat`
is .5 instead of .9375). Without WordNet's files it is None, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from chartcite.lab.extras import need
from chartcite.lab.measured import Measured, Needs
from chartcite.lab.meteor import meteor_words
from chartcite.lab.text_scores import against_best, without
from chartcite.lab.wordnet import DEBIAN, NEEDS, is_there, wordnet

Synonyms = Callable[[str], frozenset[str]]


@dataclass(frozen=True, slots=True)
class MeteorNltk:
    """Needs text. `folder`: WordNet's files."""

    folder: str = str(DEBIAN)
    needs: ClassVar[Needs] = "text"
    libraries: ClassVar[tuple[str, ...]] = ("nltk",)

    @property
    def name(self) -> str:
        """`meteor_nltk`."""
        return "meteor_nltk"

    @property
    def form(self) -> str:
        """What exactly is computed."""
        return f"METEOR by NLTK {need('nltk').__version__}, its alignment, WordNet 3.0 synonyms, Treebank words"

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against the best of its references."""
        if not is_there(Path(self.folder)):
            return without(self.name, gold, NEEDS)
        synonyms = wordnet(Path(self.folder)).synonyms
        return against_best(self.name, gold, predicted, lambda text, ref: meteor_nltk(text, ref, synonyms))


def meteor_nltk(predicted: str, reference: str, synonyms: Synonyms) -> float:
    """NLTK's score of one pair."""
    score = need("nltk.translate.meteor_score").single_meteor_score
    return float(score(meteor_words(reference), meteor_words(predicted), wordnet=_Synsets(synonyms)))


@dataclass(frozen=True, slots=True)
class _Lemma:
    written: str

    def name(self) -> str:
        return self.written


@dataclass(frozen=True, slots=True)
class _Synset:
    words: frozenset[str]

    def lemmas(self) -> list[_Lemma]:
        return [_Lemma(word) for word in self.words]


@dataclass(frozen=True, slots=True)
class _Synsets:
    """What NLTK asks of its own WordNet reader: synsets of a word, their lemmas, the lemmas' names."""

    synonyms: Synonyms

    def synsets(self, word: str) -> list[_Synset]:
        return [_Synset(self.synonyms(word))]


METRIC = MeteorNltk
