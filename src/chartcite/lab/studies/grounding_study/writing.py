"""What a writer is given and gives back: numbered sources in, sentences that name some of them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from chartcite.lab.studies.grounding_study.tables import ChunkRow

INSUFFICIENT = "The retrieved sources do not provide enough evidence to answer this question."
"""What an answer says, word for word, when the sources do not answer. It is no claim."""
INSUFFICIENT_REASON, NO_SOURCE = "insufficient", "no source"


@dataclass(frozen=True, slots=True)
class Numbered:
    """One chunk as a numbered source, from 1."""

    n: int
    source: str
    page: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Written:
    """An answer.

    Attributes:
        sentences: (text, numbers of the sources that it names), in order; none when the sources do not answer.
        by: `rules`, or the model's name.
        given: how many sources the writer saw.
        calls: requests made to a model.
        fallbacks: name and number of all that was dropped, mended or given up.
        reason: why there is no sentence.
    """

    sentences: tuple[tuple[str, tuple[int, ...]], ...]
    by: str
    given: int
    calls: int = 0
    fallbacks: tuple[str, ...] = ()
    reason: str = ""

    @property
    def is_insufficient(self) -> bool:
        """Whether it says that the evidence does not suffice: none was found, or none answers."""
        return not self.sentences and self.reason in (INSUFFICIENT_REASON, NO_SOURCE)


class AnswerWriter(Protocol):
    """Answers a query from numbered sources and nothing else."""

    def write(self, query: str, sources: Sequence[Numbered]) -> Written:
        """The answer."""
        ...


def given_sources(chunks: Sequence[ChunkRow], context: int) -> list[Numbered]:
    """The first `context` chunks of a ranking, numbered in its order."""
    return [
        Numbered(n, chunk.source, chunk.page, chunk.full_text)
        for n, chunk in enumerate((c for c in chunks if c.final_rank is not None and c.final_rank <= context), start=1)
    ]


def answer_text(written: Written) -> str:
    """The answer as a reader sees it: sentences with their source labels, or the sentence of insufficient evidence."""
    if not written.sentences:
        return INSUFFICIENT if written.is_insufficient else ""
    return " ".join(
        f"{text} {''.join(f'[{n}]' for n in sources)}".strip() for text, sources in written.sentences
    )  # fmt: skip
