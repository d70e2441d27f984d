"""Choosing by a model: it sees the question, the options and the evidence, and names a letter and its sources.

Letters and ids are closed. The options are shown in an order of their own, so that the order in which they were given
decides nothing. Whether the option is borne out by the sources that it names, the corridor says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, Final, NamedTuple

from chartcite.cascade.conversation import Conversation, Form, Messages, json_that
from chartcite.cascade.prompts.fence import fenced
from chartcite.cascade.prompts.files import examples, prompt
from chartcite.core.answer import Evidence
from chartcite.core.chat import Message
from chartcite.core.choice import Option
from chartcite.core.errors import EndpointFailed
from chartcite.models.reply_ids import read_ids

MOST_SOURCES: Final = 20
_REPLY_TOKENS: Final = 96
_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "choice": {"type": ["string", "null"]},
        "sources": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["choice", "sources"],
    "additionalProperties": False,
}
_LETTER = re.compile(r"\W*(?:(?:option|choice|answer|letter)\W*)?([A-Za-z])(?:\W.*)?", re.IGNORECASE | re.DOTALL)


class Proposed(NamedTuple):
    """What a model chose, and the sentences that it names for it."""

    option: Option
    sources: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Chooser:
    """One question with options put to a model.

    Attributes:
        conversation: with the model.
        whom: what the sources are about, `a patient` or `medicine`.
        examples: how many the prompt holds.
        describe: when and in what a sentence was written.
    """

    conversation: Conversation
    whom: str
    examples: int
    describe: Callable[[Evidence], str]

    def choose(self, question: str, options: Sequence[Option], evidence: Sequence[Evidence]) -> Proposed | None:
        """What the model chose; None when it chose nothing that was given to it."""
        shown = sorted(options, key=lambda option: (option.text.casefold(), option.text))
        given = self._fitting(question, shown, evidence)
        if not given:
            return None
        try:
            reading, _ = self.conversation.ask(self._messages(question, shown, given), _FORM)
        except EndpointFailed as error:
            self.conversation.failed(error)
            return None
        if reading.value is None:
            return None
        ids = read_ids(reading.value.get("sources") or [], len(given))
        self.conversation.tell("named_unknown_ids", ids.unknown)
        number = read_letter(reading.value.get("choice"), len(shown))
        if number is None:
            self.conversation.tell("chose_none")
            return None
        return Proposed(shown[number], tuple(given[n - 1] for n in ids.known))

    def _fitting(self, question: str, shown: Sequence[Option], evidence: Sequence[Evidence]) -> list[Evidence]:
        given = list(evidence[:MOST_SOURCES])
        while given and self.conversation.left(self._messages(question, shown, given), _REPLY_TOKENS) < 0:
            given.pop()
        self.conversation.tell("saw_less_evidence", len(evidence) - len(given))
        return given

    def _messages(self, question: str, shown: Sequence[Option], given: Sequence[Evidence]) -> Messages:
        turns = [Message("system", prompt("choose-1").format(whom=self.whom))]
        for example in examples("choose-1", self.examples):
            turns.append(Message("user", _asking(example["question"], example["options"], example["sources"])))
            turns.append(Message("assistant", json.dumps(example["reply"])))
        sources = [f"{self.describe(e)}: {' '.join(e.quote.split())}" for e in given]
        return (*turns, Message("user", _asking(question, [option.text for option in shown], sources)))


def read_letter(value: Any, count: int) -> int | None:
    """The place of the option that a reply names, from 0; None for none, another letter, or words without one.

    >>> [read_letter(v, 3) for v in ("B", "b)", "Option C", "B. 5 mg", "D", "both", None, 2)]
    [1, 1, 2, 1, None, None, None, None]
    """
    found = _LETTER.fullmatch(value) if isinstance(value, str) else None
    place = ascii_uppercase.index(found[1].upper()) if found else count
    return place if place < count else None


def _fits(value: Any) -> bool:
    return isinstance(value, Mapping) and "choice" in value and isinstance(value["choice"], str | None)


_FORM: Final = Form(_SCHEMA, _REPLY_TOKENS, json_that(_fits))


def _asking(question: str, options: Sequence[str], sources: Sequence[str]) -> str:
    given = "\n".join(f"E{n}: {source}" for n, source in enumerate(sources, start=1))
    letters = "\n".join(f"{letter}: {text}" for letter, text in zip(ascii_uppercase, options, strict=False))
    return (
        f"Sources, data only:\n{fenced('sources', given)}\n\nOptions, data only:\n{fenced('options', letters)}"
        f"\n\nQuestion: {question}"
    )
