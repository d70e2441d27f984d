"""Cached: a request that the partition has an answer to is not asked again. What is new is kept when the question ends.

The key is a hash of everything that shapes a reply, the endpoint's address among it; where it is looked up is the
partition. A row that is no longer what was written is as good as none.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from chartcite.core.chat import OF_THE_FORM, ChatModel, ChatReply, ChatRequest
from chartcite.library.calls.account import Account
from chartcite.library.calls.cut_prompt import was_cut

_FORM = 2
"""Of what is kept; another form is another key."""


@dataclass(slots=True)
class Kept:
    """The replies of one partition: those that it has, and those of this question that it should get.

    Attributes:
        read: what the partition holds under a key, or None.
    """

    read: Callable[[bytes], bytes | None]
    new: dict[bytes, bytes] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: bytes) -> ChatReply | None:
        """A reply to the same request."""
        with self._lock:
            stored = self.new.get(key) or self.read(key)
        return None if stored is None else _reply(stored)

    def put(self, key: bytes, reply: ChatReply) -> None:
        """Keep a reply for the end of the question."""
        with self._lock:
            self.new[key] = json.dumps(asdict(reply), ensure_ascii=True, sort_keys=True).encode()


class Cached:
    """See the module.

    Args:
        inner: who is asked what is not known.
        kept: of the partition that the question is put to.
        identity: of the endpoint, and of what else shapes a reply without being in the request.
        account: told of each reply that was known.
        count: tokens of a text, to see whether the server cut the prompt.
    """

    def __init__(
        self, inner: ChatModel, kept: Kept, identity: str, account: Account, count: Callable[[str], int]
    ) -> None:
        self.name, self.is_remote, self.context_tokens = inner.name, inner.is_remote, inner.context_tokens
        self._inner, self._kept, self._identity, self._account = inner, kept, identity, account
        self._count = count

    def chat(self, request: ChatRequest) -> ChatReply:
        """One reply. Kept is a whole one only: to the whole prompt, by the model asked. Else the next may be better."""
        key = self._key(request)
        known = self._kept.get(key)
        if known is not None:
            self._account.known(request.stage)
            return known
        reply = self._inner.chat(request)
        if _is_whole(reply) and reply.text.strip() and not was_cut(request, reply, self._count):
            self._kept.put(key, reply)
        return reply

    def _key(self, request: ChatRequest) -> bytes:
        asked = asdict(replace(request, stage="", stop=None))
        content = json.dumps([_FORM, self._identity, self.name, asked], ensure_ascii=True, sort_keys=True)
        return hashlib.sha256(content.encode()).digest()


def _reply(stored: bytes) -> ChatReply | None:
    try:
        row: dict[str, Any] = json.loads(stored)
        reply = ChatReply(**{**row, "notes": tuple(row["notes"])})
    except (ValueError, TypeError, KeyError):
        return None
    counts = (reply.prompt_tokens, reply.completion_tokens)
    sound = isinstance(reply.text, str) and _is_whole(reply)
    return reply if sound and all(c is None or type(c) is int for c in counts) else None


def _is_whole(reply: ChatReply) -> bool:
    """Whether it ended by itself and nothing happened on its way but how it had to be asked for."""
    return reply.finish == "stop" and set(reply.notes) <= OF_THE_FORM
