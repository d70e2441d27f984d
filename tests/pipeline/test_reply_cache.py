"""Replies kept in the store: the same answer without a call, never of another patient, and a budget that holds."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.pipeline.test_model_writer import GOOD, NOTE, QUESTION, asking, holds, names
from tests.pipeline.test_small_records import note, put
from tests.scripted_server import Said, chat, serving

from chartcite.core.answer import Answer
from chartcite.core.chat import ChatRequest, Message
from chartcite.core.errors import Cancelled
from chartcite.library.book import Book


def as_bytes(answer: Answer) -> str:
    return json.dumps(answer.to_dict())


def test_the_second_time_no_call_is_made_and_the_answer_is_the_same(demo: Book, tmp_path: Path) -> None:
    with serving(lambda _: chat(GOOD)) as (url, seen), asking(demo, tmp_path, url) as book:
        first, second = (book.ask(QUESTION, patient="p") for _ in range(2))
        assert len(seen) == 1
    assert as_bytes(first) == as_bytes(second)
    assert second.llm_calls == 1
    assert [(u.calls, u.cached) for u in (first.usage["write"], second.usage["write"])] == [(1, 0), (0, 1)]
    assert second.to_dict(timings=True)["usage"]["write"]["cached"] == 1


def test_without_a_cache_the_answer_is_the_same_too(demo: Book, tmp_path: Path) -> None:
    found: list[str] = []
    for kept in (True, False):
        folder = tmp_path / str(kept)
        folder.mkdir()
        with serving(lambda _: chat(GOOD)) as (url, seen), asking(demo, folder, url, reply_cache=kept) as book:
            found += [_without_config(book.ask(QUESTION, patient="p")) for _ in range(2)]
            assert len(seen) == (1 if kept else 2)
            rows = book.store._connection.execute("SELECT COUNT(*) FROM replies").fetchone()[0]
            assert rows == (1 if kept else 0)
    assert len(set(found)) == 1


def _without_config(answer: Answer) -> str:
    """The port of the scripted server is part of the configuration."""
    return json.dumps({**answer.to_dict(), "config": ""})


def test_a_twin_gets_no_reply_of_the_other(demo: Book, tmp_path: Path) -> None:
    """Two records equal to the letter: the same prompt, and still nothing is shared."""
    with serving(lambda _: chat(GOOD)) as (url, seen), asking(demo, tmp_path, url) as book:
        put(book, tmp_path, {**note("d1", NOTE), "patient_id": "twin"}, name="twin.jsonl")
        for patient in ("p", "twin", "p", "twin"):
            holds(book.ask(QUESTION, patient=patient))
        assert [body["messages"] for body in seen[:1]] == [body["messages"] for body in seen[1:]]
        assert len(seen) == 2
        book.delete(patient="p")
        assert book.ask(QUESTION, patient="twin").usage["write"].cached == 1
        put(book, tmp_path, note("d1", NOTE), name="again.jsonl")
        assert book.ask(QUESTION, patient="p").usage["write"].calls == 1


def test_a_read_only_store_keeps_nothing_and_says_so(
    demo: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(lambda _: chat(GOOD)) as (url, seen), asking(demo, tmp_path, url) as book:
        monkeypatch.setattr(book.store._database, "_fixed", _Unchanged())
        answers = [book.ask(QUESTION, patient="p") for _ in range(2)]
    assert len(seen) == 2
    assert all(names(a)["replies_not_kept"] == 1 for a in answers)


def test_replies_to_a_record_that_changed_meanwhile_are_not_kept_and_it_says_so(demo: Book, tmp_path: Path) -> None:
    with serving(lambda _: chat(GOOD)) as (url, _), asking(demo, tmp_path, url) as book:
        with book.models(patient="p") as models:
            assert models.writer is not None
            models.writer.chat(ChatRequest((Message("user", "a"),), 10))
            with Book(tmp_path / "store", book.settings, engines=book.engines) as other:
                put(other, tmp_path, note("d9", NOTE), name="later.jsonl")
        assert [f["name"] for f in models.account.fallbacks] == ["replies_not_kept"]


def test_more_room_to_think_is_another_request(demo: Book, tmp_path: Path) -> None:
    with serving(lambda _: chat(GOOD)) as (url, seen):
        for room in (0, 0, 4000):
            with asking(demo, tmp_path, url, writer_think_tokens=room) as book:
                book.ask(QUESTION, patient="p")
    assert [body["max_tokens"] for body in seen] == [seen[0]["max_tokens"], seen[0]["max_tokens"] + 4000]


class _Unchanged:
    def check(self) -> None:
        """Nobody wrote."""


WRONG = '{"sentences": [{"text": "The warfarin dose is 50 mg every evening.", "sources": ["E1"]}]}'


@pytest.mark.parametrize("limit", [{"llm_calls_limit": 1}, {"llm_tokens_limit": 5}], ids=["calls", "tokens"])
def test_a_budget_that_is_used_up_ends_in_an_answer_by_rules(limit: Any, demo: Book, tmp_path: Path) -> None:
    """The model is wrong and would be asked again; the second time, with the first reply known, it ends alike."""
    with serving(lambda _: chat(WRONG)) as (url, seen), asking(demo, tmp_path, url, **limit) as book:
        first, second = (book.ask(QUESTION, patient="p") for _ in range(2))
    assert len(seen) == first.llm_calls == 1
    assert as_bytes(first) == as_bytes(second)
    assert names(first)["llm_budget_used_up"] == 1
    assert names(first)["answered_by_rules"] == 1
    assert "writer_endpoint_failed" not in names(first)
    assert not any("50" in s.text for s in first.sentences)


def test_a_judge_that_the_budget_does_not_reach_judges_nothing(demo: Book, tmp_path: Path) -> None:
    verdict = '{"verdict": "supported", "source": "1", "reason": ""}'
    with (
        serving(lambda _: chat(verdict)) as (url, seen),
        asking(demo, tmp_path, "", judge_url=url, judge_model="j", llm_calls_limit=1) as book,
    ):
        answer = book.ask("What is the warfarin dose and the INR?", patient="p")
    assert len(seen) == 1
    assert [s.judged is not None for s in answer.sentences] == [True, *[False] * (len(answer.sentences) - 1)]
    assert names(answer).get("llm_budget_used_up", 0) == len(answer.sentences) - 1


def test_judges_side_by_side_say_the_same(demo: Book, tmp_path: Path) -> None:
    def verdict(body: dict[str, Any]) -> Said:
        word = "supported" if "INR" in body["messages"][-1]["content"].split("Sources")[0] else "contradicted"
        return chat(json.dumps({"verdict": word, "source": "1", "reason": word}))

    found = []
    for parallel in (1, 4):
        folder = tmp_path / str(parallel)
        folder.mkdir()
        with (
            serving(verdict) as (url, _),
            asking(demo, folder, "", judge_url=url, judge_model="j", llm_parallel=parallel) as book,
        ):
            found.append(_without_config(book.ask("What is the warfarin dose and the INR?", patient="p")))
    assert found[0] == found[1]


def test_a_question_can_be_cancelled_before_it_asks(demo: Book, tmp_path: Path) -> None:
    cancel = threading.Event()
    cancel.set()
    with serving(lambda _: chat(GOOD)) as (url, seen), asking(demo, tmp_path, url) as book:
        with pytest.raises(Cancelled):
            book.ask(QUESTION, patient="p", cancel=cancel)
        holds(book.ask(QUESTION, patient="p", cancel=threading.Event()))
        assert len(seen) == 1
