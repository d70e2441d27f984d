"""The chat models of one question, each behind what concerns every call.

From outside: the budget with cancellation, the replies that the partition already has, the meter, de-identification,
the endpoint. Stages see the port and nothing of this. The budget stands before the cache so that a question ends the
same way whether its replies were known or not (decision 32).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from chartcite.core.answer import Answer
from chartcite.core.chat import ChatModel, Stop
from chartcite.library.calls.account import Account
from chartcite.library.calls.budget import Budgeted, Purse
from chartcite.library.calls.cached import Cached, Kept
from chartcite.library.calls.meter import Metered
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

Hide = Callable[[ChatModel], ChatModel]
"""Puts de-identification around an endpoint."""


@dataclass(frozen=True, slots=True)
class Chats:
    """Writer and judge for one question, and what they cost it."""

    writer: ChatModel | None
    judge: ChatModel | None
    account: Account

    def settle(self, answer: Answer) -> Answer:
        """The answer with the account of its calls."""
        account = self.account
        return replace(
            answer, llm_calls=account.asked, usage=account.usage, fallbacks=answer.fallbacks + account.fallbacks
        )


def chats(engines: Engines, settings: Settings, kept: Kept | None, stop: Stop, hide: Hide | None = None) -> Chats:
    """Put the wrappers around the endpoints that the settings name.

    Args:
        engines: has the bare endpoints.
        settings: of the store's use.
        kept: the partition's replies; None: nothing is looked up or kept.
        stop: carries the caller's cancellation; the time limit of the settings is put to it.
        hide: de-identification; None: text goes as it is.
    """
    account = Account()
    if settings.llm_seconds_limit:
        stop = replace(stop, at=time.monotonic() + settings.llm_seconds_limit)

    def count(text: str) -> int:
        return len(engines.encoder.offsets([text])[0])

    purse = Purse(settings.llm_calls_limit, settings.llm_tokens_limit, stop, account, count)

    def wrapped(model: ChatModel | None, url: str) -> ChatModel | None:
        if model is None:
            return None
        inner: ChatModel = Metered(hide(model) if hide else model, account)
        if kept is not None:
            inner = Cached(inner, kept, url, account)
        return Budgeted(inner, purse, settings.llm_parallel)

    return Chats(wrapped(engines.writer, settings.writer_url), wrapped(engines.judge, settings.judge_url), account)
