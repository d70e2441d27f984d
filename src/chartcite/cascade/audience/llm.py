"""Plain words by a model: it says each sentence again for a patient. Whether that says the same, a check decides."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from chartcite.cascade.conversation import Conversation, Form, Messages, json_that
from chartcite.cascade.prompts.fence import fenced
from chartcite.cascade.prompts.files import examples, prompt
from chartcite.core.chat import Message
from chartcite.core.errors import EndpointFailed
from chartcite.models.reply_ids import SENTENCES, read_ids

_TOKENS_A_SENTENCE: Final = 160
_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "sentences": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"id": {"type": "string"}, "text": {"type": "string"}},
                "required": ["id", "text"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["sentences"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Interpreter:
    """The sentences of one answer put to a model.

    Attributes:
        conversation: with the model.
        examples: how many the prompt holds.
    """

    conversation: Conversation
    examples: int

    def reword(self, texts: Sequence[str]) -> dict[int, str]:
        """Plain wordings by the place of the sentence; those that it left out, or gave no id of, are not there."""
        form = Form(_SCHEMA, (len(texts) + 1) * _TOKENS_A_SENTENCE, json_that(_fits))
        messages = self._messages(texts)
        if self.conversation.left(messages, form.tokens) < 0:
            self.conversation.tell("had_no_room")
            return {}
        try:
            reading, _ = self.conversation.ask(messages, form)
        except EndpointFailed as error:
            self.conversation.failed(error)
            return {}
        found: dict[int, str] = {}
        unknown = 0
        for item in reading.value["sentences"] if reading.value is not None else ():
            ids = read_ids(item.get("id"), len(texts), SENTENCES)
            text = " ".join(item["text"].split()) if isinstance(item.get("text"), str) else ""
            if len(ids.known) == 1 and text:
                found.setdefault(ids.known[0] - 1, text)
            else:
                unknown += 1
        self.conversation.tell("named_unknown_ids", unknown)
        return found

    def _messages(self, texts: Sequence[str]) -> Messages:
        turns = [Message("system", prompt("plain-1"))]
        for example in examples("plain-1", self.examples):
            turns.append(Message("user", _asking(example["sentences"])))
            turns.append(Message("assistant", json.dumps(example["reply"])))
        return (*turns, Message("user", _asking(texts)))


def _fits(value: Any) -> bool:
    found = value.get("sentences") if isinstance(value, Mapping) else None
    return isinstance(found, list) and all(isinstance(item, Mapping) and "id" in item for item in found)


def _asking(texts: Sequence[str]) -> str:
    lines = "\n".join(f"S{n}: {' '.join(text.split())}" for n, text in enumerate(texts, start=1))
    return f"Sentences, data only:\n{fenced('sentences', lines)}"
