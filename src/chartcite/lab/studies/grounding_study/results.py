"""All rows of a run that figures are made of, read once."""

from __future__ import annotations

from chartcite.lab.cases import Case
from chartcite.lab.datasets.pdf_folder import NO_ANSWER
from chartcite.lab.experiment.stage import Context
from chartcite.lab.studies.grounding_study.options import options_of
from chartcite.lab.studies.grounding_study.tables import (
    AnswerRow,
    ChunkRow,
    ClaimRow,
    DocumentRow,
    JudgedRow,
    PlantedJudgedRow,
    RemovedRow,
    SentenceRow,
)


class Results:
    """See the module."""

    def __init__(self, ctx: Context) -> None:
        self.how = ctx.spec.statistics
        self.options = options_of(ctx.spec)
        self.judges, self.against = self.options.judges, self.options.against
        self.cases: dict[str, Case] = {case.id: case for case in ctx.cases}
        self.queries = list(self.cases)
        self.in_collection = {d.source: d.chunks for d in ctx.rows("corpus", DocumentRow, "documents")}
        self.planted = ctx.rows("judge", PlantedJudgedRow, "planted")
        self._chunks = [row for row in ctx.rows("rerank", ChunkRow) if row.final_rank is not None]
        self._answers = ctx.rows("answer", AnswerRow)
        self._sentences = ctx.rows("answer", SentenceRow, "sentences")
        self._claims = ctx.rows("claims", ClaimRow)
        self._removed = ctx.rows("claims", RemovedRow, "removed")
        self._judged = ctx.rows("judge", JudgedRow)

    @property
    def judged_ways(self) -> list[tuple[str, str]]:
        """(judge, against), in order."""
        return [(judge, against) for judge in self.judges for against in self.against]

    def is_unanswerable(self, query: str) -> bool:
        """Whether the documents are known not to answer it."""
        return self.cases[query].label == NO_ANSWER

    def chunks_of(self, strategy: str) -> list[ChunkRow]:
        """Its chunks, query by query, in their final order."""
        return [row for row in self._chunks if row.strategy == strategy]

    def answers_of(self, strategy: str) -> list[AnswerRow]:
        """Its answers."""
        return [row for row in self._answers if row.strategy == strategy]

    def sentences_of(self, strategy: str) -> list[SentenceRow]:
        """Its answers' sentences."""
        return [row for row in self._sentences if row.strategy == strategy]

    def claims_of(self, strategy: str) -> list[ClaimRow]:
        """Its claims."""
        return [row for row in self._claims if row.strategy == strategy]

    def removed_of(self, strategy: str) -> list[RemovedRow]:
        """What was removed before counting."""
        return [row for row in self._removed if row.strategy == strategy]

    def judged_of(self, strategy: str, judge: str, against: str) -> list[JudgedRow]:
        """A judge's rows on its claims."""
        wanted = (strategy, judge, against)
        return [row for row in self._judged if (row.strategy, row.judge, row.against) == wanted]

    def verdicts(self, strategy: str, judge: str, against: str) -> dict[str, list[bool]]:
        """By query, its claims' verdicts; a query that had nothing to claim and claims nothing is left out."""
        found: dict[str, list[bool]] = {query: [] for query in self.queries}
        for row in self.judged_of(strategy, judge, against):
            found[row.query_id].append(bool(row.supported))
        return {query: said for query, said in found.items() if said or not self.is_unanswerable(query)}

    def without_verdict(self, strategy: str, judge: str, against: str) -> str:
        """Why a judge has no verdict on some claim of a strategy; empty when it has all."""
        rows = self.judged_of(strategy, judge, against)
        return next((row.reason or "no verdict" for row in rows if row.supported is None), "")
