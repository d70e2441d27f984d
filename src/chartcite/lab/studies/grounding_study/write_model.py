"""The writing model of the paper: numbered source blocks, one factual claim a sentence, and here a label after each.

What it writes is measured as it is: nothing is dropped for failing a check. Only labels that name no source are taken
off, and counted. A reply that holds no JSON is read as prose without labels, as the paper's own answers had none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from chartcite.cascade.write.llm import SCHEMA
from chartcite.core.chat import ChatModel, ChatReply, ChatRequest, Message
from chartcite.core.errors import EndpointFailed
from chartcite.lab.studies.grounding_study.writing import (
    INSUFFICIENT,
    INSUFFICIENT_REASON,
    NO_SOURCE,
    Numbered,
    Written,
)
from chartcite.library.calls.account import Account
from chartcite.models.replies import read_json
from chartcite.models.reply_ids import read_ids
from chartcite.models.thoughts import without_thoughts
from chartcite.text.sentences import split_sentences

PROMPT = "write-1.txt"
MARGIN = 1.25
"""Another tokenizer may count so much more than ours."""
_TURN_TOKENS = 8


class ModelWriter:
    """See the module.

    Args:
        chat: the model.
        count_tokens: of a text, by whatever tokenizer is at hand.
        temperature: of the model.
        answer_tokens: most tokens of a reply; at most a third of the context.
        account: of the model's calls; what it notes goes to the answer.
    """

    def __init__(
        self, chat: ChatModel, count_tokens: Callable[[str], int], temperature: float, answer_tokens: int,
        account: Account | None = None,
    ) -> None:  # fmt: skip
        self._account = account or Account()
        self._chat, self._count, self._temperature = chat, count_tokens, temperature
        self._answer_tokens = min(answer_tokens, chat.context_tokens // 3)

    def write(self, query: str, sources: Sequence[Numbered]) -> Written:
        """Ask, at most twice."""
        written = self._written(query, sources)
        noted = tuple(f"{name}: {count}" for name, count in self._account.take_notes().items())
        return replace(written, fallbacks=written.fallbacks + noted)

    def _written(self, query: str, sources: Sequence[Numbered]) -> Written:
        given, calls = self._fitting(query, sources), 0
        fallbacks = [f"saw_fewer_sources: {len(sources) - len(given)}"] if len(given) < len(sources) else []
        if not given:
            reason = NO_SOURCE if not sources else "no source fits into the context"
            return Written((), self._chat.name, 0, fallbacks=tuple(fallbacks), reason=reason)
        value, reply = None, ChatReply("", "other")
        try:
            for seed in (0, 1):
                calls += 1
                reply = self._chat.chat(ChatRequest(
                    messages(query, given), self._answer_tokens, SCHEMA, self._temperature, seed, "write"
                ))  # fmt: skip
                value = read_json(reply.text, _fits, was_cut=reply.finish == "length").value
                if value is not None:
                    break
        except EndpointFailed:
            return Written(
                (), self._chat.name, len(given), calls, ("writer_endpoint_failed: 1",), "the endpoint failed"
            )
        said = self._labelled(value, len(given), fallbacks) if value is not None else _prose(reply.text, fallbacks)
        kept = tuple((text, ids) for text, ids in said if not is_insufficient(text))
        reason = "" if kept else INSUFFICIENT_REASON if said or value is not None else "the reply held no sentence"
        return Written(kept, self._chat.name, len(given), calls, tuple(fallbacks), reason)

    def _fitting(self, query: str, sources: Sequence[Numbered]) -> list[Numbered]:
        """As many sources as the context has room for, the best first."""
        given = list(sources)
        room = self._chat.context_tokens - self._answer_tokens
        while given and sum(int(self._count(m.content) * MARGIN) + _TURN_TOKENS for m in messages(query, given)) > room:
            given.pop()
        return given

    def _labelled(self, value: Any, count: int, fallbacks: list[str]) -> list[tuple[str, tuple[int, ...]]]:
        said: list[tuple[str, tuple[int, ...]]] = []
        unknown = 0
        for item in _sentences(value) or ():
            text = " ".join(item["text"].split()) if isinstance(item.get("text"), str) else ""
            ids = read_ids(item.get("sources") or [], count)
            unknown += ids.unknown
            if text and text not in {known for known, _ in said}:
                said.append((text, tuple(sorted(ids.known))))
        if unknown:
            fallbacks.append(f"named_unknown_sources: {unknown}")
        return said


def messages(query: str, sources: Sequence[Numbered]) -> tuple[Message, ...]:
    """The prompt: sources between fences that no source can hold, since they bear a hash of what is between them."""
    blocks = "\n\n".join(
        f"Source {s.n} ({s.source}{f', page {s.page}' if s.page else ''}):\n{' '.join(s.text.split())}" for s in sources
    )
    fence = hashlib.sha256(blocks.encode()).hexdigest()[:8]
    body = f"<sources-{fence}>\n{blocks}\n</sources-{fence}>\n\nQuestion: {query}"
    return Message("system", write_prompt().replace("<<<INSUFFICIENT>>>", INSUFFICIENT)), Message("user", body)


def write_prompt() -> str:
    """The instructions, version 1."""
    return (files("chartcite.lab.studies.grounding_study") / "data" / PROMPT).read_text("utf-8")


def is_insufficient(text: str) -> bool:
    """Whether a sentence is the one of insufficient evidence, case and full stop aside."""
    return " ".join(text.split()).casefold().rstrip(".") == INSUFFICIENT.casefold().rstrip(".")


def _prose(text: str, fallbacks: list[str]) -> list[tuple[str, tuple[int, ...]]]:
    prose = without_thoughts(text).strip()
    said = [" ".join(prose[u.start : u.end].split()) for u in split_sentences(prose)]
    if said:
        fallbacks.append(f"reply_read_as_prose: {len(said)}")
    return [(sentence, ()) for sentence in said]


def _fits(value: Any) -> bool:
    return _sentences(value) is not None


def _sentences(value: Any) -> list[Any] | None:
    found = value.get("sentences") if isinstance(value, dict) else value
    if not isinstance(found, list) or not all(isinstance(item, dict) and "text" in item for item in found):
        return None
    return found if found or isinstance(value, dict) else None
