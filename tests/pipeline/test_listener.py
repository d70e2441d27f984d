"""Whoever listens hears of stages, and of sentences that are shown: never of one that is later dropped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.pipeline.test_model_writer import GOOD, QUESTION, asking, said
from tests.scripted_server import chat, serving

from chartcite.app.cli.main import main as run
from chartcite.core.answer import AnswerSentence
from chartcite.library.book import Book


class Heard:
    """What was heard, in order; `at` is when the first request after it came."""

    def __init__(self) -> None:
        self.stages: list[str] = []
        self.sentences: list[AnswerSentence] = []

    def stage(self, name: str) -> None:
        self.stages.append(name)

    def sentence(self, sentence: AnswerSentence) -> None:
        assert sentence.verified
        self.sentences.append(sentence)


WRONG = said(("The warfarin dose is 50 mg every evening.", ["E1"]))
MIXED = said(("The warfarin dose is 50 mg every evening.", ["E1"]), ("INR was 2.1.", ["E1", "E2", "E3"]))


@pytest.mark.parametrize("reply", [GOOD, WRONG, MIXED, "no"], ids=["good", "wrong", "mixed", "unreadable"])
def test_only_what_is_shown_is_heard(reply: str, demo: Book, tmp_path: Path) -> None:
    heard = Heard()
    with serving(lambda _: chat(reply)) as (url, _), asking(demo, tmp_path, url) as book:
        answer = book.ask(QUESTION, patient="p", listener=heard)
        unheard = book.ask(QUESTION, patient="p")
    assert [s.text for s in heard.sentences] == [s.text for s in answer.sentences]
    assert heard.sentences
    assert not any("50" in s.text for s in heard.sentences)
    assert answer.to_dict() == unheard.to_dict()
    assert list(dict.fromkeys(heard.stages)) == list(answer.timings_ms)


def test_sentences_are_heard_before_the_judge_is_asked(demo: Book, tmp_path: Path) -> None:
    heard, known = Heard(), []

    def verdict(_: object) -> object:
        known.append(len(heard.sentences))
        return chat('{"verdict": "contradicted", "source": "1", "reason": ""}')

    with (
        serving(verdict) as (url, _),  # type: ignore[arg-type]
        asking(demo, tmp_path, "", judge_url=url, judge_model="other") as book,
    ):
        answer = book.ask(QUESTION, patient="p", listener=heard)
    assert set(known) == {len(answer.sentences)}


def test_an_absent_answer_says_nothing(demo: Book, tmp_path: Path) -> None:
    heard = Heard()
    with asking(demo, tmp_path, "") as book:
        assert book.ask("Has she ever had a pacemaker?", patient="p", listener=heard).abstained
    assert heard.sentences == []


def test_what_is_streamed_goes_beside_the_result(demo: Book, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with asking(demo, tmp_path, "") as book:
        folder = str(book.store.folder)
    asked = ["ask", QUESTION, "--patient", "p", "--json", "--store", folder]
    assert run(asked) == 0
    plain = capfd.readouterr()
    assert run([*asked, "--stream"]) == 0
    streamed = capfd.readouterr()
    assert streamed.out == plain.out
    assert plain.err == ""
    shown = [s["text"] for s in json.loads(plain.out)["sentences"]]
    assert streamed.err.splitlines() == [f"~ {text} (d1)" for text in shown]
