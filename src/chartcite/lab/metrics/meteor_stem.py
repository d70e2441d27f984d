"""METEOR by equal words and stems only, without synonyms; best over the references; between 0 and 1.

See `lab/meteor.py` for formula, alignment and papers. Lower than `meteor` wherever synonyms are used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.meteor import meteor, meteor_words
from chartcite.lab.text_scores import against_best


@dataclass(frozen=True, slots=True)
class MeteorStem:
    """Needs text.

    >>> gold = {"1": ["on the mat sat the cat"]}
    >>> MeteorStem().measure(gold, {"1": "the cat sat on the mat"})["meteor_stem"].value
    0.9375
    """

    needs: ClassVar[Needs] = "text"
    libraries: ClassVar[tuple[str, ...]] = ("nltk",)

    @property
    def name(self) -> str:
        """`meteor_stem`."""
        return "meteor_stem"

    @property
    def form(self) -> str:
        """What exactly is computed."""
        return "METEOR (2005), exact and Porter stem, no synonyms, fewest chunks, Treebank words"

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against the best of its references."""
        return against_best(self.name, gold, predicted, lambda text, ref: meteor(meteor_words(text), meteor_words(ref)))


METRIC = MeteorStem
