"""Paired randomisation test: is the mean difference greater than swapping the systems' names would make it?

Under the null hypothesis the two systems' results on a cluster (a patient, with all its questions) could have been
exchanged. Each exchange flips the sign of the cluster's sum of differences; p is the share of exchanges whose mean
difference is at least as far from 0 (Noreen 1989; Yeh, COLING 2000; Smucker et al., CIKM 2007). With few clusters all
2^k exchanges are counted (exact), otherwise a seeded sample, with (1 + hits) / (1 + samples), so that p is never 0
(Phipson and Smyth 2010).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chartcite.lab.errors import BadInput
from chartcite.lab.statistics.clusters import differences

_CHUNK_CELLS = 2_000_000
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Randomisation:
    """Mean of (first - second) and its two-sided p. `p` is never below 1 / `exchanges` (exact) or 1 / (1 + them)."""

    difference: float
    p: float
    exact: bool
    n: int
    clusters: int
    exchanges: int
    seed: int | None
    reason: str = ""


def paired_randomisation(
    first: Mapping[str, float | None],
    second: Mapping[str, float | None],
    clusters: Mapping[str, str] | None = None,
    *,
    samples: int = 10_000,
    seed: int = 0,
) -> Randomisation:
    """The test; exact when 2^clusters <= samples.

    Args:
        first: values of the first system by case id; None and missing count as 0.
        second: those of the second.
        clusters: what is exchanged together, by case id.
        samples: exchanges drawn when not all can be counted.
        seed: of the generator.

    Raises:
        BadInput: no case in common, or fewer than 100 samples.
    """
    if samples < 100:
        raise BadInput("100 samples is the least.")
    paired = differences(first, second, clusters)
    sums = np.asarray(paired.sums)
    k = len(sums)
    if not sums.any():
        return Randomisation(0.0, 1.0, True, paired.n, k, 1, None, "the systems never differ")
    exact = k < 60 and 2**k <= samples
    hits = _hits(sums, _all_signs(k)) if exact else _sampled(sums, samples, seed)
    exchanges = 2**k if exact else samples
    p = hits / exchanges if exact else (1 + hits) / (1 + exchanges)
    return Randomisation(paired.mean, p, exact, paired.n, k, exchanges, None if exact else seed)


def _sampled(sums: NDArray[np.float64], samples: int, seed: int) -> int:
    generator = np.random.Generator(np.random.PCG64(seed))
    hits = 0
    chunk = max(1, _CHUNK_CELLS // len(sums))
    for start in range(0, samples, chunk):
        signs = generator.integers(0, 2, size=(min(chunk, samples - start), len(sums)), dtype=np.int8) * 2 - 1
        hits += _hits(sums, signs)
    return hits


def _all_signs(k: int) -> NDArray[np.int8]:
    bits = (np.arange(2**k)[:, None] >> np.arange(k)) & 1
    return (bits * 2 - 1).astype(np.int8)


def _hits(sums: NDArray[np.float64], signs: NDArray[np.int8]) -> int:
    """Exchanges at least as far from 0 as what was seen; rounding must not break ties."""
    seen = abs(float(sums.sum()))
    return int(np.count_nonzero(np.abs(signs @ sums) >= seen - _TOLERANCE * float(np.abs(sums).sum())))
