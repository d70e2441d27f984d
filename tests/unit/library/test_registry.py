"""Implementations by name."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

import pytest

from chartcite.core.errors import MissingExtra, UnknownImplementation
from chartcite.library import registry
from chartcite.library.registry import ROOMS, find, known


@pytest.mark.parametrize("kind", ROOMS)
def test_every_known_name_can_be_found(kind: str) -> None:
    assert known(kind) == sorted(known(kind))
    for name in known(kind):
        try:
            assert isinstance(find(kind, name), ModuleType)
        except MissingExtra as error:  # only what an extra brings may be missing, and the advice names it
            assert "chartcite[" in error.advice  # noqa: PT017


def test_defaults_are_known() -> None:
    assert {"bge_small_en", "onnx_folder"} <= set(known("encoder"))
    assert {"sentences", "fixed"} == set(known("splitter"))
    assert {"lexical", "dense", "hybrid"} <= set(known("method"))


@pytest.mark.parametrize("name", ["", "nope", "../os", "os.path", "__init__", "bge_small_en.py", "Bge_small_en"])
def test_other_names_are_answered_with_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownImplementation) as refused:
        find("encoder", name)
    assert "bge_small_en" in refused.value.advice


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> ModuleType:
        raise ModuleNotFoundError(f"No module named {name!r}", name="tantivy.core")

    monkeypatch.setattr(registry, "known", lambda kind: ["large"])
    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(MissingExtra, match="needs tantivy") as refused:
        find("encoder", "large")
    assert "pip install" in refused.value.advice


def test_a_broken_module_of_ours_is_not_called_a_missing_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> ModuleType:
        raise ModuleNotFoundError("gone", name="chartcite.nothing")

    monkeypatch.setattr(registry, "known", lambda kind: ["large"])
    monkeypatch.setattr(importlib, "import_module", broken)
    with pytest.raises(ModuleNotFoundError):
        find("encoder", "large")


def test_an_entry_point_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name = "sentences"

        def load(self) -> str:
            return "theirs"

    monkeypatch.setattr(registry, "entry_points", lambda group: [Point()] if group == "chartcite.splitter" else [])
    assert find("splitter", "sentences") == "theirs"
    assert isinstance(find("splitter", "fixed"), ModuleType)


def test_nothing_is_imported_that_is_not_asked_for() -> None:
    """Names are listed without importing the engines behind them."""
    for module in [name for name in sys.modules if name.startswith("chartcite.models.reranker.")]:
        del sys.modules[module]
    known("reranker")
    assert not [name for name in sys.modules if name.startswith("chartcite.models.reranker.")]
