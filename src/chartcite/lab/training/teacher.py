"""A chat model that answers every stage as the rules answered it, and one that notes what any model was asked and said.

The rules' teacher is put in the place of the writer, so that the prompts are those that a model gets, to the letter.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from chartcite.core.answer import Answer, AnswerSentence
from chartcite.core.chat import ChatModel, ChatReply, ChatRequest, Message
from chartcite.core.errors import EndpointFailed

_LINE = re.compile(r"^([SEA])(\d+): (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Chat:
    """One request of a stage and what was said to it."""

    stage: str
    messages: tuple[Message, ...]
    reply: str


@dataclass(slots=True)
class Notebook:
    """The chats of one question, in the order in which they ended; safe to write to from several threads."""

    chats: list[Chat] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, chat: Chat) -> None:
        """Note one; a later reply to the same messages takes the place of the first."""
        with self._lock:
            self.chats = [c for c in self.chats if (c.stage, c.messages) != (chat.stage, chat.messages)] + [chat]

    def take(self) -> list[Chat]:
        """All of them, and begin anew."""
        with self._lock:
            taken, self.chats = self.chats, []
        return taken


class Noted:
    """A model whose chats are noted."""

    def __init__(self, inner: ChatModel, notebook: Notebook) -> None:
        self.name, self.is_remote, self.context_tokens = inner.name, inner.is_remote, inner.context_tokens
        self._inner, self._notebook = inner, notebook

    def chat(self, request: ChatRequest) -> ChatReply:
        """One reply, as the model's port says."""
        reply = self._inner.chat(request)
        self._notebook.add(Chat(request.stage, request.messages, reply.text))
        return reply


@dataclass(slots=True)
class RulesTeacher:
    """See the module.

    Attributes:
        context_tokens: of the model that will be trained.
        answer: what the rules answered to the question that is being asked.
        grades: the rules' grade of every sentence, by its text with single blanks.
    """

    context_tokens: int
    answer: Answer | None = None
    grades: Mapping[str, int] = field(default_factory=dict)
    name: str = "rules"
    is_remote: bool = False

    def chat(self, request: ChatRequest) -> ChatReply:
        """What the rules said.

        Raises:
            EndpointFailed: they said nothing that could be said here.
        """
        says = {"interpret": self._query, "score": self._scores, "write": self._sentences, "align": self._links}
        told = says[request.stage](request.messages[-1].content) if request.stage in says and self.answer else None
        if told is None:
            raise EndpointFailed("The rules have no reply to this.", "Nothing can be done about it.")
        return ChatReply(json.dumps(told, ensure_ascii=False), "stop")

    def _query(self, _: str) -> dict[str, str] | None:
        return {"query": self.answer.query} if self.answer else None

    def _scores(self, asked: str) -> dict[str, int] | None:
        """All or nothing: a reply that leaves a sentence out would teach that this is allowed."""
        lines = {f"S{n}": text for kind, n, text in _LINE.findall(asked) if kind == "S"}
        found = {name: self.grades[text] for name, text in lines.items() if text in self.grades}
        return found if lines and len(found) == len(lines) else None

    def _sentences(self, asked: str) -> dict[str, list[dict[str, object]]] | None:
        sources = [(f"E{n}", text) for kind, n, text in _LINE.findall(asked) if kind == "E"]
        said = [{"text": s.text, "sources": self._sources(s.text, sources)} for s in self._shown()]
        return {"sentences": said} if said and all(s["sources"] for s in said) else None  # type: ignore[dict-item]

    def _links(self, asked: str) -> dict[str, list[dict[str, object]]] | None:
        found = _LINE.findall(asked)
        sources = [(f"E{n}", text) for kind, n, text in found if kind == "E"]
        answers = [(f"A{n}", text) for kind, n, text in found if kind == "A"]
        return {"links": [{"answer": a, "sources": self._sources(text, sources)} for a, text in answers]}

    def _shown(self) -> Sequence[AnswerSentence]:
        return self.answer.sentences if self.answer else ()

    def _sources(self, text: str, sources: Sequence[tuple[str, str]]) -> list[str]:
        """The ids of the sources that the rules cited for a sentence."""
        quotes = [" ".join(c.quote.split()) for s in self._shown() if s.text == text for c in s.citations]
        return [name for name, source in sources if any(source.endswith(quote) for quote in quotes)]
