"""The context of a question under a strategy: passages in time order, their tokens, and what a window has room for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chartcite.lab.cases import Case
from chartcite.lab.experiment.stage import Context
from chartcite.lab.studies.long_context.located import Slice
from chartcite.lab.studies.long_context.sights import FULL
from chartcite.library.book import Book
from chartcite.library.found import FoundPassage

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Shown:
    """Passages in time order; `cut`: how many were left out because there was no room."""

    passages: tuple[FoundPassage, ...]
    cut: int = 0

    @property
    def slices(self) -> list[Slice]:
        """Every place of every passage."""
        return [Slice(place.doc_id, place.start, place.end) for p in self.passages for place in p.places]

    @property
    def documents(self) -> int:
        """Distinct documents that a passage is shown from."""
        return len({p.places[0].doc_id for p in self.passages})


def context_of(ctx: Context, book: Book, case: Case) -> Shown:
    """What the book's strategy finds for the question as it was asked, oldest first."""
    found = book.search(case.question, as_of=case.as_of or None, order="time", **ctx.scope_of(case))
    return Shown(tuple(found))


def fitting(shown: Shown, room_tokens: int, method: str, count: Count) -> Shown:
    """As much of a context as there is room for, in the order it has.

    The first to go: of full context the oldest notes, of what was ranked the lowest ranks. A passage that has no room
    does not end it: a shorter one further down may have.

    Args:
        shown: the context.
        room_tokens: at least 0.
        method: the strategy's.
        count: tokens of a text.
    """
    passages = list(enumerate(shown.passages))
    wanted = reversed(passages) if method == FULL else sorted(passages, key=lambda pair: (pair[1].rank, pair[0]))
    kept: list[tuple[int, FoundPassage]] = []
    left = room_tokens
    for place, passage in wanted:
        tokens = count(written(passage))
        if tokens <= left:
            left -= tokens
            kept.append((place, passage))
    chosen = tuple(passage for _, passage in sorted(kept, key=lambda pair: pair[0]))
    return Shown(chosen, shown.cut + len(shown.passages) - len(chosen))


def written(passage: FoundPassage) -> str:
    """A passage as a model sees it: its date and type above its text."""
    head = ", ".join(part for part in (passage.time or "undated", passage.note_type or passage.title) if part)
    return f"[{head}]\n{passage.text.strip()}\n"


def counter(book: Book) -> Count:
    """Tokens by the encoder's tokenizer; a text is counted once."""
    known: dict[str, int] = {}

    def count(text: str) -> int:
        if text not in known:
            known[text] = len(book.engines.encoder.offsets([text])[0])
        return known[text]

    return count


def tokens_of(passages: Sequence[FoundPassage], count: Count) -> int:
    """Tokens of the passages' texts."""
    return sum(count(p.text) for p in passages)
