"""ROUGE-L: the longest common subsequence of words; F1, best over the references (Lin, 2004, section 3.1).

`P = lcs / words of the answer`, `R = lcs / words of the reference`; line ends are nothing. See `lab/rouge.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.rouge import Rouge


@dataclass(frozen=True, slots=True)
class RougeL(Rouge):
    """See `Rouge`.

    >>> found = RougeL().measure({"1": ["Why was warfarin stopped?"]}, {"1": "warfarin was stopped"})
    >>> round(found["rouge_l"].value, 4)
    0.5714
    """

    kind: ClassVar[str] = "rougeL"
    called: ClassVar[str] = "rouge_l"


METRIC = RougeL
