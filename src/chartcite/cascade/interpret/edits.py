"""Edit distance with transpositions of neighbours (optimal string alignment; Damerau 1964, as usually implemented)."""

from __future__ import annotations


def edits_between(one: str, other: str, limit: int) -> int:
    """How many insertions, deletions, exchanges and swaps turn one word into another; above `limit`, `limit + 1`.

    >>> edits_between("diahrea", "diarrhea", 3), edits_between("aeortic", "aortic", 2), edits_between("gout", "gut", 0)
    (2, 1, 1)
    """
    if abs(len(one) - len(other)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        now = [i]
        for j, b in enumerate(other, start=1):
            least = min(row[j] + 1, now[j - 1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                least = min(least, before[j - 2] + 1)
            now.append(least)
        if min(now) > limit:
            return limit + 1
        before, row = row, now
    return min(row[-1], limit + 1)


def may_be_within(one: str, other: str, limit: int) -> bool:
    """A quick look before the distance: no pair within `limit` edits is turned away.

    Each edit changes the number of at most two letters' occurrences, a swap none.
    """
    if abs(len(one) - len(other)) > limit:
        return False
    return len(set(one) ^ set(other)) <= 2 * limit
