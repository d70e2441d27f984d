"""What came of a job crosses the border as plain values, and never an engine's own message."""

from __future__ import annotations

import pickle
from concurrent.futures import Future
from typing import Any

import pytest

from chartcite.compute.port import JobFailed, Outcome
from chartcite.core.errors import EmptySource


def settled(work: Any, job: Any) -> Future[Any]:
    future: Future[Any] = Future()
    pickle.loads(pickle.dumps(Outcome.of(work, job))).settle(future)
    return future


def test_a_result_comes_back() -> None:
    assert settled(str.upper, "a").result(0) == "A"


def test_a_named_error_stays_what_it_is() -> None:
    def empty(_: str) -> None:
        raise EmptySource("Nothing in it.", "See to it.")

    with pytest.raises(EmptySource, match="Nothing in it") as told:
        settled(empty, "a").result(0)
    assert told.value.advice == "See to it."


def test_any_other_error_loses_its_message() -> None:
    def broken(text: str) -> None:
        raise ValueError(text)

    with pytest.raises(JobFailed) as told:
        settled(broken, "text of a note").result(0)
    assert "note" not in str(told.value)
    assert "ValueError" in str(told.value)


def test_whoever_has_given_up_is_not_answered() -> None:
    future: Future[Any] = Future()
    future.cancel()
    Outcome(1).settle(future)
    assert future.cancelled()
