"""SQuAD's normalisation of short answers (Rajpurkar et al., EMNLP 2016, official `evaluate-v1.1.py`)."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence

from chartcite.lab.measured import Measured, Value, absent, averaged, unasked

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


def normalised(text: str) -> str:
    """Lower case, ASCII punctuation out, English articles out, single spaces.

    The order matters and is the official one. Numbers lose their point: `2.5` becomes `25`, which is SQuAD's doing;
    use it for comparison with published figures, not to decide whether a dose is right.

    >>> normalised("The  INR, today: 2.5")
    'inr today 25'
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def best_of_references(
    name: str,
    gold: Mapping[str, Sequence[str]],
    predicted: Mapping[str, str],
    score: Callable[[str, str], float],
) -> Measured:
    """The best score over a case's references; a case without references expects the empty answer (SQuAD 2.0)."""
    values = []
    for case, references in gold.items():
        if case not in predicted:
            values.append(Value(case, name, 0.0, "no prediction"))
            continue
        values.append(Value(case, name, max(score(predicted[case], r) for r in references or ("",))))
    return Measured(tuple(values), (averaged(name, values, absent(gold, predicted)),), unasked(gold, predicted))
