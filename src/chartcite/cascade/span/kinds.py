"""What kind of span a question asks for, by its words and by what it names. English and Portuguese."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Literal

from chartcite.cascade.statements import Wanted

Wants = Literal["value", "dose", "drug", "date", "side", "person", "reason", "duration", "age", "rest"]
_DOSE = re.compile(
    r"\b(?:doses?|dosage|how much|strength|taking|taken?|prescribed|dosagem|quanto|tom\w+)\b", re.IGNORECASE
)


def wants(question: str, want: Wanted) -> Wants:
    """The kind of span; `rest` where nothing says it.

    >>> from chartcite.cascade.statements import wanted
    >>> wants("When was the warfarin dose last changed?", wanted("warfarin dose"))
    'date'
    >>> wants("What is the warfarin dose?", wanted("What is the warfarin dose?"))
    'dose'
    """
    for kind, patterns in _kinds():
        if any(pattern.search(question) for pattern in patterns):
            return kind
    if want.drugs and _DOSE.search(question):
        return "dose"
    return "value" if want.analytes else "rest"


@lru_cache(maxsize=1)
def _kinds() -> tuple[tuple[Wants, tuple[re.Pattern[str], ...]], ...]:
    table = tomllib.loads(files("chartcite.cascade.span").joinpath("data/kinds.toml").read_text("utf-8"))
    return tuple((kind, tuple(re.compile(p, re.IGNORECASE) for p in found)) for kind, found in table.items())  # type: ignore[misc]
