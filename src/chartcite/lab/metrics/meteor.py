"""METEOR with all three stages: equal words, stems, WordNet's synonyms; best over the references; between 0 and 1.

See `lab/meteor.py` for formula, alignment and papers. Without WordNet's files it is None, with the reason: the form
without synonyms has a name of its own, `meteor_stem`, and so has NLTK's, `meteor_nltk`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.meteor import meteor, meteor_words
from chartcite.lab.text_scores import against_best, without
from chartcite.lab.wordnet import DEBIAN, NEEDS, is_there, wordnet


@dataclass(frozen=True, slots=True)
class Meteor:
    """Needs text. `folder`: WordNet's files."""

    folder: str = str(DEBIAN)
    needs: ClassVar[Needs] = "text"
    libraries: ClassVar[tuple[str, ...]] = ("nltk",)

    @property
    def name(self) -> str:
        """`meteor`."""
        return "meteor"

    @property
    def form(self) -> str:
        """What exactly is computed."""
        return "METEOR (2005), exact, Porter stem and WordNet 3.0 synonym, fewest chunks, Treebank words"

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against the best of its references."""
        if not is_there(Path(self.folder)):
            return without(self.name, gold, NEEDS)
        senses = wordnet(Path(self.folder)).senses
        return against_best(
            self.name, gold, predicted, lambda text, ref: meteor(meteor_words(text), meteor_words(ref), senses)
        )


METRIC = Meteor
