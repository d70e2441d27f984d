"""Reads the prompts; their hash is part of what an answer's configuration records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

MOST_EXAMPLES: Final = 3
_OF_STAGES: Final = {
    "interpret": ("interpret-1",), "score": ("score-1",), "write": ("write-2", "correct-1"),
    "align": ("align-1",), "choose": ("choose-1",), "span": ("span-1",), "plain": ("plain-1",),
}  # fmt: skip


@lru_cache(maxsize=32)
def prompt(name: str) -> str:
    """A prompt by its name and version, for example `write-2`."""
    return files("chartcite.cascade.prompts").joinpath(f"{name}.txt").read_text("utf-8")


@lru_cache(maxsize=32)
def examples(name: str, most: int = MOST_EXAMPLES) -> tuple[Any, ...]:
    """The first of the invented examples that go with a prompt; none where it has none."""
    file = files("chartcite.cascade.prompts").joinpath(f"{name}.examples.json")
    return tuple(json.loads(file.read_text("utf-8")))[:most] if file.is_file() else ()


def fingerprint(stages: Collection[str]) -> str:
    """A hash of the prompts, with their examples, of some stages."""
    names = [name for stage in _OF_STAGES if stage in stages for name in _OF_STAGES[stage]]
    parts = [prompt(name) + json.dumps(examples(name)) for name in names]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
