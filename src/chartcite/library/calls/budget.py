"""Budget: how many calls, tokens and seconds one question may cost, its cancellation, and how many calls at a time.

It is the outermost wrapper, so that a reply from the store counts like one from the endpoint: a question ends the same
way whether its replies were known or not. Only the time limit knows the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from chartcite.core.chat import ChatModel, ChatReply, ChatRequest, Stop
from chartcite.core.errors import BudgetUsedUp, EndpointFailed
from chartcite.library.calls.account import Account
from chartcite.library.calls.cut_prompt import PROMPT_CUT, was_cut


@dataclass(slots=True)
class Purse:
    """What a question may still spend; the writer and the judge pay from one.

    Attributes:
        calls: requests allowed; 0: any number.
        tokens: of prompts and replies together, looked at before each call; 0: any number.
        stop: when everything must end.
        count: tokens of a text by our own tokenizer, where a server does not tell.
    """

    calls: int
    tokens: int
    stop: Stop
    account: Account
    count: Callable[[str], int]
    spent: int = field(default=0, init=False)

    def admit(self) -> None:
        """Let one request through and count it.

        Raises:
            BudgetUsedUp: there is nothing left for it.
            Cancelled: the question was cancelled.
        """
        self.stop.check()
        if self.stop.seconds_left == 0:
            raise BudgetUsedUp("The question's time for models is up.", "Raise llm_seconds_limit.")
        if self.calls and self.account.asked >= self.calls:
            raise BudgetUsedUp("The question has made all calls that it may.", "Raise llm_calls_limit.")
        if self.tokens and self.spent >= self.tokens:
            raise BudgetUsedUp("The question has used all tokens that it may.", "Raise llm_tokens_limit.")
        self.account.asked += 1

    def pay(self, request: ChatRequest, reply: ChatReply) -> None:
        """Take off what a reply cost, and note what happened on its way."""
        self.account.note(reply.notes)
        if was_cut(request, reply, self.count):
            self.account.note((PROMPT_CUT,))
        if not self.tokens:
            return
        prompt, completion = reply.prompt_tokens, reply.completion_tokens
        self.spent += sum(self.count(m.content) for m in request.messages) if prompt is None else prompt
        self.spent += self.count(reply.text) if completion is None else completion


class Budgeted:
    """See the module.

    Args:
        inner: who is asked.
        purse: of the question.
        parallel: how many requests of `chat_all` are under way at a time.
        prepare: done to each request of a wave, in their order, before any of them is under way.
    """

    def __init__(
        self,
        inner: ChatModel,
        purse: Purse,
        parallel: int,
        prepare: Callable[[ChatRequest], object] | None = None,
    ) -> None:
        self.name, self.is_remote, self.context_tokens = inner.name, inner.is_remote, inner.context_tokens
        self._inner, self._purse, self._parallel, self._prepare = inner, purse, parallel, prepare

    def chat(self, request: ChatRequest) -> ChatReply:
        """One reply; raises `BudgetUsedUp` where nothing is left for it."""
        self._purse.admit()
        reply = self._inner.chat(self._bound(request))
        self._purse.pay(request, reply)
        return reply

    def chat_all(self, requests: Sequence[ChatRequest]) -> list[ChatReply | EndpointFailed]:
        """See `core.chat.ask_all`. Wave by wave, so that what is admitted never depends on which reply came first."""
        found: list[ChatReply | EndpointFailed] = []
        with ThreadPoolExecutor(self._parallel, thread_name_prefix="chat") as pool:
            while len(found) < len(requests):
                wave = requests[len(found) : len(found) + self._parallel]
                found += self._wave(pool, wave)
                failed = next((r for r in found if isinstance(r, EndpointFailed)), None)
                if failed:
                    return found + [failed] * (len(requests) - len(found))
        return found

    def _wave(self, pool: ThreadPoolExecutor, wave: Sequence[ChatRequest]) -> list[ChatReply | EndpointFailed]:
        admitted: list[ChatRequest] = []
        refused: BudgetUsedUp | None = None
        for request in wave:
            try:
                self._purse.admit()
            except BudgetUsedUp as error:
                refused = error
                break
            admitted.append(request)
        for request in admitted if self._prepare else ():
            self._prepare(request)  # type: ignore[misc]
        found = list(pool.map(self._tried, admitted))
        for request, reply in zip(admitted, found, strict=True):
            if isinstance(reply, ChatReply):
                self._purse.pay(request, reply)
        return found if refused is None else [*found, refused]

    def _tried(self, request: ChatRequest) -> ChatReply | EndpointFailed:
        try:
            return self._inner.chat(self._bound(request))
        except EndpointFailed as error:
            return error

    def _bound(self, request: ChatRequest) -> ChatRequest:
        return replace(request, stop=self._purse.stop)
