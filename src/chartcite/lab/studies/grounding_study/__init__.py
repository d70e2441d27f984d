"""Paper 003: answers from reranked chunks of PDFs, and a separate judge of every claim (docs/grounding_study.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chartcite.lab.experiment.folder import RunFolder
from chartcite.lab.experiment.study import Figures, Study
from chartcite.lab.experiment.tables import McNemarRow, PairRow, SummaryRow
from chartcite.lab.studies.grounding_study import tables
from chartcite.lab.studies.grounding_study.options import GroundingOptions, check_wanted
from chartcite.lab.studies.grounding_study.stages.answer import AnswerStage
from chartcite.lab.studies.grounding_study.stages.claims import ClaimsStage
from chartcite.lab.studies.grounding_study.stages.compare import CompareStage
from chartcite.lab.studies.grounding_study.stages.corpus import CorpusStage
from chartcite.lab.studies.grounding_study.stages.judge import JudgeStage
from chartcite.lab.studies.grounding_study.stages.measure import MeasureStage
from chartcite.lab.studies.grounding_study.stages.plant import PlantStage
from chartcite.lab.studies.grounding_study.stages.report import ReportStage
from chartcite.lab.studies.grounding_study.stages.rerank import RerankStage
from chartcite.lab.studies.grounding_study.stages.retrieve import RetrieveStage
from chartcite.lab.studies.grounding_study.stages.sheet import SheetStage

_KITCHEN = ("encoder", "splitter", "language", "sparse")


def _parts(whole: Mapping[str, Any]) -> dict[str, Any]:
    """By stage, what it depends on: the judge's settings only from judging on, the writer's only from writing on."""
    options, strategies = whole["options"], [(s["name"], dict(s["settings"])) for s in whole["strategies"]]
    judges = [{k: s[k] for k in s if k.startswith("judge_")} for _, s in strategies]
    own = [(name, {k: v for k, v in s.items() if not k.startswith("judge_")}) for name, s in strategies]
    searching = [(name, {k: v for k, v in s.items() if not k.startswith("writer_")}) for name, s in own]
    return {
        "corpus": [whole["data"], [{k: s[k] for k in _KITCHEN} for _, s in own]],
        "retrieve": [searching, options["candidates"]],
        "answer": [own, {k: options[k] for k in ("context", "temperature", "answer_tokens")}],
        "plant": [options["planted"], whole["statistics"]["seed"]],
        "judge": [judges, options["judges"], options["against"]],
        "measure": [whole["statistics"]],
        "sheet": [options["sheet_items"]],
        "report": [whole["name"]],
    }


def _figures(folder: RunFolder) -> Figures:
    return Figures(
        folder.read_table("measure", "summary", SummaryRow),
        {
            "overall": folder.read_table("measure", "overall", tables.OverallRow),
            "grounding": folder.read_table("measure", "grounding", tables.GroundingRow),
            "judges": folder.read_table("measure", "judges", tables.JudgeRow),
            "rerank": folder.read_table("measure", "rerank", tables.RerankRow),
            "pairs": folder.read_table("compare", "", PairRow),
            "mcnemar": folder.read_table("compare", "mcnemar", McNemarRow),
        },
    )


STUDY = Study(
    (CorpusStage(), RetrieveStage(), RerankStage(), AnswerStage(), ClaimsStage(), PlantStage(), JudgeStage(),
     MeasureStage(), CompareStage(), SheetStage(), ReportStage()),
    _parts, _figures, GroundingOptions, check_wanted,
)  # fmt: skip
