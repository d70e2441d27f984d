"""What is seen on stderr while a question is answered; the result on stdout stays what it is without.

This is the one thing that writes text of the record to stderr, and only where it was asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from chartcite.app.cli.output import console
from chartcite.app.render.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from chartcite.core.answer import AnswerSentence

_DOES = {
    "interpret": "reading the question", "retrieve": "searching", "score": "weighing sentences",
    "select": "choosing evidence", "model": "the model is writing", "write": "writing", "align": "linking sources",
    "verify": "checking", "judge": "the judge is asked", "conflicts": "looking for contradictions",
}  # fmt: skip


class OnStderr:
    """Each verified sentence as a line, marked as preliminary; on a terminal also what is being done."""

    def __init__(self, write: Callable[[str], None], show_stage: Callable[[str], None]) -> None:
        self._write, self._show_stage = write, show_stage

    def stage(self, name: str) -> None:
        """Say what is being done."""
        self._show_stage(_DOES.get(name, name))

    def sentence(self, sentence: AnswerSentence) -> None:
        """Show a sentence with the numbers of its notes."""
        sources = ", ".join(dict.fromkeys(one_line(c.doc_id) for c in sentence.citations))
        self._write(f"~ {one_line(sentence.text)} ({sources})")


@contextmanager
def on_stderr() -> Iterator[OnStderr]:
    """A listener; what it shows of stages goes with the block."""
    err = console(sys.stderr)
    if not err.is_terminal or err.is_dumb_terminal:
        yield OnStderr(lambda line: print(line, file=sys.stderr, flush=True), lambda _: None)
        return
    with err.status("") as status:
        yield OnStderr(lambda line: err.print(line, markup=False, highlight=False), status.update)
