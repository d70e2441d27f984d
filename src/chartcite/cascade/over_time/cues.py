"""Cues: the words by which a question over time is known. The words stand in `data/cues.toml`."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files


def cue(name: str) -> re.Pattern[str]:
    """A cue by its name in the file, as whole words.

    Raises:
        KeyError: the file has none of that name.
    """
    return _cues()[name]


def says(name: str, text: str) -> bool:
    """Whether a text has a cue."""
    return cue(name).search(text) is not None


@lru_cache(maxsize=1)
def _cues() -> dict[str, re.Pattern[str]]:
    data = tomllib.loads(files("chartcite.cascade.over_time").joinpath("data/cues.toml").read_text("utf-8"))
    return {name: re.compile(rf"\b(?:{'|'.join(words)})\b") for name, words in data.items()}
