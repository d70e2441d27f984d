"""What the encoders that run on torch share: a folder of safetensors, no hub, no code of the model's own, its hash."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from chartcite.models.files import require_safetensors, sha256_of

_SHAPING = frozenset({".safetensors", ".json", ".txt", ".model"})

# Of `SentenceTransformer` and its like: nothing is downloaded, nothing of the folder is run, pickles are not opened.
SAFE: Mapping[str, object] = {
    "device": "cpu",
    "trust_remote_code": False,
    "local_files_only": True,
    "model_kwargs": {"use_safetensors": True},
}


def stay_offline() -> None:
    """Tell the hub's library, before it is loaded, that there is no network."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"


def require(folder: Path) -> None:
    """Check a sentence-transformers folder.

    Raises:
        ModelMissing: the folder or a file is not there.
        ModelRefused: a part of it has only pickled weights.
    """
    require_safetensors(folder, ("modules.json", "tokenizer.json"))


def digest(folder: Path, *parts: str) -> str:
    """A hash over all files that shape a vector, and what else does."""
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix in _SHAPING)
    listed = [f"{path.relative_to(folder).as_posix()} {sha256_of(path)}" for path in files]
    return hashlib.sha256("\n".join([*listed, *parts]).encode()).hexdigest()[:16]
