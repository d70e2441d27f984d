"""`long_context`: paper 000. Questions on long records: four note settings, full context, RAG, hierarchical RAG."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chartcite.core.errors import ModelRefused
from chartcite.lab.experiment.errors import BadSpec
from chartcite.lab.experiment.folder import RunFolder
from chartcite.lab.experiment.metric_names import metric_of
from chartcite.lab.experiment.spec import Experiment
from chartcite.lab.experiment.stages.corpus import CorpusStage
from chartcite.lab.experiment.study import Figures, Study
from chartcite.lab.experiment.tables import SummaryRow
from chartcite.lab.studies.long_context.options import Options
from chartcite.lab.studies.long_context.sights import FULL
from chartcite.lab.studies.long_context.stages.analyse import AnalyseStage
from chartcite.lab.studies.long_context.stages.answer import AnswerStage
from chartcite.lab.studies.long_context.stages.context import ContextStage
from chartcite.lab.studies.long_context.stages.judge import JudgeStage, judge_engines
from chartcite.lab.studies.long_context.stages.lengths import LengthsStage
from chartcite.lab.studies.long_context.stages.report import ReportStage
from chartcite.lab.studies.long_context.stages.score import ScoreStage
from chartcite.lab.studies.long_context.stages.sheet import SheetStage
from chartcite.lab.studies.long_context.stages.summary import SummaryStage
from chartcite.lab.studies.long_context.tables import CellRow
from chartcite.library.engines import Engines


def _parts(whole: Mapping[str, Any]) -> dict[str, Any]:
    data, options = dict(whole["data"]), dict(whole["options"])
    limit = data.pop("answer_limit")
    kitchens = [{k: s["settings"][k] for k in ("encoder", "splitter", "language")} for s in whole["strategies"]]
    asked = {k: options[k] for k in ("forms", "answerers", "reasoning", "answer_tokens")}
    return {
        "corpus": [data, kitchens],
        "context": [whole["strategies"], options["notes"], options["retrieval_in"]],
        "answer": [asked, limit],
        "score": [whole["metrics"]],
        "judge": [options["judges"], options["aspects"], options["judge_may_be_judged"]],
        "summary": [whole["statistics"]],
        "sheet": [options["sheet"]],
        "report": [whole["name"]],
    }


def _wanted(spec: Experiment, base: Path) -> None:  # noqa: ARG001 - the port's signature
    """Refuse what could only fail later.

    Raises:
        BadSpec: a metric of something else than texts, or no strategy that takes in the whole record.
        ModelRefused: a judge is the writer's own model, or on another machine, and that was not allowed.
    """
    options = Options.model_validate(spec.options)
    _no_text_leaves(spec, options)
    for name in spec.metrics:
        if metric_of(name).needs != "text":
            raise BadSpec(f"The metric {name!r} is not one of answer texts.", "For example token_f1, meteor, rouge_l.")
    if not any(s.settings.method == FULL for s in spec.strategies):
        raise BadSpec("No strategy has the method full_context, which the others are compared with.")
    for judge in options.judges:
        if judge_engines(spec, options, judge).judge is None:
            raise ModelRefused(f"The judge {judge.name} has no url.", "Name one in options.judges.")


def _no_text_leaves(spec: Experiment, options: Options) -> None:
    """Surrogates stand before `ask`'s models only: what a direct answer and a judge are shown goes as it is.

    Raises:
        ModelRefused: an endpoint that would be shown it is one for which the settings want surrogates.
    """
    first = spec.strategies[0].settings
    shown = [judge_engines(spec, options, judge).judge for judge in options.judges]
    if "direct" in options.answerers:
        shown.append(Engines(first).writer)
    wanted = first.deidentify
    if any(m is not None and (wanted == "always" or (wanted == "remote" and m.is_remote)) for m in shown):
        raise ModelRefused(
            "Direct answers and judges are shown text without surrogates, and the settings want surrogates.",
            'Use endpoints of this machine, or set deidentify = "off" in [settings] if that text may go there.',
        )


def _figures(folder: RunFolder) -> Figures:
    cells = folder.read_table("summary", "", CellRow)
    return Figures([
        SummaryRow(
            " / ".join(part for part in (c.notes, c.strategy, c.form, c.answerer) if part), c.name, c.measure, c.by,
            c.value, c.low, c.high, c.n, "cases", c.clusters, c.missing, c.reason,
        )
        for c in cells if c.scope == "all"
    ], {"cells": cells})  # fmt: skip


STUDY = Study(
    (CorpusStage(), LengthsStage(), ContextStage(), AnswerStage(), ScoreStage(), JudgeStage(), SummaryStage(),
     AnalyseStage(), SheetStage(), ReportStage()),
    _parts, _figures, Options, _wanted,
)  # fmt: skip
