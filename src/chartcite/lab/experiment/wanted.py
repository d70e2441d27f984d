"""Looks, before anything is begun, whether all that an experiment wants is there: names, extras, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from chartcite.lab.dataset import Dataset
from chartcite.lab.errors import MissingData
from chartcite.lab.experiment.errors import BadSpec
from chartcite.lab.experiment.metric_names import check_metrics
from chartcite.lab.experiment.spec import Experiment
from chartcite.lab.experiment.verifiers import find_verifier
from chartcite.lab.extras import need
from chartcite.library.engines import find_method
from chartcite.library.registry import find


def check_wanted(spec: Experiment, base: Path, *, data: bool = True) -> None:
    """Raise what would be raised later; without `data`, the data set's files are not wanted.

    Raises:
        UnknownImplementation: a data set, metric, verifier, method, splitter, encoder or reranker of no known name.
        NotConfigured: a method that searches with a sparse encoder, where none is named.
        MissingExtra: the lab's libraries are not installed.
        MissingData: the data set's folder, or the file of ratings, is not there.
        BadSpec: a metric that the runner cannot compute, or judges that differ between strategies.
    """
    for module in ("scipy.stats", "statsmodels", "matplotlib"):
        need(module)
    dataset_of(spec)
    check_metrics(spec.metrics)
    for name in spec.verifiers:
        find_verifier(name)
    for strategy in spec.strategies:
        s = strategy.settings
        find_method(s)
        for kind, name in (
            ("splitter", s.splitter),
            ("encoder", s.encoder),
            ("reranker", s.reranker),
            ("sparse", s.sparse),
        ):
            if name:
                find(kind, name.partition(":")[0])
    one_judge(spec)
    folder = base / Path(spec.data.folder).expanduser()
    if data and not folder.exists():
        raise MissingData(f"The data set {spec.data.dataset} is not in {folder}: there is no such folder.")
    if spec.annotation.ratings and not (base / spec.annotation.ratings).is_file():
        raise MissingData(f"There is no file {spec.annotation.ratings} of ratings.", "annotation.ratings is relative.")


def one_judge(spec: Experiment) -> None:
    """Make sure that the strategies name one judge: a figure by two of them is nobody's.

    Raises:
        BadSpec: they name different ones.
    """
    if len({(s.settings.judge_url, s.settings.judge_model) for s in spec.strategies}) > 1:
        raise BadSpec("The strategies name different judges.", "Name one judge below [settings].")


def dataset_of(spec: Experiment) -> Dataset:
    """The data set that an experiment names."""
    found: Any = find("dataset", spec.data.dataset)
    dataset: Dataset = getattr(found, "DATASET", found)
    return dataset
