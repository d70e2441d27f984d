"""What `[options]` of a `grounding_study` may say, with the paper's values as defaults."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from chartcite.lab.datasets.pdf_folder import pdf_files
from chartcite.lab.errors import MissingData
from chartcite.lab.experiment.errors import BadSpec
from chartcite.lab.experiment.spec import Experiment

Against = Literal["cited", "given", "retrieved"]
"""What a claim is judged against: the sources that it names, all that the writer saw, or all that was retrieved."""
JudgeName = Literal["rules", "always", "endpoint"]
WHOLE_COLLECTION = "full_context"
"""The method that stands for no first stage: every chunk is a candidate."""


class GroundingOptions(BaseModel):
    """The study's own options.

    Attributes:
        candidates: chunks retrieved for a query.
        context: of these, chunks that the writer sees.
        temperature: of the writing model.
        answer_tokens: most tokens of its reply.
        judges: who judges; `rules` is always there.
        against: see `Against`.
        planted: planted claims of each kind, true and false, for a query.
        sheet_items: claims on the sheet for people; 0 for all.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    candidates: int = Field(default=20, ge=1, le=500)
    context: int = Field(default=5, ge=1, le=50)
    temperature: float = Field(default=0.1, ge=0, le=2)
    answer_tokens: int = Field(default=700, ge=50, le=8000)
    judges: tuple[JudgeName, ...] = ("rules", "always")
    against: tuple[Against, ...] = ("cited", "given", "retrieved")
    planted: int = Field(default=1, ge=0, le=20)
    sheet_items: int = Field(default=60, ge=0)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.context > self.candidates:
            raise ValueError("context is larger than candidates")
        if "rules" not in self.judges:
            raise ValueError("judges must hold rules, which every other judge stands beside")
        for what in (self.judges, self.against):
            if len(set(what)) < len(what) or not what:
                raise ValueError("judges and against name each thing once, and at least one")
        return self


def options_of(spec: Experiment) -> GroundingOptions:
    """The options of an experiment."""
    return GroundingOptions.model_validate(spec.options)


def check_wanted(spec: Experiment, base: Path) -> None:
    """Raise, before anything is begun, what would be raised later.

    Raises:
        BadSpec: another data set, or a rerank kind that the study has not.
        MissingData: the folder holds no PDF.
    """
    if spec.data.dataset != "pdf_folder":
        raise BadSpec('A grounding_study reads PDFs: data.dataset is "pdf_folder".', "docs/grounding_study.md")
    for strategy in spec.strategies:
        if strategy.settings.rerank == "fused":
            raise BadSpec(
                f"{strategy.name}: this study reranks with cross or not at all.", 'rerank = "cross" or "none"'
            )
    folder = base / Path(spec.data.folder).expanduser()
    if folder.is_dir() and not pdf_files(folder):
        raise MissingData(f"There is no PDF in {folder}.", "Name the folder that holds them.")
