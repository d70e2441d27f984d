"""Stage `plant`: claims of known label for each query of the first strategy, on which the judges are measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.lab.experiment.stage import Context, Done, Stage
from chartcite.lab.experiment.units import Key
from chartcite.lab.studies.grounding_study.evidence import evidence
from chartcite.lab.studies.grounding_study.options import options_of
from chartcite.lab.studies.grounding_study.planting import SupportedClaim, plant
from chartcite.lab.studies.grounding_study.stages.answer import chunks_by_query
from chartcite.lab.studies.grounding_study.tables import AnswerRow, ChunkRow, ClaimRow, PlantedRow
from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source


class PlantStage(Stage):
    """See the module."""

    name = "plant"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": PlantedRow}

    def units(self, ctx: Context) -> list[Key]:
        """The queries, when claims are to be planted."""
        return [("planted", case.id) for case in ctx.cases] if options_of(ctx.spec).planted else []

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Plant."""
        first, options = ctx.spec.strategies[0].name, options_of(ctx.spec)
        chunks = chunks_by_query(ctx.rows("rerank", ChunkRow))
        given = {a.query_id: a.given for a in ctx.rows("answer", AnswerRow) if a.strategy == first}
        sources = {
            case.id: evidence("given", chunks.get((first, case.id), ()), given[case.id], ()) for case in ctx.cases
        }
        supported = [c for row in ctx.rows("claims", ClaimRow) if row.strategy == first
                     if (c := _supported(row, chunks.get((first, row.query_id), ()), given[row.query_id]))]  # fmt: skip
        for key in pending:
            rows = plant(key[1], sources[key[1]], supported, options.planted, ctx.spec.statistics.seed)
            yield Done(key, {"": rows})


def _supported(row: ClaimRow, chunks: Sequence[ChunkRow], given: int) -> SupportedClaim | None:
    """A claim that its own sources carry, by the rules."""
    cited = evidence("cited", chunks, given, row.sources)
    if not cited or not check_claim(row.text, [Source(str(s.n), s.text) for s in cited]).verified:
        return None
    return SupportedClaim(row.query_id, row.text, frozenset(s.source for s in cited))
