"""The chat models of one question, each behind what concerns every call.

From outside: the budget with cancellation, de-identification, the replies that the partition already has, the meter,
the endpoint. Stages see the port and nothing of this. What the answer tells stands before the cache, so that a question
ends the same way whether its replies were known or not (decision 32); what is kept are surrogates.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from chartcite.core.answer import Answer
from chartcite.core.chat import ChatModel, Stop
from chartcite.core.choice import Choice
from chartcite.core.errors import ModelRefused
from chartcite.core.spans import SpanAnswer
from chartcite.deid.deidentifier import Deidentifier
from chartcite.library.calls.account import Account
from chartcite.library.calls.budget import Budgeted, Purse
from chartcite.library.calls.cached import Cached, Kept
from chartcite.library.calls.deidentified import AsItIs, Deidentified, Veil
from chartcite.library.calls.meter import Metered
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

Told = TypeVar("Told", Answer, Choice, SpanAnswer)
Hide = Callable[[], Deidentifier]
"""Makes the de-identifier of the partition that is asked."""


@dataclass(frozen=True, slots=True)
class Chats:
    """Writer and judge for one question, and what they cost it."""

    writer: ChatModel | None
    judge: ChatModel | None
    account: Account

    def settle(self, answer: Told) -> Told:
        """The answer, in whichever form, with the account of its calls."""
        account = self.account
        return replace(
            answer, llm_calls=account.asked, usage=account.usage, fallbacks=answer.fallbacks + account.fallbacks
        )


def must_hide(engines: Engines, settings: Settings) -> bool:
    """Whether some endpoint of the settings is to get surrogates."""
    models = [model for model in (engines.writer, engines.judge) if model is not None]
    return (settings.deidentify == "always" and bool(models)) or (
        settings.deidentify == "remote" and any(model.is_remote for model in models)
    )


def unlimited(engines: Engines, settings: Settings) -> Chats:
    """Writer and judge for a long run on no partition: nothing is known, kept, limited or hidden; raises as `chats`."""
    free = {"llm_calls_limit": 0, "llm_tokens_limit": 0, "llm_seconds_limit": 0}
    return chats(engines, settings.model_copy(update=free), None, Stop())


def chats(engines: Engines, settings: Settings, kept: Kept | None, stop: Stop, hide: Hide | None = None) -> Chats:
    """Put the wrappers around the endpoints that the settings name.

    Args:
        engines: has the bare endpoints.
        settings: of the store's use.
        kept: the partition's replies; None: nothing is looked up or kept.
        stop: carries the caller's cancellation; the time limit of the settings is put to it.
        hide: used where the setting `deidentify` says so.

    Raises:
        ModelRefused: it says so, and there is no `hide`.
    """
    if hide is None and must_hide(engines, settings):
        raise ModelRefused(
            "A model would get text that nobody has de-identified.",
            "Name a model on this machine, or set deidentify = off if it may see what it is sent.",
        )
    account = Account()
    if settings.llm_seconds_limit:
        stop = replace(stop, at=time.monotonic() + settings.llm_seconds_limit)

    def count(text: str) -> int:
        return len(engines.encoder.offsets([text])[0])

    veil = None if hide is None or settings.deidentify == "off" else Veil(hide)
    purse = Purse(settings.llm_calls_limit, settings.llm_tokens_limit, stop, account, count)

    def wrapped(model: ChatModel | None, url: str) -> ChatModel | None:
        if model is None:
            return None
        inner: ChatModel = Metered(model, account)
        prepare = None
        if kept is not None:
            inner = Cached(inner, kept, f"{url} {settings.writer_think_tokens}", account, count)
        if veil is not None and (model.is_remote or settings.deidentify == "always"):
            inner = hiding = Deidentified(inner, veil, account)
            prepare = hiding.prepare
        elif model.is_remote:
            inner = AsItIs(inner, account)
        if engines.heard:
            inner = engines.heard(inner)
        return Budgeted(inner, purse, settings.llm_parallel, prepare)

    return Chats(wrapped(engines.writer, settings.writer_url), wrapped(engines.judge, settings.judge_url), account)
