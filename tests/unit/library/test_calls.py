"""What stands between a stage and an endpoint: the budget, the replies already known, the account."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest

from chartcite.core.chat import ChatModel, ChatReply, ChatRequest, Message, Stop, ask_all
from chartcite.core.errors import BudgetUsedUp, Cancelled, EndpointFailed
from chartcite.library.calls.account import Account
from chartcite.library.calls.budget import Budgeted, Purse
from chartcite.library.calls.cached import Cached, Kept
from chartcite.library.calls.meter import Metered


class Model:
    """Answers with what it was asked; `fails` names what it fails on."""

    name, is_remote, context_tokens = "m", False, 100

    def __init__(self, fails: str = "", reply: Callable[[str], ChatReply] | None = None) -> None:
        self.asked: list[str] = []
        self._fails = fails
        self._reply = reply or (lambda text: ChatReply(f"re {text}", "stop", 10, 5))

    def chat(self, request: ChatRequest) -> ChatReply:
        text = request.messages[0].content
        self.asked.append(text)
        if text == self._fails:
            raise EndpointFailed("no")
        return self._reply(text)


def request(text: str, **how: Any) -> ChatRequest:
    return ChatRequest((Message("user", text),), 10, **{"stage": "write", **how})


def purse(account: Account, calls: int = 0, tokens: int = 0, stop: Stop | None = None) -> Purse:
    return Purse(calls, tokens, stop or Stop(), account, lambda text: len(text.split()))


def texts(replies: list[ChatReply | EndpointFailed]) -> list[str]:
    return [r.text if isinstance(r, ChatReply) else r.kind for r in replies]


def test_the_account_knows_calls_tokens_and_failures_by_stage() -> None:
    account = Account()
    model = Metered(Model(fails="b"), account)
    model.chat(request("a"))
    model.chat(request("c", stage="judge"))
    with pytest.raises(EndpointFailed):
        model.chat(request("b"))
    used = account.usage
    assert list(used) == ["judge", "write"]
    assert (used["write"].calls, used["write"].prompt_tokens, used["write"].completion_tokens) == (2, 10, 5)
    assert used["write"].seconds > 0


@pytest.mark.parametrize(
    ("sent", "reported", "is_cut"),
    [
        (6000, 2048, True), (6000, 4096, True), (6000, 4000, True), (6000, 6000, False), (6000, 5000, False),
        (6000, 7300, False), (6000, 3100, False), (6000, 2900, True), (6000, None, False), (4096, 4096, False),
        (4300, 4096, False), (200, 20, False), (300, 100, True),
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_known", [True, False], ids=["known", "new"])
def test_a_prompt_that_the_server_cut_is_told(sent: int, reported: int | None, is_cut: bool, is_known: bool) -> None:
    account = Account()
    model: ChatModel = Model(reply=lambda _: ChatReply("x", "stop", reported, 1))
    asked = ChatRequest((Message("system", "w " * 100), Message("user", "w " * (sent - 100))), 10)
    if is_known:
        model = cached(Model(reply=lambda _: ChatReply("x", "stop", reported, 1)), Kept(lambda _: None))
        model.chat(asked)
    Budgeted(model, purse(account), 1).chat(asked)
    assert [f["name"] for f in account.fallbacks] == (["prompt_was_cut_by_server"] if is_cut else [])


def test_what_no_server_tells_is_unknown_and_not_nothing() -> None:
    account = Account()
    Metered(Model(reply=lambda _: ChatReply("x", "stop")), account).chat(request("a"))
    assert account.usage["write"].prompt_tokens is None


@pytest.mark.parametrize(("calls", "tokens", "made"), [(2, 0, 2), (0, 30, 2), (0, 31, 3), (0, 0, 4), (9, 1, 1)])
def test_a_budget_ends(calls: int, tokens: int, made: int) -> None:
    account, model = Account(), Model()
    chat = Budgeted(model, purse(account, calls, tokens), 1)
    for n in range(made):
        chat.chat(request(str(n)))
    if made < 4:
        with pytest.raises(BudgetUsedUp):
            chat.chat(request("more"))
    assert account.asked == len(model.asked) == made


def test_tokens_are_counted_by_us_where_the_server_does_not() -> None:
    chat = Budgeted(Model(reply=lambda _: ChatReply("four words of reply", "stop")), purse(Account(), tokens=6), 1)
    chat.chat(request("two words"))
    with pytest.raises(BudgetUsedUp):
        chat.chat(request("more"))


def test_the_time_of_a_question_ends_too() -> None:
    chat = Budgeted(Model(), purse(Account(), stop=Stop(at=time.monotonic() - 1)), 1)
    with pytest.raises(BudgetUsedUp):
        chat.chat(request("a"))


def test_a_cancelled_question_asks_nothing_more() -> None:
    stop, model = Stop(), Model()
    stop.cancelled.set()
    with pytest.raises(Cancelled):
        Budgeted(model, purse(Account(), stop=stop), 1).chat(request("a"))
    assert model.asked == []


@pytest.mark.parametrize("parallel", [1, 2, 3, 8])
def test_replies_come_in_the_order_of_the_requests(parallel: int) -> None:
    def late(text: str) -> ChatReply:
        time.sleep((6 - int(text)) / 500)
        return ChatReply(text, "stop")

    chat = Budgeted(Model(reply=late), purse(Account()), parallel)
    assert texts(ask_all(chat, [request(str(n)) for n in range(6)])) == list("012345")


@pytest.mark.parametrize("parallel", [1, 2, 3])
def test_a_budget_admits_the_same_ones_whichever_comes_first(parallel: int) -> None:
    chat = Budgeted(Model(), purse(Account(), calls=4), parallel)
    found = texts(ask_all(chat, [request(str(n)) for n in range(6)]))
    assert found == ["re 0", "re 1", "re 2", "re 3", "BudgetUsedUp", "BudgetUsedUp"]


@pytest.mark.parametrize("parallel", [1, 2])
def test_after_a_failure_nothing_more_is_asked(parallel: int) -> None:
    model = Model(fails="1")
    found = texts(ask_all(Budgeted(model, purse(Account()), parallel), [request(str(n)) for n in range(6)]))
    assert found == ["re 0", *["EndpointFailed"] * 5]
    assert sorted(model.asked) == ["0", "1"]


def test_a_plain_model_is_asked_one_by_one() -> None:
    model: ChatModel = Model(fails="2")
    assert texts(ask_all(model, [request(str(n)) for n in range(4)])) == ["re 0", "re 1", *["EndpointFailed"] * 2]


def test_calls_side_by_side_are_bounded() -> None:
    lock, now, most = threading.Lock(), 0, 0

    def counted(text: str) -> ChatReply:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.005)
        with lock:
            now -= 1
        return ChatReply(text, "stop")

    ask_all(Budgeted(Model(reply=counted), purse(Account()), 3), [request(str(n)) for n in range(9)])
    assert most == 3


def cached(model: Model, kept: Kept, account: Account | None = None, identity: str = "url") -> Cached:
    return Cached(model, kept, identity, account or Account(), lambda text: len(text.split()))


def test_a_known_reply_is_no_call() -> None:
    account, model, kept = Account(), Model(), Kept(lambda _: None)
    first = cached(model, kept, account).chat(request("a"))
    stored = dict(kept.new)
    again = cached(model, Kept(stored.get), account).chat(request("a"))
    assert again == first
    assert model.asked == ["a"]
    assert (account.usage["write"].calls, account.usage["write"].cached) == (0, 1)


OTHERS: dict[str, Callable[[], tuple[ChatRequest, str, str]]] = {
    "words": lambda: (request("b"), "url", "m"),
    "role": lambda: (ChatRequest((Message("system", "a"),), 10), "url", "m"),
    "limit": lambda: (ChatRequest((Message("user", "a"),), 11), "url", "m"),
    "seed": lambda: (request("a", seed=1), "url", "m"),
    "temperature": lambda: (request("a", temperature=0.1), "url", "m"),
    "schema": lambda: (request("a", schema={"type": "object"}), "url", "m"),
    "endpoint": lambda: (request("a"), "url2", "m"),
    "model": lambda: (request("a"), "url", "m2"),
}


@pytest.mark.parametrize("other", OTHERS)
def test_another_request_is_another_reply(other: str) -> None:
    kept = Kept(lambda _: None)
    cached(Model(), kept).chat(request("a"))
    asked, url, name = OTHERS[other]()
    model = Model()
    model.name = name
    cached(model, kept, identity=url).chat(asked)
    assert len(model.asked) == 1
    assert len(kept.new) == 2


def test_which_stage_asks_and_until_when_changes_no_reply() -> None:
    kept, model = Kept(lambda _: None), Model()
    cached(model, kept).chat(request("a"))
    cached(model, kept).chat(request("a", stage="judge", stop=Stop(at=1.0)))
    assert model.asked == ["a"]


NOT_WHOLE = {
    "empty": ChatReply(" ", "stop"),
    "odd": ChatReply("x", "other"),
    "cut off": ChatReply("x", "length"),
    "another model": ChatReply("x", "stop", notes=("another_model_answered",)),
    "prompt cut": ChatReply("x", "stop", 100),
}


@pytest.mark.parametrize("case", NOT_WHOLE)
def test_a_reply_that_may_be_better_next_time_is_not_kept(case: str) -> None:
    kept = Kept(lambda _: None)
    cached(Model(reply=lambda _: NOT_WHOLE[case]), kept).chat(request("a " * 300))
    assert kept.new == {}


@pytest.mark.parametrize("case", ["odd", "cut off", "another model"])
def test_nor_is_it_used_where_it_was(case: str) -> None:
    row = json.dumps(asdict(NOT_WHOLE[case])).encode()
    model = Model()
    assert cached(model, Kept(lambda _: row)).chat(request("a")).text == "re a"


def test_how_a_reply_had_to_be_asked_for_does_not_spoil_it() -> None:
    stored: dict[bytes, bytes] = {}
    kept = Kept(stored.get, stored)
    reply = ChatReply("x", "stop", notes=("asked_without_schema",))
    model = Model(reply=lambda _: reply)
    assert [cached(model, kept).chat(request("a")) for _ in range(2)] == [reply, reply]
    assert model.asked == ["a"]


@pytest.mark.parametrize(
    "row",
    [b"", b"{", b"[]", b"{}", b'{"text": 1, "finish": "stop", "notes": []}',
     b'{"text": "a", "finish": "x", "notes": []}',
     b'{"text": "a", "finish": "stop", "notes": [], "more": 1}', b'{"text": "a", "finish": "stop", "notes": 5}'],
    ids=["empty", "cut", "list", "nothing", "number", "finish", "more", "notes"],
)  # fmt: skip
def test_a_row_of_another_form_is_not_used(row: bytes) -> None:
    model = Model()
    assert cached(model, Kept(lambda _: row)).chat(request("a")).text == "re a"
    assert model.asked == ["a"]


def test_cancelling_ends_calls_side_by_side() -> None:
    stop = Stop()

    def waits(text: str) -> ChatReply:
        stop.cancelled.set()
        stop.check()
        return ChatReply(text, "stop")

    model = Model(reply=waits)
    with pytest.raises(Cancelled):
        ask_all(Budgeted(model, purse(Account(), stop=stop), 2), [request(str(n)) for n in range(6)])
    assert len(model.asked) <= 2
