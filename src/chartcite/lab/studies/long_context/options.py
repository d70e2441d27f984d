"""What an experiment of this study says under `[options]`."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from chartcite.lab.cases import TaskForm

NoteSetting = Literal["exclude_all", "exclude_related", "include_all", "include_related"]
"""Which notes a question may draw on. The paper's "Exclude Relevant" and "Exclude Related" are one setting."""
Answerer = Literal["cascade", "direct"]
"""Who answers: chartcite's cascade, or the writer's model alone, shown the context as the paper shows it."""
Aspect = Literal["correctness", "completeness", "faithfulness"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class Judge(_Part):
    """A model that judges answers against the reference, by an endpoint. Its key: `judge_engines`."""

    name: str = Field(min_length=1, max_length=60)
    url: str = Field(min_length=1, pattern="^[^@]*$", description="without a login: it is written to the manifest")
    model: str = Field(min_length=1)


class Sheet(_Part):
    """Which two systems the category sheet compares; strategies of `include_all`, answered by `answerer`.

    `labels`: a filled sheet, its path relative to the experiment's file. `most`: so many questions at most.
    """

    first: str = ""
    second: str = ""
    answerer: Answerer = "cascade"
    most: int = Field(default=60, ge=0)
    labels: str = ""


class Options(_Part):
    """The options of a long-context experiment.

    Attributes:
        notes: note settings, in the order of tables.
        retrieval_in: settings in which strategies other than full context are tried too; the paper tries them where all
            notes are included.
        forms: task forms; a case is asked in those of them that it has.
        answerers: see `Answerer`; `direct` needs `writer_url`.
        reasoning: the writer is a reasoning model: temperature 1 instead of 0 (the paper's table 6). How much it may
            think is the setting `writer_think_tokens`: 20,000 for QwQ, 8,000 for HuatuoGPT-o1.
        answer_tokens: most tokens of a direct answer, thinking apart.
        judges: none, one or several.
        aspects: what a judge is asked for, 1 to 5 each.
        judge_may_be_judged: let a judge be the writer's own model, as the paper did.
    """

    notes: tuple[NoteSetting, ...] = Field(
        default=("exclude_all", "exclude_related", "include_all", "include_related"), min_length=1
    )
    retrieval_in: tuple[NoteSetting, ...] = ("include_all",)
    forms: tuple[TaskForm, ...] = Field(default=("open", "choice", "span"), min_length=1)
    answerers: tuple[Answerer, ...] = Field(default=("cascade", "direct"), min_length=1)
    reasoning: bool = False
    answer_tokens: int = Field(default=200, ge=1, le=100_000)
    judges: tuple[Judge, ...] = ()
    aspects: tuple[Aspect, ...] = Field(default=("correctness", "completeness", "faithfulness"), min_length=1)
    judge_may_be_judged: bool = False
    sheet: Sheet = Sheet()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        lists = (self.notes, self.forms, self.answerers, self.aspects, tuple(j.name for j in self.judges))
        if any(len(set(given)) < len(given) for given in lists):
            raise ValueError("something is named twice")
        return self
