"""ROUGE-Lsum: the longest common subsequence of words, taken sentence by sentence; F1, best over the references.

Lin, *ROUGE: A Package for Automatic Evaluation of Summaries*, ACL workshop 2004, section 3.2 (union of subsequences),
with the tokens of Google's `rouge-score` (lower case, ASCII letters and digits, no stemmer) and its form of the
measure: a sentence is a line, and a word counts no more often than both sides have it. Texts of one line each give
plain ROUGE-L. Portuguese words fall apart at their accents, as they do there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.squad import best_of_references

_OTHER = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class RougeLsum:
    """Needs text.

    >>> RougeLsum().measure({"1": ["Why was warfarin stopped?"]}, {"1": "warfarin stopped"})["rouge_lsum"].value
    0.6666666666666666
    """

    needs: ClassVar[Needs] = "text"

    @property
    def name(self) -> str:
        """`rouge_lsum`."""
        return "rouge_lsum"

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against the best of its references."""
        return best_of_references(self.name, gold, predicted, rouge_lsum)


def rouge_lsum(predicted: str, reference: str) -> float:
    """F1 of one pair; 0 if either side has no word."""
    ours, theirs = _sentences(predicted), _sentences(reference)
    n_ours, n_theirs = sum(map(len, ours)), sum(map(len, theirs))
    if not n_ours or not n_theirs:
        return 0.0
    left_ours, left_theirs = (Counter(word for s in side for word in s) for side in (ours, theirs))
    hits = 0
    for sentence in theirs:
        common = {at for other in ours for at in _common(sentence, other)}
        for at in sorted(common):
            word = sentence[at]
            if left_ours[word] > 0 and left_theirs[word] > 0:
                hits += 1
                left_ours[word] -= 1
                left_theirs[word] -= 1
    if not hits:
        return 0.0
    precision, recall = hits / n_ours, hits / n_theirs
    return 2 * precision * recall / (precision + recall)


def _sentences(text: str) -> list[list[str]]:
    lines = ([word for word in _OTHER.split(line.lower()) if word] for line in text.split("\n"))
    return [line for line in lines if line]


def _common(one: Sequence[str], other: Sequence[str]) -> list[int]:
    """Places in `one` of a longest common subsequence; of several, the one that ends first in `one`'s tail."""
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, a in enumerate(one, start=1):
        for j, b in enumerate(other, start=1):
            table[i][j] = table[i - 1][j - 1] + 1 if a == b else max(table[i - 1][j], table[i][j - 1])
    places, i, j = [], len(one), len(other)
    while i and j:
        if one[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            places.append(i)
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return places


METRIC = RougeLsum
