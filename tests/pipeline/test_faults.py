"""Twenty faults of endpoints in five stages: each ends by itself, is named, and makes no success of nothing.

By default every fault is seen in one stage and every stage sees some; all under `-m soak`. The table of outcomes is
in the report: `pytest tests/pipeline/test_faults.py -m "soak or not soak" -o junit_family=xunit1 --junitxml=FILE`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.faults import FAULTS, GOOD
from tests.pipeline.test_model_writer import NOTE, names
from tests.pipeline.test_small_records import note, put
from tests.scripted_server import Said, chat, serving

from chartcite.core.answer import Answer
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

QUESTION = "Please, how much warfarin is she to take every evening?"
STAGES: dict[str, dict[str, Any]] = {
    "interpret": {"interpret_by": "llm", "write_by": "rules"},
    "score": {"score_by": "llm", "write_by": "rules"},
    "write": {},
    "align": {"align_by": "llm", "write_by": "rules"},
    "judge": {},
}
FALLS_BACK_TO = {
    "interpret": "interpreted_by_rules", "score": "scored_by_rules", "write": "answered_by_rules",
    "align": "aligned_by_rules",
}  # fmt: skip
BOUND_S = 30.0
"""Far above the half second that a reply is waited for here, far below what a person would call hanging."""
Ask = Callable[..., Answer]


@pytest.fixture(scope="module")
def store(demo: Book, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faults")
    with Book(folder / "store", engines=demo.engines) as book:
        put(book, folder, note("d1", NOTE))
    return folder / "store"


@pytest.fixture(scope="module")
def ask(demo: Book, store: Path) -> Ask:
    def go(stage: str, url: str) -> Answer:
        where: dict[str, Any] = (
            {"judge_url": url, "judge_model": "m"} if stage == "judge" else {"writer_url": url, "writer_model": "m"}
        )
        settings = Settings(
            **where, **STAGES[stage], writer_timeout=0.5, writer_stall=0.2, reply_cache=False, allow_remote=False
        )
        engines = Engines(settings)
        for name in ("encoder", "reranker"):
            engines.__dict__[name] = getattr(demo.engines, name)
        with Book(store, settings, engines=engines) as book:
            return book.ask(QUESTION, patient="p")

    return go


def holds(answer: Answer) -> None:
    """What is true of every answer, whatever an endpoint did."""
    assert not answer.abstained
    assert all(s.verified and s.citations for s in answer.sentences)
    assert all(NOTE[c.start : c.end] == c.quote for c in answer.citations)
    assert "5 mg" in answer.text


@pytest.mark.parametrize("stage", STAGES)
def test_without_a_fault_the_model_does_the_stage(stage: str, ask: Ask) -> None:
    with serving(lambda _: chat(GOOD[stage])) as (url, _):
        answer = ask(stage, url)
    holds(answer)
    assert FALLS_BACK_TO.get(stage) not in names(answer)
    if stage == "judge":
        assert all(s.judged and s.judged["verdict"] == "supported" for s in answer.sentences)


def _cases() -> list[Any]:
    quick = {(fault, list(STAGES)[n % len(STAGES)]) for n, fault in enumerate(FAULTS)}
    return [
        pytest.param(fault, stage, id=f"{fault}-{stage}", marks=() if (fault, stage) in quick else pytest.mark.soak)
        for fault in FAULTS
        for stage in STAGES
    ]


@pytest.mark.parametrize(("fault", "stage"), _cases())
def test_a_fault_ends_and_is_named(
    fault: str, stage: str, ask: Ask, record_property: Callable[[str, object], None]
) -> None:
    def reply(body: dict[str, Any]) -> Said:
        return FAULTS[fault](GOOD[stage], body)

    start = time.monotonic()
    with serving(reply) as (url, seen):
        answer = ask(stage, _address(fault, url))
    took = time.monotonic() - start
    told = names(answer)
    record_property("seconds", round(took, 2))
    record_property("requests", len(seen))
    record_property("fallbacks", " ".join(f"{name}:{count}" for name, count in sorted(told.items())))
    holds(answer)
    assert took < BOUND_S
    assert len(seen) <= 16
    own = [name for name in told if name.startswith(stage if stage != "write" else "writer")]
    assert own, told
    if stage == "judge":
        assert not any(s.judged and s.judged["conclusive"] for s in answer.sentences)
    else:
        assert told[FALLS_BACK_TO[stage]] >= 1
        assert answer.writer is None


def _address(fault: str, url: str) -> str:
    if fault == "refused":
        return "http://127.0.0.1:9/v1"
    return url.replace("http:", "https:") if fault == "no TLS" else url


def test_another_model_than_the_one_asked_for_is_told(ask: Ask) -> None:
    body = {"model": "z", "choices": [{"message": {"content": GOOD["write"]}, "finish_reason": "stop"}]}
    with serving(lambda _: Said(body)) as (url, _):
        answer = ask("write", url)
    holds(answer)
    assert names(answer)["another_model_answered"] == 1
