"""`comparison`: strategies search and answer the same cases, verifiers judge, metrics and paired tests compare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chartcite.lab.experiment.folder import RunFolder
from chartcite.lab.experiment.stages.answer import AnswerStage
from chartcite.lab.experiment.stages.compare import CompareStage
from chartcite.lab.experiment.stages.corpus import CorpusStage
from chartcite.lab.experiment.stages.measure import MeasureStage
from chartcite.lab.experiment.stages.report import ReportStage
from chartcite.lab.experiment.stages.retrieve import RetrieveStage
from chartcite.lab.experiment.stages.verify import VerifyStage
from chartcite.lab.experiment.study import Figures, Study
from chartcite.lab.experiment.tables import McNemarRow, PairRow, SummaryRow


def _parts(whole: Mapping[str, Any]) -> dict[str, Any]:
    data = dict(whole["data"])
    answering = {"answer_limit": data.pop("answer_limit")}
    kitchens = [{k: s["settings"][k] for k in ("encoder", "splitter", "language")} for s in whole["strategies"]]
    return {
        "corpus": [data, kitchens],
        "retrieve": [whole["strategies"], whole["depth"]],
        "answer": [whole["answers"], answering],
        "verify": [whole["verifiers"], whole["verifier"]],
        "measure": [whole["metrics"], whole["statistics"]],
        "compare": [whole["annotation"]],
        "report": [whole["name"]],
    }


def _figures(folder: RunFolder) -> Figures:
    return Figures(
        folder.read_table("measure", "summary", SummaryRow),
        {
            "pairs": folder.read_table("compare", "", PairRow),
            "mcnemar": folder.read_table("compare", "mcnemar", McNemarRow),
        },
    )


STUDY = Study(
    (CorpusStage(), RetrieveStage(), AnswerStage(), VerifyStage(), MeasureStage(), CompareStage(), ReportStage()),
    _parts, _figures,
)  # fmt: skip
