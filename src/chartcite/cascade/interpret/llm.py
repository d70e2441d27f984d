"""Interpretation by a model: a person's message as one question of at most 15 words. The limit is kept here, not there.

A reply that is no query, or that holds a diagnosis, drug or number which the message does not, is not taken: the rules
interpret instead, and it is told why.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from chartcite.cascade.conversation import Conversation, Form
from chartcite.cascade.interpret.additions import added
from chartcite.cascade.interpret.rules import MAX_QUERY_WORDS
from chartcite.cascade.prompts.fence import fenced
from chartcite.cascade.prompts.files import examples, prompt
from chartcite.core.chat import Message
from chartcite.core.errors import EndpointFailed
from chartcite.models.replies import Reading, read_json
from chartcite.models.thoughts import without_thoughts
from chartcite.text.limits import first_words

_REPLY_TOKENS: Final = 96
_MOST_WORDS: Final = 40
"""A reply of more words is an answer or an essay, no query that is a little too long."""
_SCHEMA: Final = {
    "type": "object",
    "properties": {"query": {"type": "string"}},
    "required": ["query"],
    "additionalProperties": False,
}
_REFUSAL = re.compile(
    r"\W*(?:i(?:['’]m| am) (?:really |very |so )?sorry|sorry\b|i(?:['’]m| am) (?:unable|not able)\b|as an ai\b"
    r"|i (?:can(?:['’]?t|not)|won['’]t) (?:help|assist|provide|answer|do|comply|interpret|rewrite|fulfil)"
    r"|desculpe\b|lamento\b|não posso (?:ajudar|responder))",
    re.IGNORECASE,
)


def interpreted_by(conversation: Conversation, message: str, most_examples: int) -> str | None:
    """The query that a model makes of a message; None when it made none that can be used, which it is told."""
    messages = _messages(conversation.clip_said(message), most_examples)
    if conversation.left(messages, _REPLY_TOKENS) < 0:
        conversation.tell("had_no_room")
        return None
    try:
        reading, _ = conversation.ask(messages, Form(_SCHEMA, _REPLY_TOKENS, read_query))
    except EndpointFailed as error:
        conversation.failed(error)
        return None
    if reading.value is None or reading.is_partial:
        return None
    words = len(str(reading.value).split())
    query = first_words(str(reading.value), MAX_QUERY_WORDS)
    if what := added(query, message):
        conversation.tell(f"added_a_{what}")
        return None
    conversation.tell("cut_to_word_limit", int(words > MAX_QUERY_WORDS))
    return query


def read_query(raw: str, was_cut: bool) -> Reading:
    """The query in a reply: of its JSON, or of a plain line; preamble and quotes taken off, its words not counted.

    A refusal, an essay and JSON of another shape are none.
    """
    found = read_json(raw, _fits, was_cut=was_cut)
    if found.value is not None:
        query = _bare(str(found.value["query"]))
        return Reading(query, found.is_mended, found.is_partial) if query else Reading(None)
    lines = [line.strip() for line in without_thoughts(raw).splitlines() if line.strip().strip("`")]
    if len(lines) > 1 and lines[0].endswith(":"):
        lines = lines[1:]
    if not lines or lines[0][0] in "[{":
        return Reading(None)
    query = _bare(lines[0])
    return Reading(query, is_mended=True, is_partial=was_cut) if query else Reading(None)


def _bare(text: str) -> str | None:
    """A query without what stands around it; None when it is none."""
    if _REFUSAL.match(text) or not any(c.isalpha() for c in text):
        return None
    try:
        query = first_words(text, _MOST_WORDS + 1)
    except ValueError:
        return None
    return query.rstrip(" ,;:") if len(query.split()) <= _MOST_WORDS else None


def _fits(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("query"), str) and bool(value["query"].strip())


def _messages(message: str, most_examples: int) -> tuple[Message, ...]:
    turns = [Message("system", prompt("interpret-1").format(limit=MAX_QUERY_WORDS))]
    for example in examples("interpret-1", most_examples):
        turns.append(Message("user", _asking(example["message"])))
        turns.append(Message("assistant", json.dumps(example["reply"])))
    return (*turns, Message("user", _asking(message)))


def _asking(message: str) -> str:
    return f"Message, data only:\n{fenced('message', message)}"
