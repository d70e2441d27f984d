"""`archehr`: the cascade of paper 002 on ArchEHR-QA: XML in, submission files of both years out, official figures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chartcite.lab.datafiles import wanted
from chartcite.lab.datasets.archehr import XML
from chartcite.lab.experiment.errors import BadSpec
from chartcite.lab.experiment.folder import RunFolder
from chartcite.lab.experiment.spec import Experiment, slug
from chartcite.lab.experiment.study import Figures, Study
from chartcite.lab.experiment.tables import SummaryRow
from chartcite.lab.studies.archehr.answer import AnswerStage
from chartcite.lab.studies.archehr.compare import MAIN, CompareStage
from chartcite.lab.studies.archehr.corpus import CorpusStage
from chartcite.lab.studies.archehr.measure import MeasureStage
from chartcite.lab.studies.archehr.options import ArchehrOptions
from chartcite.lab.studies.archehr.report import ReportStage
from chartcite.lab.studies.archehr.tables import DifferenceRow, ScoreRow


def _parts(whole: Mapping[str, Any]) -> dict[str, Any]:
    options = whole["options"]
    kitchens = [{k: s["settings"][k] for k in ("encoder", "splitter", "language")} for s in whole["strategies"]]
    return {
        "corpus": [whole["data"], kitchens, options.get("segmentation")],
        "answer": [whole["strategies"], options.get("oracles")],
        "measure": [options.get("evidence_from"), whole["statistics"]],
        "report": [whole["name"]],
    }


def _figures(folder: RunFolder) -> Figures:
    scores = folder.read_table("measure", "", ScoreRow)
    summary = [
        SummaryRow(
            s.strategy, "", f"{s.task} {s.measure}", f"{s.oracle} given" if s.oracle else "", s.value, s.low, s.high,
            s.n, "cases", s.n, 0, s.reason,
        )
        for s in scores
        if s.measure in (*MAIN[s.task], "overall_score")
    ]  # fmt: skip
    return Figures(summary, {"scores": scores, "differences": folder.read_table("compare", "", DifferenceRow)})


def _wanted(spec: Experiment, base: Path) -> None:
    """What must be so before anything is begun: the data set, its XML, and names that make different files."""
    if spec.data.dataset != "archehr":
        raise BadSpec("The study archehr wants the data set archehr.", 'Write dataset = "archehr".')
    names = [slug(s.name) for s in spec.strategies]
    if len(set(names)) < len(names):
        raise BadSpec("Two strategies would write the same submission file.", "Give them names that differ in letters.")
    folder = base / Path(spec.data.folder).expanduser()
    if folder.exists():
        wanted("archehr", folder, XML)


STUDY = Study(
    (CorpusStage(), AnswerStage(), MeasureStage(), CompareStage(), ReportStage()),
    _parts, _figures, ArchehrOptions, _wanted,
)  # fmt: skip
