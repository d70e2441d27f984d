"""Which sentences to take together: the set with the greatest expected F1, given a probability for each.

With independent relevance the best set for any size is the most probable sentences (Lewis 1995), and the best threshold
is half of the F1 that is reached (Lipton et al. 2014). Taken here is the ratio of expectations
`2 sum(p in set) / (|set| + sum(p))`, whose maximum has just that form; Ye et al. (2012) show that the exact expectation
hardly differs. Nothing stands out: everything is taken. One sentence stands out: it alone.
"""

from __future__ import annotations

from collections.abc import Sequence


def best_set(probabilities: Sequence[float]) -> list[int]:
    """The numbers of the chosen sentences, most probable first, ties in the order given; empty for none.

    >>> best_set([0.1, 0.1, 0.1]), best_set([0.9, 0.05, 0.05]), best_set([0.9, 0.05, 0.8])
    ([0, 1, 2], [0], [0, 2])
    """
    order = sorted(range(len(probabilities)), key=lambda i: -probabilities[i])
    total = sum(probabilities)
    taken, best, size = 0.0, -1.0, 0
    for k, i in enumerate(order, start=1):
        taken += probabilities[i]
        expected = 2 * taken / (k + total)
        if expected >= best:  # of equals the larger set: leaving out evidence is the worse error
            best, size = expected, k
    return order[:size]
