"""The stages in order, one file each. A stage reads the tables of earlier ones and writes its own."""

from __future__ import annotations

from chartcite.lab.experiment.stage import Stage
from chartcite.lab.experiment.stages.answer import AnswerStage
from chartcite.lab.experiment.stages.compare import CompareStage
from chartcite.lab.experiment.stages.corpus import CorpusStage
from chartcite.lab.experiment.stages.measure import MeasureStage
from chartcite.lab.experiment.stages.report import ReportStage
from chartcite.lab.experiment.stages.retrieve import RetrieveStage
from chartcite.lab.experiment.stages.verify import VerifyStage

STAGES: tuple[Stage, ...] = (
    CorpusStage(), RetrieveStage(), AnswerStage(), VerifyStage(), MeasureStage(), CompareStage(), ReportStage()
)  # fmt: skip
