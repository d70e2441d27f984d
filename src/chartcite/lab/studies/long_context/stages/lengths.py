"""Stage `lengths`: how long notes and records are, in tokens, and in which bin each record lies (paper 000, figure 6).

Tokens are those of the experiment's encoder, whose name and fingerprint the manifest holds; a model's own tokenizer
counts otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.lab.experiment.selection import chosen_items, text_of
from chartcite.lab.experiment.stage import COLLECTION, Context, Done, Finished, Stage
from chartcite.lab.experiment.units import Key
from chartcite.lab.experiment.wanted import dataset_of
from chartcite.lab.studies.long_context.bins import bin_of
from chartcite.lab.studies.long_context.tables import NoteRow, RecordRow


class LengthsStage(Stage):
    """See the module."""

    name = "lengths"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": RecordRow, "notes": NoteRow}
    needs_store = True

    def units(self, ctx: Context) -> list[Key]:  # noqa: ARG002 - the port's signature
        """The whole data set at once: it is read once."""
        return [("notes",)]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Count."""
        for key in pending:
            with ctx.open_book(ctx.store, ctx.spec.strategies[0].settings, False) as book:
                offsets = book.engines.encoder.offsets
                items = chosen_items(dataset_of(ctx.spec), ctx.data_folder, ctx.spec.data, ctx.cases)
                notes = [
                    NoteRow(
                        item.patient_id or COLLECTION, item.id, item.note_type, item.time,
                        len(offsets([text_of(item)])[0]),
                    )
                    for item in items
                ]  # fmt: skip
            yield Done(key, {"": _records(notes), "notes": notes})

    def finish(self, ctx: Context) -> Finished:
        """Whose tokens they are."""
        with ctx.open_book(ctx.store, ctx.spec.strategies[0].settings, False) as book:
            encoder = book.engines.encoder
            return Finished(facts={"models": {"tokenizer": f"{encoder.name}@{encoder.fingerprint}"}})


def _records(notes: Sequence[NoteRow]) -> list[RecordRow]:
    by_scope: dict[str, list[int]] = {}
    for note in notes:
        by_scope.setdefault(note.scope, []).append(note.tokens)
    return [RecordRow(scope, len(n), sum(n), bin_of(sum(n))) for scope, n in sorted(by_scope.items())]


def record_tokens(notes: Sequence[NoteRow], scope: str, as_of: str) -> int:
    """Tokens of a record up to a date; an undated note has no place before it.

    A note dated as precisely as, or less precisely than, the date counts when it begins with it or sorts before it.
    """
    own = [n for n in notes if n.scope == scope]
    return sum(n.tokens for n in own if not as_of or (n.time and n.time[: len(as_of)] <= as_of))
