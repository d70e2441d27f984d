"""All tables of a run that the report shows, read once."""

from __future__ import annotations

from chartcite.lab.experiment.stage import Context
from chartcite.lab.experiment.tables import McNemarRow, PairRow, SummaryRow
from chartcite.lab.studies.grounding_study.results import Results
from chartcite.lab.studies.grounding_study.tables import (
    DedupeRow,
    DocumentRow,
    GroundingRow,
    JudgePairRow,
    JudgeRow,
    OverallRow,
    PlantedRow,
    RerankRow,
    ScoreRow,
    SourceShareRow,
)


class Rows(Results):
    """See the module."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx)
        self.spec, self.manifest, self.folder = ctx.spec, ctx.folder.manifest, ctx.folder.path.name
        self.strategies = [s.name for s in ctx.spec.strategies]
        self.documents = ctx.rows("corpus", DocumentRow, "documents")
        self.duplicates = ctx.rows("rerank", DedupeRow, "duplicates")
        self.planted_claims = ctx.rows("plant", PlantedRow)
        self.summaries = ctx.rows("measure", SummaryRow, "summary")
        self.overall = ctx.rows("measure", OverallRow, "overall")
        self.sources = ctx.rows("measure", SourceShareRow, "sources")
        self.reranks = ctx.rows("measure", RerankRow, "rerank")
        self.scores = ctx.rows("measure", ScoreRow, "scores")
        self.grounding = ctx.rows("measure", GroundingRow, "grounding")
        self.judged_kinds = ctx.rows("measure", JudgeRow, "judges")
        self.agreements = ctx.rows("measure", JudgePairRow, "agreement")
        self.pairs = ctx.rows("compare", PairRow)
        self.mcnemar = ctx.rows("compare", McNemarRow, "mcnemar")

    @property
    def level(self) -> str:
        """The coverage of intervals, in words."""
        return f"{self.how.level:.0%}".replace("%", " %")
