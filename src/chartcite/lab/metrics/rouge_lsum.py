"""ROUGE-Lsum: the longest common subsequence of words, taken sentence by sentence; F1, best over the references.

Lin (2004), section 3.2 (union of subsequences); a word counts no more often than both sides have it. **A sentence is a
line**: texts of one line each give plain ROUGE-L, and where line ends stand changes the figure. See `lab/rouge.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.rouge import Rouge


@dataclass(frozen=True, slots=True)
class RougeLsum(Rouge):
    """See `Rouge`.

    >>> found = RougeLsum().measure({"1": ["Why was warfarin stopped?"]}, {"1": "warfarin was stopped"})
    >>> round(found["rouge_lsum"].value, 4)
    0.5714
    """

    kind: ClassVar[str] = "rougeLsum"
    called: ClassVar[str] = "rouge_lsum"
    remark: ClassVar[str] = ", a line is a sentence"


METRIC = RougeLsum
