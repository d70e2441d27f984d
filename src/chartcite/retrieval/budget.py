"""Budget: how many tokens of context may be taken in. What did not fit is counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence


class Budget:
    """Tokens left. A group of passages goes in whole or not at all.

    Args:
        tokens: the most that may be taken in; 0 for no limit, and then nothing is counted.
        count: tokens of a passage.
    """

    def __init__(self, tokens: int, count: Callable[[int], int]) -> None:
        self._limit, self._left = tokens, tokens
        self._count = count
        self._taken: set[int] = set()
        self._refused: set[int] = set()

    @property
    def refused(self) -> int:
        """Passages that were left out; one that was taken in with another group is not among them."""
        return len(self._refused - self._taken)

    def takes(self, passages: Sequence[int]) -> bool:
        """Whether these fit; if they do, their tokens are spent."""
        if not self._limit:
            return True
        wanted = sum(self._count(passage) for passage in passages)
        if wanted > self._left:
            self._refused.update(passages)
            return False
        self._left -= wanted
        self._taken.update(passages)
        return True
