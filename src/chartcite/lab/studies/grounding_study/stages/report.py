"""Stage `report`: one HTML file that holds everything a reader needs and asks nothing of the network."""

from __future__ import annotations

from chartcite.lab.csv_safe import replace_text
from chartcite.lab.experiment.stage import Context, Finished, Stage
from chartcite.lab.experiment.stages.report import FILE
from chartcite.lab.studies.grounding_study.report.page import page


class ReportStage(Stage):
    """See the module."""

    name = "report"

    def finish(self, ctx: Context) -> Finished:
        """Write the page."""
        path = ctx.folder.path / FILE
        replace_text(path, page(ctx))
        return Finished(files=(path,))
