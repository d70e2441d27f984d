"""Stage `claims`: answers cut into claims of one sentence; what is removed before counting is a table of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.lab.experiment.stage import Context, Done, Stage
from chartcite.lab.experiment.units import Key
from chartcite.lab.studies.grounding_study.claims import parts_of
from chartcite.lab.studies.grounding_study.tables import AnswerRow, ClaimRow, RemovedRow, SentenceRow


class ClaimsStage(Stage):
    """See the module."""

    name = "claims"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": ClaimRow, "removed": RemovedRow}

    def units(self, ctx: Context) -> list[Key]:
        """Strategy by query."""
        return [(s.name, case.id) for s in ctx.spec.strategies for case in ctx.cases]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Cut."""
        said: dict[Key, list[SentenceRow]] = {}
        for row in ctx.rows("answer", SentenceRow, "sentences"):
            said.setdefault((row.strategy, row.query_id), []).append(row)
        insufficient = {(a.strategy, a.query_id): a.answer for a in ctx.rows("answer", AnswerRow) if a.insufficient}
        for key in pending:
            claims, removed = _cut(said.get(key, ()))
            if key in insufficient:
                removed.append(RemovedRow(*_names(key), 0, insufficient[key], "no answer"))
            yield Done(key, {"": claims, "removed": removed})


def _names(key: Key) -> tuple[str, str]:
    return key[0], key[1]


def _cut(sentences: Sequence[SentenceRow]) -> tuple[list[ClaimRow], list[RemovedRow]]:
    claims: list[ClaimRow] = []
    removed: list[RemovedRow] = []
    for row in sentences:
        for part in parts_of(row.text):
            head = (row.strategy, row.query_id)
            if part.sort == "claim":
                claims.append(ClaimRow(*head, len(claims) + 1, row.sentence, part.text, row.sources))
            else:
                removed.append(RemovedRow(*head, row.sentence, part.text, part.sort))
    return claims, removed
