"""All tables of a run, read once for the page."""

from __future__ import annotations

from typing import Any

from chartcite.lab.experiment.metric_names import metric_of
from chartcite.lab.experiment.stage import Context
from chartcite.lab.experiment.stages.measure import ANSWERED
from chartcite.lab.experiment.tables import (
    AnswerRow,
    ClaimShareRow,
    CorpusRow,
    KappaRow,
    McNemarRow,
    PairRow,
    RetrievedRow,
    SummaryRow,
    ValueRow,
    VerifyRow,
)


class Rows:
    """See the module."""

    def __init__(self, ctx: Context) -> None:
        self.spec, self.cases, self.clusters = ctx.spec, ctx.cases, ctx.clusters
        self.manifest: dict[str, Any] = ctx.folder.manifest
        self.folder = ctx.folder.path.name
        self.corpus = ctx.rows("corpus", CorpusRow)
        self.retrieved = ctx.rows("retrieve", RetrievedRow)
        self.answers = ctx.rows("answer", AnswerRow)
        self.verified = ctx.rows("verify", VerifyRow)
        self.values = ctx.rows("measure", ValueRow)
        self.summaries = ctx.rows("measure", SummaryRow, "summary")
        self.claims = ctx.rows("measure", ClaimShareRow, "claims")
        self.pairs = ctx.rows("compare", PairRow)
        self.mcnemar = ctx.rows("compare", McNemarRow, "mcnemar")
        self.kappa = ctx.rows("compare", KappaRow, "kappa")

    @property
    def strategies(self) -> list[str]:
        """Their names, in order."""
        return [s.name for s in self.spec.strategies]

    @property
    def level(self) -> str:
        """The coverage of intervals, in words."""
        return f"{self.spec.statistics.level:.0%}".replace("%", " %")

    def overall(self) -> list[SummaryRow]:
        """Summaries over all cases."""
        return [s for s in self.summaries if not s.group]

    def ranking(self) -> list[SummaryRow]:
        """Those of rankings."""
        return [s for s in self.overall() if not s.by and not self._of_texts(s.measure)]

    def of_answers(self) -> list[SummaryRow]:
        """Those of answers that nobody has to judge: texts, and whether there is one."""
        return [s for s in self.overall() if not s.by and self._of_texts(s.measure)]

    def forms(self) -> dict[str, str]:
        """By metric of texts, what exactly was computed."""
        found: dict[str, str] = self.manifest.get("metrics", {})
        return found

    def _of_texts(self, measure: str) -> bool:
        texts = {m.name for m in map(metric_of, self.spec.metrics) if m.needs in ("text", "revision")}
        return measure == ANSWERED or measure.removesuffix(".corpus") in texts
