"""Port of whoever listens while a question is answered: what has begun, and each sentence once it is verified."""

from __future__ import annotations

from typing import Protocol

from chartcite.core.answer import AnswerSentence


class Listener(Protocol):
    """What it raises ends the question."""

    def stage(self, name: str) -> None:
        """A stage has begun; one may come more than once."""
        ...

    def sentence(self, sentence: AnswerSentence) -> None:
        """A sentence of the answer has passed the check: it will be shown. What a judge says of it comes later."""
        ...
