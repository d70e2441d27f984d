"""How alike a given sentence and each sentence of a note are, in words and in meaning. Nothing is decided here.

The note is its own collection: idf is that of its sentences, in the form of `index/lexical.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chartcite.core.neural import Encoder, Reranker

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEATURES = ("coverage", "covered", "cosine", "cosine_below_best", "logit", "logit_below_best")
"""Columns of `Likeness.of`.

coverage: share of the given sentence's idf that the note's sentence has; other spellings count at their weight.
covered: share of the note sentence's idf that the given sentence has.
cosine, cosine_below_best: of the dense encoder, and that less the best of the note.
logit, logit_below_best: a tenth of the cross-encoder's logit, and that less the best of the note.
"""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What tells likeness: the lexical analyser, a query's terms with their weights, and the two models."""

    analyse: Callable[[str], Sequence[str]]
    query_terms: Callable[[str], Mapping[str, float]]
    encoder: Encoder
    reranker: Reranker

    def of(self, given: Sequence[str], note: Sequence[str]) -> NDArray[np.float64]:
        """float64 [n_given, n_note, n_features]. Cost: one run of the cross-encoder a pair."""
        if not given or not note:
            return np.zeros((len(given), len(note), len(FEATURES)))
        words = _Words([frozenset(self.analyse(text)) for text in note])
        vectors = np.array([self.encoder.encode_passage(text).vector for text in note], dtype=np.float64)
        return np.array([self._of_one(text, note, words, vectors) for text in given])

    def _of_one(
        self, text: str, note: Sequence[str], words: _Words, vectors: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        terms, own = self.query_terms(text), dict.fromkeys(self.analyse(text))
        # Not by BLAS: another machine's order of the sum must not change a link.
        cosine = np.sum(vectors * np.asarray(self.encoder.encode_query(text).vector, dtype=np.float64), axis=1)
        logit = np.array(self.reranker.score(text, list(note)), dtype=np.float64) / 10
        columns = (
            words.coverage(terms, own), words.covered(terms), cosine, cosine - cosine.max(), logit, logit - logit.max()
        )  # fmt: skip
        return np.stack(columns, axis=1)


class _Words:
    """The note's sentences as sets of terms, with idf = ln(1 + (N - n + 0.5) / (n + 0.5))."""

    def __init__(self, sentences: Sequence[frozenset[str]]) -> None:
        self._sentences = sentences
        having: dict[str, int] = {}
        for terms in sentences:
            for term in terms:
                having[term] = having.get(term, 0) + 1
        self._having = having

    def _idf(self, term: str) -> float:
        n = self._having.get(term, 0)
        return math.log(1 + (len(self._sentences) - n + 0.5) / (n + 0.5))

    def coverage(self, terms: Mapping[str, float], own: Mapping[str, object]) -> NDArray[np.float64]:
        whole = math.fsum(map(self._idf, own)) or 1.0
        return np.array([
            min(1.0, math.fsum(min(weight, 1.0) * self._idf(t) for t, weight in terms.items() if t in said) / whole)
            for said in self._sentences
        ])  # fmt: skip

    def covered(self, terms: Mapping[str, float]) -> NDArray[np.float64]:
        return np.array([
            math.fsum(self._idf(t) for t in said if t in terms) / (math.fsum(map(self._idf, said)) or 1.0)
            for said in self._sentences
        ])  # fmt: skip
