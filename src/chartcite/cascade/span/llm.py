"""Cutting by a model: it copies the part of a source that answers. What is not found there word for word is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from chartcite.cascade.conversation import Conversation, Form, Messages, json_that
from chartcite.cascade.prompts.fence import fenced
from chartcite.cascade.prompts.files import examples, prompt
from chartcite.core.answer import Evidence
from chartcite.core.chat import Message
from chartcite.core.documents import Span
from chartcite.core.errors import EndpointFailed
from chartcite.models.reply_ids import read_ids

MOST_SOURCES: Final = 20
_REPLY_TOKENS: Final = 128
_SCHEMA: Final = {
    "type": "object",
    "properties": {"text": {"type": ["string", "null"]}, "source": {"type": ["string", "null"]}},
    "required": ["text", "source"],
    "additionalProperties": False,
}


class Copied(NamedTuple):
    """A sentence, and the part of its quote that a model copied."""

    evidence: Evidence
    span: Span


@dataclass(frozen=True, slots=True)
class Extractor:
    """One question put to a model.

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

    def extract(self, question: str, evidence: Sequence[Evidence]) -> Copied | None:
        """The part that the model copied; None when it copied none, or one that is not in the source it names."""
        given = self._fitting(question, evidence)
        if not given:
            return None
        try:
            reading, _ = self.conversation.ask(self._messages(question, given), _FORM)
        except EndpointFailed as error:
            self.conversation.failed(error)
            return None
        return None if reading.value is None else self._copied(reading.value, given)

    def _copied(self, value: Mapping[str, Any], given: Sequence[Evidence]) -> Copied | None:
        text, ids = value["text"] or "", read_ids(value.get("source"), len(given))
        if not text.strip():
            self.conversation.tell("gave_no_span")
        elif len(ids.known) != 1:
            self.conversation.tell("named_no_source")
        elif span := find_verbatim(text, given[ids.known[0] - 1].quote):
            return Copied(given[ids.known[0] - 1], span)
        else:
            self.conversation.tell("text_not_in_source")
        return None

    def _fitting(self, question: str, evidence: Sequence[Evidence]) -> list[Evidence]:
        given = list(evidence[:MOST_SOURCES])
        while given and self.conversation.left(self._messages(question, given), _REPLY_TOKENS) < 0:
            given.pop()
        self.conversation.tell("saw_less_evidence", len(evidence) - len(given))
        return given

    def _messages(self, question: str, given: Sequence[Evidence]) -> Messages:
        turns = [Message("system", prompt("span-1").format(whom=self.whom))]
        for example in examples("span-1", self.examples):
            turns.append(Message("user", _asking(example["question"], example["sources"])))
            turns.append(Message("assistant", json.dumps(example["reply"])))
        sources = [f"{self.describe(e)}: {' '.join(e.quote.split())}" for e in given]
        return (*turns, Message("user", _asking(question, sources)))


def find_verbatim(text: str, quote: str) -> Span | None:
    r"""Where a text stands in a quote, white space aside; no part of a word or number counts.

    >>> find_verbatim("5 mg daily", "Warfarin 5 mg\n  daily.")
    Span(start=9, end=21)
    >>> find_verbatim("5 mg", "Warfarin 2.5 mg daily") is None
    True
    """
    words = r"\s+".join(re.escape(word) for word in text.split())
    if not words:
        return None
    found = re.search(rf"(?<!\w)(?<!\d[.,]){words}(?!\w)(?![.,]\d)", quote)
    return Span(*found.span()) if found else None


def _fits(value: Any) -> bool:
    return isinstance(value, Mapping) and "text" in value and isinstance(value["text"], str | None)


_FORM: Final = Form(_SCHEMA, _REPLY_TOKENS, json_that(_fits))


def _asking(question: str, sources: Sequence[str]) -> str:
    given = "\n".join(f"E{n}: {source}" for n, source in enumerate(sources, start=1))
    return f"Sources, data only:\n{fenced('sources', given)}\n\nQuestion: {question}"
