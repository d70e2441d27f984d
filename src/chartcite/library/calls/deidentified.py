"""De-identification: what goes to an endpoint has surrogates in it, what comes back has none; stages see neither."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from chartcite.core.chat import ChatModel, ChatReply, ChatRequest
from chartcite.deid.deidentifier import Deidentifier, Hidden
from chartcite.library.calls.account import Account
from chartcite.library.calls.turns import hidden_turns, restored

SENT_AS_IT_IS = "sent_without_deidentification"


@dataclass(slots=True)
class Veil:
    """One question's de-identifier, made when the first text is hidden; safe to use from several threads."""

    make: Callable[[], Deidentifier]
    _made: Deidentifier | None = None
    _hidden: dict[str, str] = field(default_factory=dict)
    _seen: set[tuple[str, str]] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def hide(self, text: str) -> str:
        """The text with surrogates; the same again for the same text."""
        with self._lock:
            if text in self._hidden:
                return self._hidden[text]
            if self._made is None:
                self._made = self.make()
            hidden: Hidden = self._made.hide(text)
            self._seen.update((span.kind, text[span.start : span.end]) for span in hidden.spans)
            self._hidden[text] = hidden.text
            return hidden.text

    def restore(self, text: str) -> str:
        """A reply with everything put back."""
        with self._lock:
            return text if self._made is None else self._made.restore(text)

    @property
    def counts(self) -> dict[str, int]:
        """How many different things of each kind were hidden so far."""
        with self._lock:
            kinds = [kind for kind, _ in self._seen]
            return {kind: kinds.count(kind) for kind in sorted(set(kinds))}


class Deidentified:
    """See the module.

    Args:
        inner: the endpoint.
        veil: of this question.
        account: told by kind how much was hidden.
    """

    def __init__(self, inner: ChatModel, veil: Veil, account: Account) -> None:
        self.name, self.is_remote, self.context_tokens = inner.name, inner.is_remote, inner.context_tokens
        self._inner, self._veil, self._account = inner, veil, account

    def chat(self, request: ChatRequest) -> ChatReply:
        """One reply, asked for in surrogates, with everything put back."""
        turns = self.prepare(request)
        hidden = tuple(replace(m, content=turn) for m, turn in zip(request.messages, turns, strict=True))
        self._account.hidden(self._veil.counts)
        reply = self._inner.chat(replace(request, messages=hidden))
        return replace(reply, text=restored(reply.text, self._veil.restore))

    def prepare(self, request: ChatRequest) -> list[str]:
        """The turns as they are sent. Surrogates follow the order of the calls of this, not that of the replies."""
        return hidden_turns([message.content for message in request.messages], self._veil.hide)


class AsItIs:
    """A remote endpoint whose user has switched de-identification off: each call is told."""

    def __init__(self, inner: ChatModel, account: Account) -> None:
        self.name, self.is_remote, self.context_tokens = inner.name, inner.is_remote, inner.context_tokens
        self._inner, self._account = inner, account

    def chat(self, request: ChatRequest) -> ChatReply:
        """One reply."""
        self._account.note([SENT_AS_IT_IS])
        return self._inner.chat(request)
