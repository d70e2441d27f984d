"""What a study is: a kind of experiment, with its stages, its own options, and what its rows depend on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from chartcite.lab.experiment.folder import RunFolder
from chartcite.lab.experiment.spec import Experiment, digest
from chartcite.lab.experiment.stage import Stage
from chartcite.lab.experiment.tables import SummaryRow
from chartcite.library.registry import find


class NoOptions(BaseModel):
    """The options of a study that has none: whatever is named is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True, slots=True)
class Figures:
    """What a finished run shows in the terminal and in JSON: summaries, and further tables by name."""

    summary: Sequence[SummaryRow]
    tables: Mapping[str, Sequence[Any]] = field(default_factory=dict)


def _nothing_more(spec: Experiment, base: Path) -> None:
    """For a study that wants nothing but what every experiment wants."""


@dataclass(frozen=True, slots=True)
class Study:
    """A package or file of `lab/studies`, there called `STUDY`.

    Attributes:
        stages: in order; the first fills the run's store, the last writes the report.
        parts: by stage, what of the specification (as `Experiment.to_dict`) its rows depend on; a stage that is not
            named depends on what the earlier ones do.
        figures: of a finished run.
        options: the model of `[options]`; its defaults are written into the specification.
        wanted: raises, before anything is begun, what would be raised later.
    """

    stages: tuple[Stage, ...]
    parts: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    figures: Callable[[RunFolder], Figures]
    options: type[BaseModel] = NoOptions
    wanted: Callable[[Experiment, Path], None] = _nothing_more

    @property
    def names(self) -> list[str]:
        """The stages' names, in order."""
        return [stage.name for stage in self.stages]

    def basis(self, spec: Experiment) -> dict[str, str]:
        """By stage, a hash of what its rows depend on in the specification, with all that earlier stages depend on."""
        parts = self.parts(spec.to_dict())
        found, so_far = {}, ""
        for name in self.names:
            so_far = found[name] = digest([so_far, parts.get(name)])
        return found


def study_of(spec: Experiment) -> Study:
    """The study that a specification names.

    Raises:
        UnknownImplementation: there is none of that name.
    """
    study: Study = find("study", spec.study).STUDY
    return study
