"""All systems of an experiment, and which cases each answers."""

from __future__ import annotations

from collections.abc import Iterator

from chartcite.lab.cases import Case
from chartcite.lab.experiment.selection import spaced
from chartcite.lab.experiment.stage import Context
from chartcite.lab.studies.long_context.options import Options
from chartcite.lab.studies.long_context.sights import applies, asked_in, combinations
from chartcite.lab.studies.long_context.tables import System

NO_WRITER = "needs a writer: settings.writer_url"


def options_of(ctx: Context) -> Options:
    """The study's options."""
    return Options.model_validate(ctx.spec.options)


def answered_cases(ctx: Context) -> list[Case]:
    """The cases that are answered too (`data.answer_limit`)."""
    return spaced(ctx.cases, ctx.spec.data.answer_limit)


def systems(ctx: Context) -> Iterator[tuple[System, list[Case]]]:
    """Every system with its cases, in the order of the specification; those without a case are left out."""
    options, cases = options_of(ctx), answered_cases(ctx)
    for answerer in options.answerers:
        for form in options.forms:
            for notes, strategy in combinations(ctx.spec, options):
                own = [c for c in cases if form in asked_in(c, options) and applies(c, notes)]
                if own:
                    yield System(answerer, form, notes, strategy.name), own
