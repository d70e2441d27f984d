"""Stage `compare`: pairs of strategies on the same queries, with the tests of every experiment.

McNemar's table is of queries: the expected phrase among the chunks given, and a full answer by the rules (a claim, and
every claim supported by what it cites).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.lab.experiment.stage import Context, Done, Stage
from chartcite.lab.experiment.stages.compare import graded_pairs, mcnemar_pairs
from chartcite.lab.experiment.tables import McNemarRow, PairRow, ValueRow
from chartcite.lab.experiment.units import Key
from chartcite.lab.studies.grounding_study.options import options_of
from chartcite.lab.studies.grounding_study.values import MEASURES

FULL = "all claims supported by what they cite (rules)"


class CompareStage(Stage):
    """See the module."""

    name = "compare"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": PairRow, "mcnemar": McNemarRow}

    def units(self, ctx: Context) -> list[Key]:  # noqa: ARG002 - the port's signature
        """Each table as a whole: Holm needs all tests of a family."""
        return [("graded",), ("mcnemar",)]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Compare."""
        for key in pending:
            yield Done(key, {"": graded_pairs(ctx)} if key[0] == "graded" else {"mcnemar": _mcnemar(ctx)})


def _mcnemar(ctx: Context) -> list[McNemarRow]:
    gold, strict = f"gold@{options_of(ctx.spec).context}", MEASURES["cited"]
    names = {gold: gold, strict: FULL}
    right: dict[str, dict[str, dict[str, float | None]]] = {}
    for row in ctx.rows("measure", ValueRow):
        if row.measure in names and row.by in ("", "rules"):
            own = right.setdefault(names[row.measure], {s.name: {} for s in ctx.spec.strategies})
            own[row.strategy][row.case_id] = float(row.value == 1)
    return mcnemar_pairs(ctx, right)
