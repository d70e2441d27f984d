# ruff: noqa: PLC0415
"""What was read against what was written: characters, words, and the words that matter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

NEGATIONS = frozenset(["no", "not", "never", "without", "denies", "cannot", "none", "não", "nao", "nega", "sem"])
_UNITS = frozenset(
    [
        "mg",
        "mcg",
        "g",
        "kg",
        "units",
        "iu",
        "ml",
        "l",
        "cm",
        "mmhg",
        "mmol/l",
        "mg/dl",
        "g/dl",
        "ng/ml",
        "pg/ml",
        "meq",
        "meq/l",
        "%",
        "bpm",
        "u/l",
        "mg/l",
        "mg/mmol",
        "miu/l",
        "umol/l",
        "l/min",
        "ml/min",
        "mil/mm3",
        "10^9/l",
        "°c",
    ]
)
_EDGES = ".,;:()"


def plain(text: str) -> str:
    """Without accents."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


@dataclass(slots=True)
class Count:
    """How many there were, and how many were read right."""

    n: int = 0
    right: int = 0

    def add(self, right: bool) -> None:
        self.n += 1
        self.right += right

    @property
    def share(self) -> float | None:
        return self.right / self.n if self.n else None


@dataclass(slots=True)
class Score:
    """Errors in characters and words (Levenshtein), exactness by kind of word, and confidence of numbers."""

    chars: int = 0
    char_errors: int = 0
    words: int = 0
    word_errors: int = 0
    numbers: Count = field(default_factory=Count)
    units: Count = field(default_factory=Count)
    negations: Count = field(default_factory=Count)
    sure: list[tuple[float, bool]] = field(default_factory=list)
    wrong: list[tuple[str, str, float]] = field(default_factory=list)

    def add(self, said: str, read: str, sure: Sequence[float], *, fold: bool = False) -> None:
        """One page. `sure`: a confidence for each word of `read`. `fold`: accents do not count."""
        if fold:
            said, read = plain(said), plain(read)
        theirs, ours = said.split(), read.split()
        self.chars += len(" ".join(theirs))
        self.char_errors += distance(" ".join(theirs), " ".join(ours))
        self.words += len(theirs)
        for a, b in aligned(theirs, ours):
            word = theirs[a] if a is not None else ""
            other = ours[b] if b is not None else ""
            self.word_errors += word != other
            right = word.strip(_EDGES) == other.strip(_EDGES)
            if word:
                self._kinds(word.strip(_EDGES).lower(), right)
            if other and re.search(r"\d", other) and b is not None:
                self.sure.append((sure[b], right))
                if not right:
                    self.wrong.append((word, other, sure[b]))

    def _kinds(self, word: str, right: bool) -> None:
        if re.search(r"\d", word):
            self.numbers.add(right)
        if word in _UNITS:
            self.units.add(right)
        if word in NEGATIONS or plain(word) in NEGATIONS:
            self.negations.add(right)

    @property
    def auc(self) -> float | None:
        """Chance that a right number is surer than a wrong one (ties half); None without both."""
        wrong = [s for s, right in self.sure if not right]
        good = [s for s, right in self.sure if right]
        if not wrong or not good:
            return None
        return sum((g > w) + 0.5 * (g == w) for g in good for w in wrong) / (len(wrong) * len(good))


def distance(one: Sequence[object], other: Sequence[object]) -> int:
    """Levenshtein's."""
    import numpy as np

    codes = {c: n for n, c in enumerate(dict.fromkeys([*one, *other]))}
    b = np.array([codes[c] for c in other], dtype=np.int32)
    steps = np.arange(len(b) + 1)
    row = steps.copy()
    for n, c in enumerate(one, 1):
        new = np.empty_like(row)
        new[0] = n
        new[1:] = np.minimum(row[1:] + 1, row[:-1] + (b != codes[c]))
        row = np.minimum.accumulate(new - steps) + steps
    return int(row[-1])


def aligned(one: Sequence[str], other: Sequence[str]) -> list[tuple[int | None, int | None]]:
    """Pairs of places on a shortest way from one to the other; a word that shares letters is the nearer one."""
    cost = [[0.0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in range(len(one) + 1):
        for j in range(len(other) + 1):
            if not i or not j:
                cost[i][j] = float(i + j)
                continue
            a, b = one[i - 1], other[j - 1]
            swap = 0.0 if a == b else 0.4 + 0.6 * distance(a, b) / max(len(a), len(b))
            cost[i][j] = min(cost[i - 1][j] + 0.7, cost[i][j - 1] + 0.7, cost[i - 1][j - 1] + swap)
    pairs: list[tuple[int | None, int | None]] = []
    i, j = len(one), len(other)
    while i or j:
        if i and j:
            a, b = one[i - 1], other[j - 1]
            swap = 0.0 if a == b else 0.4 + 0.6 * distance(a, b) / max(len(a), len(b))
            if abs(cost[i][j] - cost[i - 1][j - 1] - swap) < 1e-9:
                pairs.append((i - 1, j - 1))
                i, j = i - 1, j - 1
                continue
        if (i and abs(cost[i][j] - cost[i - 1][j] - 0.7) < 1e-9) or not j:
            pairs.append((i - 1, None))
            i -= 1
        else:
            pairs.append((None, j - 1))
            j -= 1
    return pairs[::-1]
