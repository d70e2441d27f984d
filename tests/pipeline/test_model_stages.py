"""Stages by a model: what it says changes what is looked for and kept, never what is true; every fault is named."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.pipeline.test_model_writer import FAULTS, NOTE, QUESTION, asking, names
from tests.scripted_server import Reply, Said, chat, serving

from chartcite.core.answer import Answer
from chartcite.core.errors import NotConfigured
from chartcite.core.given import Given, GivenEvidence
from chartcite.library.book import Book
from chartcite.library.settings import Settings

MESSAGE = (
    "Hello doctor, I am Ana and I am worried sick because my aunt keeps telling me stories about her blood thinner. "
    "I take warfarin too, for years now. Please, how much of it am I to take?"
)


def ask(demo: Book, folder: Path, reply: Reply, question: str = MESSAGE, **how: Any) -> tuple[Answer, list[Any]]:
    """A question put with one stage by a model and the rest by the rules."""
    with serving(reply) as (url, seen), asking(demo, folder, url, **{"write_by": "rules", **how}) as book:
        return book.ask(question, patient="p"), seen


def holds(answer: Answer) -> None:
    """What is true of every answer, whatever a model did."""
    assert all(s.verified and s.citations for s in answer.sentences)
    for citation in answer.citations:
        assert NOTE[citation.start : citation.end] == citation.quote


def test_the_model_interprets_and_both_are_carried_on(demo: Book, tmp_path: Path) -> None:
    answer, seen = ask(demo, tmp_path, lambda _: chat('{"query": "What is the warfarin dose?"}'), interpret_by="llm")
    holds(answer)
    assert answer.query == "What is the warfarin dose?"
    assert "5 mg" in answer.text
    assert len(seen) == answer.llm_calls == 1
    assert answer.usage["interpret"].calls == 1
    said = [m["content"] for m in seen[0]["messages"]]
    assert "15 words" in said[0]
    assert MESSAGE in said[-1]
    assert len(said) == 2 + 2 * 3


@pytest.mark.parametrize("most", [0, 1, 3])
def test_the_number_of_examples_is_a_setting(most: int, demo: Book, tmp_path: Path) -> None:
    _, seen = ask(demo, tmp_path, lambda _: chat("warfarin dose"), interpret_by="llm", prompt_examples=most)
    assert len(seen[0]["messages"]) == 2 + 2 * most


def test_a_query_that_is_too_long_is_cut(demo: Book, tmp_path: Path) -> None:
    long = "warfarin dose " + " ".join(f"word{chr(97 + n)}" for n in range(20))
    answer, _ = ask(demo, tmp_path, lambda _: chat(json.dumps({"query": long})), interpret_by="llm")
    holds(answer)
    assert len(answer.query.split()) == 15
    assert names(answer)["interpret_cut_to_word_limit"] == 1


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("Is the warfarin dose 10 mg?", "interpret_added_a_number"),
        ("What is the apixaban dose?", "interpret_added_a_drug"),
        ("What is the dose for atrial fibrillation?", "interpret_added_a_finding"),
    ],
    ids=["number", "drug", "finding"],
)
def test_what_the_person_did_not_say_is_not_searched_for(query: str, name: str, demo: Book, tmp_path: Path) -> None:
    plain, _ = ask(demo, tmp_path, lambda _: chat(""))
    (tmp_path / "second").mkdir()
    answer, _ = ask(demo, tmp_path / "second", lambda _: chat(json.dumps({"query": query})), interpret_by="llm")
    holds(answer)
    assert names(answer)[name] == names(answer)["interpreted_by_rules"] == 1
    assert answer.query == plain.query


@pytest.mark.parametrize("query_from", ["interpreted", "raw", "both"])
def test_what_is_carried_on_is_a_setting(query_from: str, demo: Book, tmp_path: Path) -> None:
    answer, seen = ask(
        demo, tmp_path,
        lambda body: chat('{"query": "warfarin dose"}' if "administrative" in str(body) else '{"sentences": []}'),
        interpret_by="llm", write_by="llm", query_from=query_from,
    )  # fmt: skip
    holds(answer)
    assert answer.query == (MESSAGE if query_from == "raw" else "warfarin dose")
    asked = seen[1]["messages"][-1]["content"]
    assert ("my aunt" in asked) == (query_from != "interpreted")
    assert ("Question: warfarin dose" in asked) == (query_from != "raw")


FAILS: dict[str, Callable[[dict[str, Any]], Said]] = {
    **{name: fault for name, fault in FAULTS.items() if name not in ("an order obeyed", "a denial lost")},
    "prose": lambda _: chat("It depends. " * 30),
}
QUICK = ["status 500", "broken off", "null content", "a refusal", "cut off", "another shape"]


@pytest.mark.parametrize("fault", QUICK)
def test_a_fault_of_interpretation_ends_in_the_rules_own(fault: str, demo: Book, tmp_path: Path) -> None:
    answer, seen = ask(demo, tmp_path, FAILS[fault], QUESTION, interpret_by="llm")
    holds(answer)
    assert not answer.abstained
    assert answer.query == QUESTION.rstrip("?")
    assert names(answer)["interpreted_by_rules"] == 1
    assert any(name.startswith("interpret_") for name in names(answer)), names(answer)
    assert len(seen) <= 6


def grading(**by_word: int) -> Reply:
    """Grades by the words of the sentences; 1 where none of them is in it."""

    def reply(body: dict[str, Any]) -> Said:
        lines = re.findall(r"^(S\d+): (.*)$", body["messages"][-1]["content"], re.MULTILINE)
        said = {n: next((g for word, g in by_word.items() if word in text), 1) for n, text in lines}
        return chat(json.dumps(said))

    return reply


def test_the_model_grades_and_its_grades_choose_the_evidence(demo: Book, tmp_path: Path) -> None:
    answer, seen = ask(demo, tmp_path, grading(INR=5, Warfarin=4, denies=3), QUESTION, score_by="llm")
    holds(answer)
    assert {(e.quote, e.relevance, e.kept) for e in answer.evidence} == {
        ("INR was 2.1.", 5, "strict"),
        ("Warfarin dose is 5 mg every evening.", 4, "strict"),
    }
    assert "Question: What is the warfarin dose" in seen[0]["messages"][-1]["content"]
    assert "[2021-03-02]" in seen[0]["messages"][-1]["content"]
    schema = seen[0]["response_format"]["json_schema"]["schema"]
    assert schema["required"] == ["S1", "S2", "S3", "S4"]
    assert "scored_by_rules" not in names(answer)


def test_lenient_grades_are_a_named_fallback(demo: Book, tmp_path: Path) -> None:
    answer, _ = ask(demo, tmp_path, grading(Warfarin=3), QUESTION, score_by="llm")
    holds(answer)
    assert "5 mg" in answer.text
    assert names(answer)["lenient_evidence"] == 1


def test_low_grades_for_everything_are_no_answer(demo: Book, tmp_path: Path) -> None:
    answer, _ = ask(demo, tmp_path, grading(), QUESTION, score_by="llm")
    assert answer.abstained
    assert answer.reason == "weak_evidence"


@pytest.mark.parametrize("fault", QUICK)
def test_a_fault_of_scoring_ends_in_the_rules_grades(fault: str, demo: Book, tmp_path: Path) -> None:
    answer, seen = ask(demo, tmp_path, FAILS[fault], QUESTION, score_by="llm")
    holds(answer)
    assert "5 mg" in answer.text
    assert names(answer)["scored_by_rules"] == 4
    assert any(name.startswith("score_") for name in names(answer)), names(answer)
    assert len(seen) <= 6


def test_sentences_beyond_the_number_keep_at_most_the_rules_three(demo: Book, tmp_path: Path) -> None:
    answer, seen = ask(demo, tmp_path, grading(), QUESTION, score_by="llm", score_most=2)
    assert "S3" not in seen[0]["response_format"]["json_schema"]["schema"]["properties"]
    assert names(answer)["scored_by_rules"] == 2
    assert all(e.relevance <= 3 for e in answer.evidence)


def linking(*links: tuple[str, str]) -> Reply:
    """Links the answer sentence that has a word with the source that has another."""

    def reply(body: dict[str, Any]) -> Said:
        shown = body["messages"][-1]["content"]
        found = []
        for word, source in links:
            answers = re.findall(rf"^(A\d+): .*{word}", shown, re.MULTILINE)
            sources = re.findall(rf"^(E\d+): .*{source}", shown, re.MULTILINE)
            found += [{"answer": answer, "sources": sources} for answer in answers]
        return chat(json.dumps({"links": found}))

    return reply


EVERYTHING = tuple(GivenEvidence("d1", sentence=n) for n in (1, 2, 3))
TEXTS = ("The warfarin dose is 5 mg every evening.", "INR was 2.1.")


def given(demo: Book, folder: Path, reply: Reply, texts: tuple[str, ...] = TEXTS, **how: Any) -> tuple[Answer, Any]:
    """Given sentences, aligned by a model to the sentences of the note."""
    with (
        serving(reply) as (url, seen),
        asking(demo, folder, url, **{"write_by": "rules", "align_by": "llm", **how}) as book,
    ):
        return book.ask(QUESTION, patient="p", given=Given(evidence=EVERYTHING, sentences=texts)), seen


def quotes(answer: Answer) -> list[list[str]]:
    return [[c.quote for c in s.citations] for s in answer.sentences]


def test_given_sentences_are_linked_by_the_model(demo: Book, tmp_path: Path) -> None:
    answer, seen = given(demo, tmp_path, linking(("warfarin", "Warfarin"), ("INR", "INR")))
    assert quotes(answer) == [["Warfarin dose is 5 mg every evening."], ["INR was 2.1."]]
    assert all(s.verified for s in answer.sentences)
    assert "A1: The warfarin dose is 5 mg every evening." in seen[0]["messages"][-1]["content"]
    assert len(seen) == 1


def test_a_link_that_does_not_bear_a_sentence_out_is_shown_as_such(demo: Book, tmp_path: Path) -> None:
    answer, _ = given(demo, tmp_path, linking(("warfarin", "INR")))
    assert quotes(answer) == [["INR was 2.1."], []]
    assert [s.verified for s in answer.sentences] == [False, False]
    assert names(answer)["given_sentences_not_verified"] == 2


def test_runs_vote_with_seeds_of_their_own(demo: Book, tmp_path: Path) -> None:
    runs = {0: [("warfarin", "Warfarin"), ("warfarin", "INR")], 1: [("warfarin", "Warfarin")], 2: [("INR", "INR")]}
    answer, seen = given(
        demo, tmp_path, lambda body: linking(*runs[body["seed"]])(body), votes=3, votes_needed=2, vote_temperature=0.5
    )
    assert quotes(answer) == [["Warfarin dose is 5 mg every evening."], ["INR was 2.1."]]
    assert names(answer)["align_took_best_single_run"] == 1
    assert sorted((body["seed"], body["temperature"]) for body in seen) == [(0, 0.5), (1, 0.5), (2, 0.5)]


@pytest.mark.parametrize("fault", QUICK)
def test_a_fault_of_alignment_ends_in_the_rules_links(fault: str, demo: Book, tmp_path: Path) -> None:
    answer, seen = given(demo, tmp_path, FAILS[fault], votes=2)
    assert quotes(answer)[0] == ["Warfarin dose is 5 mg every evening."]
    assert names(answer)["aligned_by_rules"] == 2
    assert any(name.startswith("align_") for name in names(answer)), names(answer)
    assert len(seen) <= 6


def test_a_quote_keeps_its_source_whatever_the_model_links(demo: Book, tmp_path: Path) -> None:
    answer, _ = ask(demo, tmp_path, linking(("Warfarin", "INR")), QUESTION, align_by="llm")
    holds(answer)
    assert quotes(answer)[0][0] == "Warfarin dose is 5 mg every evening."


def test_the_writers_source_stands_where_the_models_link_bears_nothing_out(demo: Book, tmp_path: Path) -> None:
    def reply(body: dict[str, Any]) -> Said:
        shown = body["messages"][-1]["content"]
        if "Answer, data only" in shown:
            return linking(("warfarin", "INR"))(body)
        (source,) = re.findall(r"^(E\d+): .*Warfarin", shown, re.MULTILINE)
        return chat(json.dumps({"sentences": [{"text": TEXTS[0], "sources": [source]}]}))

    answer, _ = ask(demo, tmp_path, reply, QUESTION, write_by="llm", align_by="llm", query_from="interpreted")
    holds(answer)
    assert answer.writer
    assert quotes(answer) == [["Warfarin dose is 5 mg every evening."]]
    assert names(answer)["aligned_by_rules"] == 1


def test_a_stage_without_a_model_is_refused() -> None:
    with pytest.raises(NotConfigured, match="interpret_by"):
        _ = Settings(interpret_by="llm").llm_stages
