"""Reads the prompts; their hash is part of what an answer's configuration records."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=32)
def prompt(name: str) -> str:
    """A prompt by its name and version, for example `write-1`."""
    return files("chartcite.cascade.prompts").joinpath(f"{name}.txt").read_text("utf-8")


@lru_cache(maxsize=32)
def examples(name: str) -> tuple[Any, ...]:
    """The invented examples that go with a prompt."""
    return tuple(json.loads(files("chartcite.cascade.prompts").joinpath(f"{name}.examples.json").read_text("utf-8")))


def fingerprint(*names: str) -> str:
    """A hash of prompts with their examples."""
    parts = [prompt(name) + json.dumps(examples(name) if name.startswith("write") else ()) for name in names]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
