"""ROUGE-2: shared pairs of neighbouring words; F1, best over the references (Lin, 2004, section 2).

As ROUGE-1, over pairs. See `lab/rouge.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.rouge import Rouge


@dataclass(frozen=True, slots=True)
class Rouge2(Rouge):
    """See `Rouge`.

    >>> found = Rouge2().measure({"1": ["Why was warfarin stopped?"]}, {"1": "Why was warfarin given?"})
    >>> round(found["rouge_2"].value, 4)
    0.6667
    """

    kind: ClassVar[str] = "rouge2"
    called: ClassVar[str] = "rouge_2"


METRIC = Rouge2
