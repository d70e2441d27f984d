"""Stage `judge`: each judge grades each answer against the reference on each aspect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.lab.experiment.spec import Experiment
from chartcite.lab.experiment.stage import Context, Done, Finished, Stage
from chartcite.lab.experiment.units import Key
from chartcite.lab.studies.long_context.options import Judge, Options
from chartcite.lab.studies.long_context.rubric import grade
from chartcite.lab.studies.long_context.systems import NO_WRITER, options_of, systems
from chartcite.lab.studies.long_context.tables import AnsweredRow, ScoreRow, System
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.models.http_json import server_of

NO_JUDGE = "needs a judge: options.judges"


class JudgeStage(Stage):
    """See the module."""

    name = "judge"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": ScoreRow}

    def units(self, ctx: Context) -> list[Key]:
        """Judge, system, case; of the forms that are answered in words, and only what has a reference."""
        return [
            (judge.name, *system, case.id)
            for judge in options_of(ctx).judges
            for system, cases in systems(ctx)
            if system.form != "choice"
            for case in cases
            if case.answerable and case.references
        ]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Ask."""
        options = options_of(ctx)
        cases = {case.id: case for case in ctx.cases}
        said = {(*row.system, row.case_id): row for row in ctx.rows("answer", AnsweredRow)}
        for judge in options.judges:
            own = [key for key in pending if key[0] == judge.name]
            chat = judge_engines(ctx.spec, options, judge).judge if own else None
            for key in own:
                system = System(*key[1:5])
                row = said[(*system, key[5])]
                if row.reason == NO_WRITER or chat is None:
                    graded: Any = dict.fromkeys(options.aspects, (None, NO_WRITER))
                else:
                    graded = grade(chat, cases[key[5]], row.text, options.aspects)
                yield Done(key, {"": [
                    ScoreRow(*system, key[5], aspect, judge.name, *graded[aspect]) for aspect in options.aspects
                ]})  # fmt: skip

    def finish(self, ctx: Context) -> Finished:
        """Who judged."""
        return Finished(facts={"models": {"rubric_judges": {j.name: j.model for j in options_of(ctx).judges}}})


def judge_engines(spec: Experiment, options: Options, judge: Judge) -> Engines:
    """The engines whose `judge` is this one. The key goes to `judge_url`'s server, else to the first judge's.

    Raises (when the judge is taken):
        ModelRefused: it is the writer's own model, or on another machine, and that was not allowed.
    """
    first = spec.strategies[0].settings
    changed: dict[str, Any] = {
        "judge_url": judge.url, "judge_model": judge.model, "judge_may_be_writer": options.judge_may_be_judged,
    }  # fmt: skip
    if server_of(judge.url) != server_of(first.judge_url or options.judges[0].url):
        changed["judge_key"] = ""
    return Engines(Settings.model_validate(first.model_dump() | changed))
