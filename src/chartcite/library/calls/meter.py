"""Meter: enters into the account what a call costs. It stands right before the endpoint's side of the chain."""

from __future__ import annotations

import time

from chartcite.core.chat import ChatModel, ChatReply, ChatRequest
from chartcite.library.calls.account import Account


class Metered:
    """See the module."""

    def __init__(self, inner: ChatModel, account: Account) -> None:
        self.name, self.is_remote, self.context_tokens = inner.name, inner.is_remote, inner.context_tokens
        self._inner, self._account = inner, account

    def chat(self, request: ChatRequest) -> ChatReply:
        """One reply; a call that fails is one too."""
        start = time.perf_counter()
        reply = None
        try:
            reply = self._inner.chat(request)
        finally:
            self._account.called(request.stage, reply, time.perf_counter() - start)
        return reply
