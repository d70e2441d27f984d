"""Parts of the study: located answers, bins, room in a window, letters in replies, grades."""

from __future__ import annotations

import json

import pytest

from chartcite.core.chat import ChatReply, ChatRequest
from chartcite.lab.cases import Case, GoldSpan, Relevant
from chartcite.lab.studies.long_context.bins import BINS, bin_of
from chartcite.lab.studies.long_context.contexts import Shown, fitting, written
from chartcite.lab.studies.long_context.direct import letter_in
from chartcite.lab.studies.long_context.located import Slice, held, parts_of, touched
from chartcite.lab.studies.long_context.prompts import NAMES, prompt
from chartcite.lab.studies.long_context.rubric import grade
from chartcite.lab.studies.long_context.stages.lengths import record_tokens
from chartcite.lab.studies.long_context.tables import NoteRow
from chartcite.library.found import FoundPassage, FoundPlace

CASE = Case("c", "q", spans=(GoldSpan("a", 10, 20, 0), GoldSpan("b", 0, 5, 0), GoldSpan("a", 30, 40, 1)))


@pytest.mark.parametrize(
    ("slices", "whole", "some"),
    [
        ([], 0, 0),
        ([Slice("a", 0, 50)], 2, 2),
        ([Slice("a", 10, 20)], 1, 1),
        ([Slice("a", 11, 20)], 0, 1),  # a word is missing
        ([Slice("b", 0, 9)], 1, 1),  # another sentence that says the same
        ([Slice("a", 5, 15), Slice("a", 15, 25)], 1, 1),  # cut in two, both there
        ([Slice("a", 5, 15), Slice("a", 25, 35)], 0, 2),
        ([Slice("x", 0, 50), Slice("a", 20, 30)], 0, 0),
    ],
    ids=["nothing", "all", "one", "cut", "copy", "two-halves", "halves-of-two", "beside"],
)
def test_a_part_is_held_whole_or_touched(slices: list[Slice], whole: int, some: int) -> None:
    assert (held(CASE, slices), touched(CASE, slices)) == (whole, some)


def test_without_spans_the_relevant_notes_are_the_parts() -> None:
    case = Case("c", "q", relevant=(Relevant("a"), Relevant("b"), Relevant("d", 0)))
    assert len(parts_of(case)) == 2
    assert (held(case, [Slice("a", 3, 4)]), touched(case, [Slice("d", 3, 4)])) == (1, 0)


def test_bins_are_those_of_the_errata() -> None:
    edges = (0, 8191, 8192, 16383, 16384, 32767, 32768, 131072, 131073)
    assert [BINS.index(bin_of(n)) for n in edges] == [0, 0, 1, 1, 2, 2, 3, 3, 4]


@pytest.mark.parametrize(
    ("as_of", "tokens"), [("", 15), ("2020", 3), ("2020-06", 3), ("2020-07-01", 3), ("2021-01-01", 7), ("2019", 0)]
)
def test_a_record_is_as_long_as_its_notes_up_to_a_date(as_of: str, tokens: int) -> None:
    notes = [NoteRow("p", n, "", time, size) for n, time, size in
             (("1", "2020-06-30T08:00", 3), ("2", "2021-01-01T23:00", 4), ("3", "", 8))]  # fmt: skip
    assert record_tokens([*notes, NoteRow("q", "4", "", "2020", 100)], "p", as_of) == tokens


def _passage(rank: int, time: str, words: int) -> FoundPassage:
    return FoundPassage(rank, 0.0, "word " * words, "", "", time, None, (FoundPlace(time, 0, 1),), {})


def test_the_oldest_notes_of_a_full_context_go_first_and_the_lowest_ranks_of_a_ranking() -> None:
    shown = Shown((_passage(1, "2019", 5), _passage(3, "2020", 5), _passage(2, "2021", 5)))

    def count(text: str) -> int:
        return len(text.split())

    room = 2 * count(written(shown.passages[0]))
    full, ranked = fitting(shown, room, "full_context", count), fitting(shown, room, "hybrid", count)
    assert [p.time for p in full.passages] == ["2020", "2021"]
    assert [p.time for p in ranked.passages] == ["2019", "2021"]
    assert (full.cut, ranked.cut, fitting(shown, 0, "hybrid", count).cut) == (1, 1, 3)
    assert fitting(shown, 1000, "hybrid", count) == shown


@pytest.mark.parametrize(
    ("said", "letter"),
    [("B", "B"), ("b", "B"), ("B.", "B"), ("(B)", "B"), ("Answer: B", "B"), ("The answer is **B**.", "B"),
     ("B. right lung", "B"), ("option b", ""), ("A or B", ""), ("A stroke happened", ""), ("a stroke", "A"),
     ("right lung", "B"), ("F", ""), ("", ""), ("I do not know", ""), ("A. a stroke\nB. right lung", "")],
)  # fmt: skip
def test_the_letter_of_a_reply(said: str, letter: str) -> None:
    assert letter_in(said, ["a stroke", "right lung", "x", "y", "z"]) == letter


class Judge:
    """Says what it is told to, and counts."""

    name, is_remote, context_tokens = "judge", False, 4096

    def __init__(self, text: str) -> None:
        self.text, self.asked = text, list[ChatRequest]()

    def chat(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)
        return ChatReply(self.text, "stop")


@pytest.mark.parametrize(
    "said",
    ["", "five", "{}", '{"correctness": 0}', '{"correctness": 6}', '{"correctness": 4.5}', '{"correctness": true}',
     '{"correctness": null}', '{"correctness": [5]}', '["correctness", 5]'],
)  # fmt: skip
def test_a_reply_without_a_grade_gives_no_figure(said: str) -> None:
    case = Case("c", "q", references=("r",))
    assert grade(Judge(said), case, "answer", ["correctness"])["correctness"][0] is None


def test_grades_are_shown_as_shares() -> None:
    case = Case("c", "q", references=("r",))
    values = [
        grade(Judge(json.dumps({"correctness": n})), case, "a", ["correctness"])["correctness"] for n in range(1, 6)
    ]
    assert values == [(0.0, ""), (0.25, ""), (0.5, ""), (0.75, ""), (1.0, "")]


def test_a_missing_answer_is_graded_lowest_without_asking() -> None:
    judge = Judge('{"correctness": 5}')
    assert grade(judge, Case("c", "q", references=("r",)), " ", ["correctness"]) == {"correctness": (0.0, "no answer")}
    assert judge.asked == []


@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_says_that_what_it_is_shown_is_data(name: str) -> None:
    assert "data" in prompt(name)
