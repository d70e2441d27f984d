"""Bins of context length. Paper 000 names them 0-8K, 8-16K, 16-32K and 32-128K and leaves the edges open.

Ours: `[0, 8192)`, `[8192, 16384)`, `[16384, 32768)`, `[32768, 131072]`, and one above, where its longest record lies.
"""

from __future__ import annotations

_EDGES = ((8192, "[0, 8192)"), (16384, "[8192, 16384)"), (32768, "[16384, 32768)"), (131_073, "[32768, 131072]"))
ABOVE = "> 131072"
BINS = (*(name for _, name in _EDGES), ABOVE)
"""Names, shortest first."""


def bin_of(tokens: int) -> str:
    """The bin of a length in tokens.

    >>> bin_of(8191), bin_of(8192), bin_of(131_072), bin_of(131_073)
    ('[0, 8192)', '[8192, 16384)', '[32768, 131072]', '> 131072')
    """
    return next((name for edge, name in _EDGES if tokens < edge), ABOVE)
