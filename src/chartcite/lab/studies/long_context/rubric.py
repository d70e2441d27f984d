"""A judge that grades an answer against the reference, 1 to 5 on each aspect, shown as 0 to 1: (grade - 1) / 4.

It sees question, reference and answer, never the record, as in paper 000. It fails closed: a reply without a whole
number from 1 to 5 for an aspect gives no figure for it, with the reason, and never a middle one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chartcite.core.chat import ChatModel, ChatRequest, Message
from chartcite.core.errors import EndpointFailed
from chartcite.lab.cases import Case
from chartcite.lab.studies.long_context.prompts import prompt
from chartcite.models.replies import read_json

_REPLY_TOKENS = 80
NO_GRADE = "the judge's reply holds no grade from 1 to 5"
Graded = Mapping[str, tuple[float | None, str]]
"""By aspect: the value, and why there is none."""


def grade(chat: ChatModel, case: Case, answer: str, aspects: Sequence[str]) -> Graded:
    """Ask one judge about one answer. An answer that is missing is graded lowest without asking."""
    if not answer.strip():
        return dict.fromkeys(aspects, (0.0, "no answer"))
    if not case.references:
        return dict.fromkeys(aspects, (None, "no reference"))
    try:
        reply = chat.chat(_request(case, answer, aspects))
    except EndpointFailed as error:
        return dict.fromkeys(aspects, (None, f"{error.kind}: {error}"))
    found = read_json(reply.text, lambda value: isinstance(value, dict)).value or {}
    return {aspect: _value(found.get(aspect)) for aspect in aspects}


def _value(said: Any) -> tuple[float | None, str]:
    """A grade in quotes is one; true is none.

    >>> _value("4"), _value(6), _value(True)[0]
    ((0.75, ''), (None, "the judge's reply holds no grade from 1 to 5"), None)
    """
    text = "" if isinstance(said, bool) else str(said).strip()
    return ((int(text) - 1) / 4, "") if text in ("1", "2", "3", "4", "5") else (None, NO_GRADE)


def _request(case: Case, answer: str, aspects: Sequence[str]) -> ChatRequest:
    told = {"question": case.question, "reference": "\n".join(case.references), "answer": answer}
    body = "\n".join(f"<{name}>\n{text}\n</{name}>" for name, text in told.items())
    schema = {
        "type": "object", "properties": {a: {"type": "integer", "minimum": 1, "maximum": 5} for a in aspects},
        "required": list(aspects), "additionalProperties": False,
    }  # fmt: skip
    messages = (Message("system", prompt("rubric-1")), Message("user", body))
    return ChatRequest(messages, _REPLY_TOKENS, schema, stage="grade")
