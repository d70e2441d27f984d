"""Metrics by their names in an experiment: `recall@5` is `RecallAtK(5)`; `meteor:PATH` names a folder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from inspect import signature
from typing import Any

from chartcite.core.errors import UnknownImplementation
from chartcite.lab.experiment.errors import BadSpec
from chartcite.lab.extras import need
from chartcite.lab.measured import Metric
from chartcite.library.registry import find, known

NEEDS = ("ranking", "citations", "text", "revision")
"""What the runner has: rankings, cited sentences, answer texts, and what they were written from."""


@lru_cache(maxsize=64)
def metric_of(name: str) -> Metric[Any, Any]:
    """The metric.

    Raises:
        UnknownImplementation: no such metric; the message lists the known ones.
        BadSpec: a cut-off or a folder where none can be, or a metric of something that experiments do not produce.
    """
    written, colon, folder = name.partition(":")
    base, at, depth = written.partition("@")
    modules = known("metric")
    module = next((m for m in (f"{base}_at_k" if at else base, base, f"{base}_at_k") if m in modules), None)
    if module is None:
        names = ", ".join(m.replace("_at_k", "@5") for m in modules)
        raise UnknownImplementation(f"There is no metric called {name!r}.", f"Known: {names}.")
    if at and not (depth.isascii() and depth.isdigit() and int(depth) > 0):
        raise BadSpec(f"The metric {name!r} has no cut-off rank.", "For example recall@5.")
    kind: Any = find("metric", module).METRIC
    if kind.needs not in NEEDS:
        raise BadSpec(f"The metric {name!r} needs {kind.needs}, which an experiment does not produce.", "Use it apart.")
    if colon and (at or not folder or "folder" not in signature(kind).parameters):
        raise BadSpec(f"The metric {written!r} takes no folder.", f"Write {written}.")
    try:
        metric: Metric[Any, Any] = kind(folder) if colon else kind(int(depth)) if at else kind()
    except TypeError:
        raise BadSpec(f"The metric {name!r} takes no cut-off rank.", f"Write {base}.") from None
    return metric


def form_of(metric: Metric[Any, Any]) -> str:
    """What exactly a metric computes, where several things bear its name; else nothing."""
    return str(getattr(metric, "form", ""))


def check_metrics(names: Sequence[str]) -> None:
    """Make sure that all can be measured, and told apart in a table.

    Raises:
        BadSpec: two of them bear one name there, such as the same metric with two models.
        MissingExtra: a library is not installed.
        UnknownImplementation: there is no such metric.
    """
    metrics = [metric_of(name) for name in names]
    for metric in metrics:
        check_libraries(metric)
    twice = [m.name for i, m in enumerate(metrics) if m.name in {other.name for other in metrics[:i]}]
    if twice:
        raise BadSpec(f"Two metrics are called {twice[0]}.", "One run for each model.")


def check_libraries(metric: Metric[Any, Any]) -> None:
    """Make sure that what a metric imports when it measures is there.

    Raises:
        MissingExtra: it is not.
    """
    for module in getattr(metric, "libraries", ()):
        need(module)
