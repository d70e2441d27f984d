"""What a model is asked in this study: text files by name and version, hashed into the run's manifest."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib.resources import files

NAMES = ("open-1", "choice-1", "span-1", "rubric-1")


@lru_cache(maxsize=16)
def prompt(name: str) -> str:
    """A prompt by its name and version."""
    return files(__name__).joinpath(f"{name}.txt").read_text("utf-8")


def fingerprint() -> str:
    """A hash of all of them."""
    return hashlib.sha256("\n".join(map(prompt, NAMES)).encode()).hexdigest()[:16]
