"""Sparse weights of one partition, and how they are stored: as postings of the encoder's own vocabulary.

A weight is kept as a whole number of steps of 1 / STEPS in 16 bits, so that it is wrong by at most half a step, and a
smaller one is nothing. A query's weights are not rounded. A score is the dot product of both; nothing in it depends on
any other text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from chartcite.core.errors import ModelRefused, NotConfigured
from chartcite.core.neural import SparseEncoder, SparseText
from chartcite.core.stored import Postings

if TYPE_CHECKING:
    from numpy.typing import NDArray

STEPS = 4096
"""So many steps are a weight of 1. The largest weight is just below 16: log(1 + x) of a logit of some eight million."""
_MOST = 65535


def stored_weights(encoder: SparseEncoder, text: SparseText) -> dict[str, int]:
    """A passage's terms, as the store names them, with their weights in steps.

    Raises:
        ModelRefused: a weight is too large to be stored.
    """
    steps = np.rint(text.weights.astype(np.float64) * STEPS)
    if np.any(steps > _MOST):
        raise ModelRefused(
            f"The sparse encoder {encoder.name} gives weights above {_MOST // STEPS}.",
            "Scale its output, or use another.",
        )
    pairs = zip(text.terms.tolist(), steps.tolist(), strict=True)
    return {_name(encoder, number): int(n) for number, n in pairs if n > 0}


def query_weights(encoder: SparseEncoder, text: SparseText) -> dict[str, float]:
    """A query's terms, as the store names them, with their weights, in the order of the vocabulary."""
    pairs = zip(text.terms.tolist(), text.weights.tolist(), strict=True)
    return {_name(encoder, number): weight for number, weight in pairs}


def no_sparse_encoder() -> NotConfigured:
    """The error for a search by weights that no encoder gave."""
    return NotConfigured(
        "There is no sparse encoder to search with.", "Set sparse = onnx_folder:PATH, or use another method."
    )


def _name(encoder: SparseEncoder, number: int) -> str:
    """No analyser gives a term with a space in it, and the number tells nameless terms apart."""
    return f" {number} {encoder.term(number)}".replace("\0", "")


class SparseIndex:
    """Postings over passages, whose counts are weights in steps."""

    def __init__(self, postings: Postings, size: int) -> None:
        self.size = size
        self._postings = postings

    @property
    def nbytes(self) -> int:
        """Memory held."""
        p = self._postings
        return p.terms.nbytes + p.starts.nbytes + p.rows.nbytes + p.counts.nbytes

    def scores(self, query: Mapping[int, float]) -> NDArray[np.float64]:
        """The dot product of every passage with a query: float64 [size].

        Added up in the query's own order: the store's numbers of terms depend on the order of ingest.
        """
        p, scores = self._postings, np.zeros(self.size)
        for number, weight in query.items():
            at = int(np.searchsorted(p.terms, number))
            if at < len(p.terms) and p.terms[at] == number:
                these = slice(int(p.starts[at]), int(p.starts[at + 1]))
                scores[p.rows[these]] += weight * p.counts[these]
        return scores / STEPS
