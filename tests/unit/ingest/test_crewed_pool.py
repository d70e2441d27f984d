"""A pool whose crew encodes: the same vectors, each text once, its workers' losses counted."""

from __future__ import annotations

from collections.abc import Hashable
from concurrent.futures import Future
from typing import Any

import numpy as np
import pytest
from tests.conftest import FakeEncoder

from chartcite.compute.port import Outcome
from chartcite.core.scope import Scope
from chartcite.ingest.encoding import EngineFailed, Text, TextWork
from chartcite.ingest.pool import EncodingPool

ONE, TWO = Scope.patient("1"), Scope.patient("2")


class FakeCrew:
    """Does the work at once."""

    workers = 3

    def __init__(self, work: TextWork) -> None:
        self._work = work
        self.lost = 2
        self.asked: list[tuple[Hashable, Text]] = []
        self.is_closed = False

    def submit(self, group: Hashable, job: Text) -> Future[Any]:
        self.asked.append((group, job))
        future: Future[Any] = Future()
        Outcome.of(self._work, job).settle(future)
        return future

    def close(self) -> None:
        self.is_closed = True


def test_the_crew_encodes_each_text_of_a_partition_once() -> None:
    encoder = FakeEncoder()
    crew = FakeCrew(TextWork(encoder))
    pool = EncodingPool(encoder, crew=crew)
    found = [pool.submit(scope, b"k", "a text").result(0) for scope in (ONE, ONE, TWO)]
    assert [group for group, _ in crew.asked] == [ONE, TWO]
    assert np.array_equal(found[0].vector, encoder.encode_passage("a text").vector)
    assert pool.expand(ONE, b"k", "a text") is None
    assert (pool.workers, pool.encoded, pool.lost) == (3, 2, 2)
    pool.close()
    assert crew.is_closed


def test_an_engines_failure_is_named_where_it_is_and_says_nothing_of_the_text() -> None:
    class Broken(FakeEncoder):
        def encode_passage(self, text: str) -> Any:
            raise RuntimeError(text)

    pool = EncodingPool(FakeEncoder(), crew=FakeCrew(TextWork(Broken())))
    with pytest.raises(EngineFailed) as told:
        pool.submit(ONE, b"k", "text of a note").result(0)
    assert "note" not in str(told.value)
    pool.close()
