"""Stage `answer`: each query answered from the first saved chunks of each strategy, and from nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, ClassVar

from chartcite.lab.experiment.spec import Strategy
from chartcite.lab.experiment.stage import Context, Done, Stage
from chartcite.lab.experiment.units import Key
from chartcite.lab.studies.grounding_study.options import options_of
from chartcite.lab.studies.grounding_study.tables import AnswerRow, ChunkRow, SentenceRow
from chartcite.lab.studies.grounding_study.write_model import ModelWriter
from chartcite.lab.studies.grounding_study.write_rules import RulesWriter
from chartcite.lab.studies.grounding_study.writing import (
    NO_SOURCE,
    AnswerWriter,
    Numbered,
    Written,
    answer_text,
    given_sources,
)
from chartcite.library.chats import unlimited
from chartcite.library.engines import Engines

_SMALL_STORE = "sources.part"


class AnswerStage(Stage):
    """See the module."""

    name = "answer"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": AnswerRow, "sentences": SentenceRow}

    def units(self, ctx: Context) -> list[Key]:
        """Strategy by query."""
        return [(s.name, case.id) for s in ctx.spec.strategies for case in ctx.cases]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Write."""
        context, questions = options_of(ctx.spec).context, {case.id: case.question for case in ctx.cases}
        ranked = chunks_by_query(ctx.rows("rerank", ChunkRow))
        for strategy in ctx.spec.strategies:
            keys = [key for key in pending if key[0] == strategy.name]
            if not keys:
                continue
            with ExitStack() as stack:
                writer = _writer(ctx, strategy, stack)
                for key in keys:
                    sources = given_sources(ranked.get(key, ()), context)
                    yield Done(key, _rows(key, questions[key[1]], _written(writer, questions[key[1]], sources)))


def chunks_by_query(rows: Sequence[ChunkRow]) -> dict[Key, list[ChunkRow]]:
    """The chunks of each strategy and query that has any, in order."""
    found: dict[Key, list[ChunkRow]] = {}
    for row in rows:
        if row.final_rank is not None:
            found.setdefault((row.strategy, row.query_id), []).append(row)
    return found


def _writer(ctx: Context, strategy: Strategy, stack: ExitStack) -> AnswerWriter:
    engines = Engines(strategy.settings)
    models = unlimited(engines, strategy.settings)
    if models.writer is None:
        folder = ctx.folder.path / _SMALL_STORE
        return stack.enter_context(RulesWriter(folder, strategy.settings, ctx.open_book))
    options = options_of(ctx.spec)
    count = lambda text: len(engines.encoder.offsets([text])[0])  # noqa: E731
    return ModelWriter(models.writer, count, options.temperature, options.answer_tokens, models.account)


def _written(writer: AnswerWriter, query: str, sources: Sequence[Numbered]) -> Written:
    return writer.write(query, sources) if sources else Written((), "", 0, reason=NO_SOURCE)


def _rows(key: Key, query: str, written: Written) -> dict[str, list[Any]]:
    strategy, query_id = key
    answer = AnswerRow(
        strategy, query_id, query, answer_text(written), written.by, written.given,
        written.is_insufficient, written.calls, written.fallbacks, written.reason,
    )  # fmt: skip
    sentences = [
        SentenceRow(strategy, query_id, n, text, sources)
        for n, (text, sources) in enumerate(written.sentences, start=1)
    ]
    return {"": [answer], "sentences": sentences}
