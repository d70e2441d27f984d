"""Opens the store once for each strategy that has work left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chartcite.lab.experiment.spec import Strategy
from chartcite.lab.experiment.stage import Context
from chartcite.lab.experiment.units import Key
from chartcite.library.book import Book


def strategy_books(ctx: Context, pending: Sequence[Key]) -> Iterator[tuple[Strategy, Book, list[Key]]]:
    """Each strategy with an open book and its units (those whose key begins with its name), in order."""
    ctx.checked_store()
    for strategy in ctx.spec.strategies:
        keys = [key for key in pending if key[0] == strategy.name]
        if keys:
            with ctx.open_book(ctx.store, strategy.settings, False) as book:
                yield strategy, book, keys
