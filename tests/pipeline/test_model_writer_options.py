"""What else a writer may be given or asked: the notes around, drafts before the answer, and the soft cut of it all."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.pipeline.test_model_writer import NOTE, QUESTION, asking, holds, names, said
from tests.pipeline.test_small_records import note, put
from tests.scripted_server import Reply, Said, chat, serving

from chartcite.core.answer import Answer
from chartcite.core.given import Given, GivenEvidence
from chartcite.library.book import Book

WARFARIN = "The warfarin dose is 5 mg every evening."


def ask(demo: Book, folder: Path, reply: Reply, given: Given | None = None, **how: Any) -> tuple[Answer, list[Any]]:
    with serving(reply) as (url, seen), asking(demo, folder, url, **how) as book:
        return book.ask(QUESTION, patient="p", given=given or Given()), seen


def sources(body: dict[str, Any], word: str) -> list[str]:
    return re.findall(rf"^(E\d+): .*{word}", body["messages"][-1]["content"], re.MULTILINE)


ONLY_WARFARIN = Given(evidence=(GivenEvidence("d1", sentence=1),))


def test_the_notes_around_are_shown_for_understanding_only(demo: Book, tmp_path: Path) -> None:
    answer, seen = ask(demo, tmp_path, lambda _: chat(said((WARFARIN, ["E1"]))), ONLY_WARFARIN, writer_sees_record=True)
    holds(answer)
    shown = seen[0]["messages"][-1]["content"]
    assert re.search(r"<notes-\w{8}>\n\[2021-03-02\]\nWarfarin.*INR was 2\.1\..*</notes-\w{8}>", shown, re.DOTALL)
    assert answer.lenient == ()
    assert "lenient" not in answer.to_dict()


def test_without_the_setting_they_are_not(demo: Book, tmp_path: Path) -> None:
    _, seen = ask(demo, tmp_path, lambda _: chat(said((WARFARIN, ["E1"]))), ONLY_WARFARIN)
    assert "INR" not in seen[0]["messages"][-1]["content"]


def test_what_only_the_notes_bear_out_is_told_apart(demo: Book, tmp_path: Path) -> None:
    reply = chat(said((WARFARIN, ["E1"]), ("The INR was 2.1.", ["E1"]), ("The INR was 2.7.", ["E1"])))
    answer, _ = ask(demo, tmp_path, lambda _: reply, ONLY_WARFARIN, writer_sees_record=True)
    holds(answer)
    assert [s.text for s in answer.sentences] == [WARFARIN]
    (only_there,) = answer.lenient
    assert (only_there.text, only_there.verified) == ("The INR was 2.1.", True)
    assert [c.quote for c in only_there.citations] == ["INR was 2.1."]
    assert answer.to_dict()["lenient"][0]["text"] == "The INR was 2.1."
    assert names(answer)["dropped_not_verified"] == 2


def test_notes_that_do_not_fit_are_counted(demo: Book, tmp_path: Path) -> None:
    with (
        serving(lambda _: chat(said((WARFARIN, ["E1"])))) as (url, seen),
        asking(demo, tmp_path, url, writer_sees_record=True, writer_context=1200, prompt_examples=0) as book,
    ):
        long = NOTE + " " + " ".join(f"On day {n} she walked {n} times around the ward." for n in range(200))
        put(book, tmp_path, note("d2", long, "2022-01-01"), name="more.jsonl")
        given = Given(evidence=(GivenEvidence("d2", sentence=1),))
        answer = book.ask(QUESTION, patient="p", given=given)
    assert names(answer)["writer_saw_less_record"] > 100
    assert "On day 1 " in seen[0]["messages"][-1]["content"]


def drafting(*words: str) -> Reply:
    """Drafts by their seed name the source with a word of their own; the answer names the first source that is left."""

    def reply(body: dict[str, Any]) -> Said:
        if body["temperature"] == 0:
            return chat(said(("INR was 2.1.", sources(body, "INR"))))
        return chat(said(("x", sources(body, words[body["seed"]]))))

    return reply


def test_the_sources_of_drafts_become_the_evidence(demo: Book, tmp_path: Path) -> None:
    answer, seen = ask(demo, tmp_path, drafting("Warfarin", "INR", "INR"), drafts=3)
    holds(answer)
    assert [e.quote for e in answer.evidence] == ["INR was 2.1.", "Warfarin dose is 5 mg every evening."]
    assert {e.kept for e in answer.evidence} <= {"cited", "strict", "lenient", "stated", "fallback"}
    assert [s.text for s in answer.sentences] == ["INR was 2.1."]
    assert len(seen) == answer.llm_calls == 4
    assert "denies" in seen[0]["messages"][-1]["content"]
    assert "denies" not in seen[3]["messages"][-1]["content"]


def test_drafts_that_name_nothing_leave_the_evidence(demo: Book, tmp_path: Path) -> None:
    plain, _ = ask(demo, tmp_path, lambda _: chat('{"sentences": []}'))
    (tmp_path / "second").mkdir()
    answer, _ = ask(demo, tmp_path / "second", lambda _: chat('{"sentences": []}'), drafts=2)
    holds(answer)
    assert names(answer)["drafts_named_no_source"] == 1
    assert answer.evidence == plain.evidence


def test_an_absent_answer_is_not_drafted(demo: Book, tmp_path: Path) -> None:
    with serving(drafting("INR", "INR")) as (url, seen), asking(demo, tmp_path, url, drafts=2) as book:
        assert book.ask("Has she ever had a pacemaker?", patient="p").abstained
    assert seen == []


CUTS: dict[str, tuple[list[str], int, list[str]]] = {
    "at a sentence": ([WARFARIN, "INR was 2.1.", "She denies bleeding."], 11, [WARFARIN, "INR was 2.1."]),
    "at a sentence below the limit": (
        [WARFARIN, "INR was 2.1.", "She denies bleeding."],
        13,
        [WARFARIN, "INR was 2.1."],
    ),
    "nothing": ([WARFARIN, "INR was 2.1."], 11, [WARFARIN, "INR was 2.1."]),
    "no number without its unit": (["INR was 2.1.", "INR 2.1.", WARFARIN], 10, ["INR was 2.1.", "INR 2.1."]),
    "hard": (["INR was 2.1.", WARFARIN], 9, ["INR was 2.1.", "The warfarin dose is 5 mg."]),
}


@pytest.mark.parametrize("cut", CUTS)
def test_the_whole_answer_is_cut_softly(cut: str, demo: Book, tmp_path: Path) -> None:
    texts, limit, shown = CUTS[cut]
    sentences = [(text, ["E1", "E2", "E3"]) for text in texts]
    given = Given(evidence=tuple(GivenEvidence("d1", sentence=n) for n in (1, 2, 3)))
    answer, _ = ask(demo, tmp_path, lambda _: chat(said(*sentences)), given, answer_words=limit)
    holds(answer)
    assert [s.text for s in answer.sentences] == shown
    assert sum(len(s.text.split()) for s in answer.sentences) <= limit
