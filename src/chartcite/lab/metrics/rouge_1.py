"""ROUGE-1: shared words; F1, best over the references (Lin, 2004, section 2).

`F1 = 2 * shared / (words of the answer + words of the reference)`, shared with multiplicity. See `lab/rouge.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.rouge import Rouge


@dataclass(frozen=True, slots=True)
class Rouge1(Rouge):
    """See `Rouge`.

    >>> found = Rouge1().measure({"1": ["Why was warfarin stopped?"]}, {"1": "warfarin was stopped"})
    >>> round(found["rouge_1"].value, 4)
    0.8571
    """

    kind: ClassVar[str] = "rouge1"
    called: ClassVar[str] = "rouge_1"


METRIC = Rouge1
