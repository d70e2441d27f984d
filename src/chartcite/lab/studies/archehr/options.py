"""What `[options]` of an ArchEHR-QA experiment may say."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Oracle = Literal["", "query", "evidence", "answer"]
"""What is given from the key in place of a stage's own output; empty: nothing is."""
ORACLES: tuple[Oracle, ...] = ("", "query", "evidence", "answer")


class ArchehrOptions(BaseModel):
    """The study's own options."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    segmentation: Literal["stated", "own"] = Field(
        default="stated", description="sentences of the store: the data set's, or our cut mapped to them by overlap"
    )
    evidence_from: Literal["kept", "cited", "both"] = Field(
        default="kept", description="subtask 2: the evidence kept, what the answer cites, or the union"
    )
    oracles: Literal["first", "all", "none"] = Field(
        default="first", description="which strategies also run with each stage's output given from the key"
    )
