"""Workers elsewhere: only when allowed, only with the library, and only if they do the same."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import pytest
from tests.conftest import FakeEncoder

from chartcite.compute.port import Worker, WorkerDiffers
from chartcite.core.errors import MissingExtra, NotConfigured
from chartcite.ingest.pool import EncodingPool
from chartcite.library.crews import crew_of
from chartcite.library.encoding import _identity, encoding_worker, reading_with
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.records.record import read_whole


def test_no_text_goes_to_another_machine_unless_that_is_allowed() -> None:
    with pytest.raises(NotConfigured, match="other machines"):
        crew_of(Settings(compute="ray", ray_address="ray.example:6379"), Worker(encoding_worker))


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "chartcite.compute.engines.ray", raising=False)
    with pytest.raises(MissingExtra, match="needs ray") as told:
        crew_of(Settings(compute="ray", ray_address="127.0.0.1:6379"), Worker(encoding_worker))
    assert "chartcite[cluster]" in told.value.advice


def test_a_worker_that_would_give_other_digits_will_not_work() -> None:
    settings = Settings()
    here = _identity(Engines(settings))
    assert encoding_worker(settings, here).texts.encoder.fingerprint
    others = {
        "models": replace(here, models=("x", "")),
        "code": replace(here, code="x"),
        "probe": replace(here, probe="x"),
    }
    for part, other in others.items():
        with pytest.raises(WorkerDiffers, match=part):
            encoding_worker(settings, other)


def test_who_computes_changes_no_answer() -> None:
    elsewhere = Settings(compute="ray", ray_address="127.0.0.1:6379")
    assert elsewhere.answer_hash({}) == Settings().answer_hash({})


class Sharing:
    """A crew that notes how documents are shared out, and says their numbers."""

    workers = 2
    lost = 0

    def __init__(self) -> None:
        self.shares: list[int] = []

    def submit(self, group: Hashable, job: Any) -> Future[Any]:
        self.shares.append(len(job.documents))
        future: Future[Any] = Future()
        future.set_result([str(one).encode() for one in job.documents])
        return future

    def close(self) -> None:
        pass


@pytest.mark.parametrize("number", [0, 1, 7, 100])
def test_documents_are_shared_out_and_come_back_in_their_order(number: int) -> None:
    crew = Sharing()
    pool = EncodingPool(FakeEncoder(), crew=crew)
    documents: Any = list(range(number))
    assert reading_with(pool)(documents) == [str(n).encode() for n in range(number)]
    assert sum(crew.shares) == number
    assert number < 8 or len(crew.shares) >= 2 * crew.workers
    pool.close()


def test_without_workers_documents_are_read_here() -> None:
    pool = EncodingPool(FakeEncoder(), 1)
    assert reading_with(pool) is read_whole
    pool.close()
