"""All tables of a run, read once for the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from chartcite.lab.experiment.stage import Context
from chartcite.lab.studies.long_context.sheet import CategoryRow
from chartcite.lab.studies.long_context.stages.analyse import CorrelationRow, CountRow, JudgesRow
from chartcite.lab.studies.long_context.stages.summary import CONTEXT
from chartcite.lab.studies.long_context.systems import options_of
from chartcite.lab.studies.long_context.tables import AnsweredRow, CellRow, NoteRow, RecordRow

SETTINGS = {
    "exclude_all": "no note: what is right here was not read",
    "exclude_related": "all notes but those that hold the answer",
    "include_all": "all notes",
    "include_related": "only the notes that hold the answer",
}
FORMS = {"open": "Open questions", "choice": "Multiple choice", "span": "Extractive questions"}


class Rows:
    """See the module."""

    def __init__(self, ctx: Context) -> None:
        self.spec, self.options, self.cases = ctx.spec, options_of(ctx), ctx.cases
        self.manifest: dict[str, Any] = ctx.folder.manifest
        self.folder = ctx.folder.path.name
        self.records = ctx.rows("lengths", RecordRow)
        self.notes = ctx.rows("lengths", NoteRow, "notes")
        self.answers = ctx.rows("answer", AnsweredRow)
        self.cells = ctx.rows("summary", CellRow)
        self.counts = ctx.rows("analyse", CountRow)
        self.correlations = ctx.rows("analyse", CorrelationRow, "correlations")
        self.judge_pairs = ctx.rows("analyse", JudgesRow, "judges")
        self.categories = ctx.rows("sheet", CategoryRow)

    @property
    def strategies(self) -> list[str]:
        """Their names, in order."""
        return [s.name for s in self.spec.strategies]

    def of(self, answerer: str, form: str, scope: str = "all") -> list[CellRow]:
        """The cells of one answerer and form."""
        return [c for c in self.cells if (c.answerer, c.form, c.scope) == (answerer, form, scope)]

    def contexts(self, scope: str = "all") -> list[CellRow]:
        """Those of contexts, before anybody has answered."""
        return self.of(CONTEXT, "", scope)


def measures_of(cells: Iterable[CellRow]) -> list[tuple[str, str]]:
    """(measure, by), each once, in order."""
    return list(dict.fromkeys((c.measure, c.by) for c in cells))


def find(cells: Sequence[CellRow], **wanted: str) -> CellRow | None:
    """The first cell with these values."""
    return next((c for c in cells if all(getattr(c, name) == value for name, value in wanted.items())), None)
