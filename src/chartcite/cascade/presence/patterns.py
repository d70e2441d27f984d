"""The patterns of `data/senses.toml`, by name."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files


def pattern(name: str) -> re.Pattern[str]:
    """One of them; any of its alternatives matches."""
    return _patterns()[name]


@lru_cache(maxsize=1)
def _patterns() -> dict[str, re.Pattern[str]]:
    data = tomllib.loads(files("chartcite.cascade.presence").joinpath("data/senses.toml").read_text("utf-8"))
    return {name: re.compile("|".join(parts), re.IGNORECASE) for name, parts in data.items()}
