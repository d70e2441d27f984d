"""Where and with what rows were made: versions, the code's own hash, the machine. Names nobody and no host."""

from __future__ import annotations

import hashlib
import os
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from chartcite import __version__

_LIBRARIES = ("numpy", "onnxruntime", "tokenizers", "scipy", "statsmodels", "matplotlib")
_NO_ROWS = ("app", "lab/longchart", "lab/planted_edits")  # doors and the generators change no row


def made_with() -> dict[str, str]:
    """What decides the digits: rows of one stage are never made with two of these."""
    versions = {name: _version(name) for name in _LIBRARIES}
    return {"chartcite": __version__, "code": code_sha256(), "python": platform.python_version(), **versions}


def machine() -> dict[str, object]:
    """The machine, without its name."""
    return {
        "system": platform.system(), "machine": platform.machine(), "processor": _processor(),
        "cores": os.cpu_count() or 0,
    }  # fmt: skip


@cache
def code_sha256() -> str:
    """Hash of the package's own files, by name and content: tells two states of one version apart, without git."""
    spec = find_spec("chartcite")
    root = Path((spec.submodule_search_locations or ["."])[0]) if spec else Path()
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and path.suffix != ".pyc" and not name.startswith(_NO_ROWS):
            digest.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
