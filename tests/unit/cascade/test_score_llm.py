"""Grades in a model's reply, and that every sentence is accounted for, whatever the reply."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from chartcite.cascade.conversation import Conversation
from chartcite.cascade.score.llm import Line, Scorer, fits_grades, read_grades
from chartcite.core.chat import ChatReply, ChatRequest
from chartcite.core.errors import EndpointFailed
from chartcite.models.replies import read_json

READ: list[tuple[str, dict[int, int], int, int]] = [
    ('{"S1": 5, "S2": 1}', {1: 5, 2: 1}, 0, 0),
    ('{"1": "5", "2": "2 - another matter", "3": "4/5"}', {1: 5, 2: 2, 3: 4}, 0, 0),
    ('{"scores": [{"id": "S1", "score": 3}, {"id": 2, "score": 4.0}]}', {1: 3, 2: 4}, 0, 0),
    ('[{"id": "[S2]", "grade": 1}]', {2: 1}, 0, 0),
    ('{"S1": 7, "S2": 0, "S3": -4}', {}, 0, 3),
    ('{"S1": 4.5, "S2": "4.5", "S3": "4-5"}', {}, 0, 3),
    ('{"S1": null, "S2": true, "S3": "high"}', {}, 0, 2),
    ('{"S1": [5], "S2": {"score": 5}, "S3": 2}', {3: 2}, 0, 2),
    ('{"S0": 5, "S4": 5, "E1": 5, "note": 5, "S1-S3": 5, "S2": 3}', {2: 3}, 5, 0),
    ('{"grades": {"S1": 5}, "note": "x"}', {1: 5}, 0, 0),
    ('[{"id": 1, "score": 5}, {"id": 1, "score": 2}, {"id": 2, "score": 2}, {"id": 2, "score": 2}]', {2: 2}, 0, 1),
]


@pytest.mark.parametrize(("raw", "grades", "unknown", "invalid"), READ, ids=[str(n) for n in range(len(READ))])
def test_nothing_is_brought_near_a_grade(raw: str, grades: dict[int, int], unknown: int, invalid: int) -> None:
    found = read_grades(json.loads(raw), 3)
    assert (dict(found.grades), found.unknown, len(found.invalid)) == (grades, unknown, invalid)


class Model:
    """Says what a test wants to a request, and remembers what it was asked."""

    name, is_remote = "scripted", False

    def __init__(self, reply: Callable[[list[str]], Any], context_tokens: int = 4096) -> None:
        self.context_tokens = context_tokens
        self.asked: list[list[str]] = []
        self._reply = reply

    def chat(self, request: ChatRequest) -> ChatReply:
        self.asked.append(re.findall(r"^S\d+: (.*)$", request.messages[-1].content, re.MULTILINE))
        said = self._reply(self.asked[-1])
        if said is None:
            raise EndpointFailed("nobody")
        return ChatReply(said if isinstance(said, str) else json.dumps(said), "stop")


def grades(model: Model, count: int, words: int = 3) -> tuple[list[int | None], dict[str, int]]:
    told: dict[str, int] = {}

    def fallback(name: str, n: int) -> None:
        told[name] = told.get(name, 0) + n

    conversation = Conversation(model, "score", "score", lambda text: len(text.split()), fallback)
    lines = [Line("2021-03-02, note", f"sentence{n} " + "word " * words) for n in range(count)]
    return Scorer(conversation, "a patient", 0).grades("What?", "", lines), told


def numbered(asked: list[str], of: Callable[[int], Any]) -> dict[str, Any]:
    """A reply by the numbers in the sentences themselves."""
    return {f"S{n}": of(int(re.findall(r"sentence(\d+)", text)[0])) for n, text in enumerate(asked, start=1)}


def test_each_sentence_gets_its_own_grade_over_all_batches() -> None:
    model = Model(lambda asked: numbered(asked, lambda n: 1 + n % 5), context_tokens=1500)
    found, told = grades(model, 130)
    assert found == [1 + n % 5 for n in range(130)]
    assert told == {}
    assert len(model.asked) > 2
    assert max(len(asked) for asked in model.asked) <= 60


def test_what_is_left_out_is_asked_for_once_more() -> None:
    model = Model(lambda asked: numbered(asked[:4], lambda _: 3))
    found, told = grades(model, 10)
    assert found == [3] * 8 + [None] * 2
    assert [len(asked) for asked in model.asked] == [10, 6]
    assert told == {}


def test_a_reply_that_says_nothing_is_asked_for_once_more_and_told() -> None:
    found, told = grades(Model(lambda _: "I cannot do that."), 4)
    assert found == [None] * 4
    assert told == {"score_reply_unreadable": 1}


def test_what_is_no_grade_and_what_is_no_id_are_counted() -> None:
    model = Model(lambda asked: {**numbered(asked, lambda n: 9 if n == 1 else 2), "S99": 5})
    found, told = grades(model, 3)
    assert found == [2, None, 2]
    assert told == {"score_gave_no_grade": 1, "score_named_unknown_sentences": 2}


def test_a_grade_that_the_second_try_gives_is_not_counted_as_missing() -> None:
    model = Model(lambda asked: numbered(asked, lambda n: 9 if n == 1 and len(asked) == 3 else 2))
    found, told = grades(model, 3)
    assert found == [2, 2, 2]
    assert told == {}


def test_an_endpoint_that_is_down_is_not_asked_again() -> None:
    model = Model(lambda _: None)
    found, told = grades(model, 130)
    assert found == [None] * 130
    assert told == {"score_endpoint_failed": 1}
    assert len(model.asked) == 1


def test_a_sentence_that_fits_no_prompt_is_left_to_the_rules() -> None:
    model = Model(lambda asked: numbered(asked, lambda _: 4), context_tokens=600)
    found, told = grades(model, 2, words=500)
    assert found == [None, None]
    assert model.asked == []
    assert told == {}


def test_json_of_another_shape_is_no_reply() -> None:
    for raw in ('{"verdict": "supported"}', '{"sentences": []}', "[]", "{}", '"5"', "[1, 2]", '[{"score": 5}]'):
        assert read_json(raw, fits_grades).value is None, raw
