"""Late interaction: each query token looks for its best passage token (MaxSim).

Khattab & Zaharia (2020), *ColBERT: Efficient and Effective Passage Search via Contextualized Late Interaction over
BERT*, eq. 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def maxsim(query: NDArray[np.float32], passages: Sequence[NDArray[np.int8]]) -> NDArray[np.float64]:
    """The mean over query tokens of the best similarity in each passage.

    Args:
        query: float32 [n_query_tokens, dims], scaled for the codes.
        passages: int8 [n_tokens, dims] each.

    Returns:
        float64 [n_passages]; 0 for a passage without token vectors.
    """
    scores = np.zeros(len(passages))
    filled = [i for i, codes in enumerate(passages) if len(codes)]
    if not filled or not len(query):
        return scores
    stacked = np.concatenate([passages[i] for i in filled]).astype(np.float32)
    similar = stacked @ query.T
    starts = np.cumsum([0] + [len(passages[i]) for i in filled[:-1]])
    best = np.maximum.reduceat(similar, starts, axis=0)
    scores[filled] = best.mean(axis=1, dtype=np.float64)
    return scores
