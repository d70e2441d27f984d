"""Stage `judge`: every judge on every claim, from the saved files; nothing is retrieved or written again.

A claim is judged against what it cites (strict citation), what the writer was given (general grounding) and all that
was retrieved, each apart. A claim that names no source has no strict support, whoever judges. A judge that cannot work
leaves rows without a verdict and with the reason; one that fails on the way leaves such rows for that query.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.core.errors import EndpointFailed, NotConfigured
from chartcite.lab.experiment.stage import Context, Done, Finished, Stage
from chartcite.lab.experiment.units import Key
from chartcite.lab.studies.grounding_study.evidence import evidence
from chartcite.lab.studies.grounding_study.judges import ClaimJudge, find_judge
from chartcite.lab.studies.grounding_study.options import Against, options_of
from chartcite.lab.studies.grounding_study.stages.answer import chunks_by_query
from chartcite.lab.studies.grounding_study.tables import (
    AnswerRow,
    ChunkRow,
    ClaimRow,
    JudgedRow,
    PlantedJudgedRow,
    PlantedRow,
)
from chartcite.lab.studies.grounding_study.writing import Numbered
from chartcite.library.engines import Engines

_PLANTED = "planted claims"
NOTHING_CITED = "names no source"


class JudgeStage(Stage):
    """See the module."""

    name = "judge"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": JudgedRow, "planted": PlantedJudgedRow}

    def units(self, ctx: Context) -> list[Key]:
        """Judge by strategy by query, then judge by query for what was planted."""
        planted = [_PLANTED] if options_of(ctx.spec).planted else []
        where = [*(s.name for s in ctx.spec.strategies), *planted]
        return [(judge, name, case.id) for judge in options_of(ctx.spec).judges for name in where for case in ctx.cases]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Judge."""
        bench = _Bench(ctx)
        for name in dict.fromkeys(key[0] for key in pending):
            judge, why = _loaded(name, ctx)
            for key in [k for k in pending if k[0] == name]:
                if key[1] == _PLANTED:
                    yield Done(key, {"planted": bench.planted(name, judge, why, key[2])})
                else:
                    yield Done(key, {"": bench.claims(name, judge, why, key[1], key[2])})

    def finish(self, ctx: Context) -> Finished:
        """Who judged."""
        names = [str(getattr(_loaded(n, ctx)[0], "name", n)) for n in options_of(ctx.spec).judges]
        return Finished(facts={"models": {"judges": names}})


def _loaded(name: str, ctx: Context) -> tuple[ClaimJudge | None, str]:
    try:
        return find_judge(name)(Engines(ctx.spec.strategies[0].settings)), ""
    except NotConfigured as error:
        return None, f"{error.kind}: {error} {error.advice}".strip()


class _Bench:
    """The saved files, by query."""

    def __init__(self, ctx: Context) -> None:
        self._against = options_of(ctx.spec).against
        self._first = ctx.spec.strategies[0].name
        self._questions = {case.id: case.question for case in ctx.cases}
        self._chunks = chunks_by_query(ctx.rows("rerank", ChunkRow))
        self._given = {(a.strategy, a.query_id): a.given for a in ctx.rows("answer", AnswerRow)}
        self._claims: dict[Key, list[ClaimRow]] = {}
        for row in ctx.rows("claims", ClaimRow):
            self._claims.setdefault((row.strategy, row.query_id), []).append(row)
        self._planted: dict[str, list[PlantedRow]] = {}
        for planted in ctx.rows("plant", PlantedRow):
            self._planted.setdefault(planted.query_id, []).append(planted)

    def claims(self, name: str, judge: ClaimJudge | None, why: str, strategy: str, query_id: str) -> list[JudgedRow]:
        """All claims of one answer, against everything that is wanted."""
        rows: list[JudgedRow] = []
        for claim in self._claims.get((strategy, query_id), ()):
            for against in self._against:
                head = (name, strategy, query_id, claim.claim, against)
                sources = self._sources(against, strategy, query_id, claim.sources)
                if judge is None:
                    rows.append(JudgedRow(*head, None, None, False, why))
                elif not sources:
                    rows.append(JudgedRow(*head, False, None, True, NOTHING_CITED))
                else:
                    try:
                        said = judge.judge(self._questions[query_id], claim.text, sources)
                        rows.append(JudgedRow(*head, said.supported, said.best, said.conclusive, said.reason))
                    except EndpointFailed as error:
                        judge, why = None, f"{error.kind}: {error}"
                        rows.append(JudgedRow(*head, None, None, False, why))
        return rows

    def planted(self, name: str, judge: ClaimJudge | None, why: str, query_id: str) -> list[PlantedJudgedRow]:
        """All planted claims of one query, against what was given."""
        rows: list[PlantedJudgedRow] = []
        sources = self._sources("given", self._first, query_id, ())
        for planted in self._planted.get(query_id, ()):
            head = (name, planted.id, query_id, planted.kind, planted.supported)
            if judge is not None:
                try:
                    said = judge.judge(self._questions[query_id], planted.text, sources)
                    rows.append(PlantedJudgedRow(*head, said.supported, said.conclusive, said.reason))
                    continue
                except EndpointFailed as error:
                    judge, why = None, f"{error.kind}: {error}"
            rows.append(PlantedJudgedRow(*head, None, False, why))
        return rows

    def _sources(self, against: Against, strategy: str, query_id: str, cited: Sequence[int]) -> list[Numbered]:
        chunks = self._chunks.get((strategy, query_id), [])
        return evidence(against, chunks, self._given.get((strategy, query_id), 0), cited)
