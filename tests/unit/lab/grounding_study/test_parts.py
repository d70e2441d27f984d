"""Claims, planted claims, the writing model's replies, the judge behind an endpoint, the sheet for people."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from chartcite.core.chat import ChatReply, ChatRequest
from chartcite.core.errors import EndpointFailed
from chartcite.lab.csv_safe import read_own
from chartcite.lab.errors import BadTable
from chartcite.lab.studies.grounding_study.annotation import (
    APPROPRIATE,
    SUPPORTED,
    Entry,
    between,
    make_sheet,
    read_key,
    read_sheet,
    share,
)
from chartcite.lab.studies.grounding_study.claims import parts_of
from chartcite.lab.studies.grounding_study.judges.endpoint import EndpointJudge
from chartcite.lab.studies.grounding_study.planting import FALSE_KINDS, TRUE_KINDS, SupportedClaim, plant
from chartcite.lab.studies.grounding_study.write_model import ModelWriter
from chartcite.lab.studies.grounding_study.write_rules import whole_sentences
from chartcite.lab.studies.grounding_study.writing import INSUFFICIENT, Numbered, Written, answer_text
from chartcite.library.calls.account import Account

GOATS = """of the district. Antibodies were found in 11.6 percent of the goats in the year 2010. Older goats were more
often positive than younger goats (OR 7.3; p below 0.001) in both districts. The goats of the second district were not
tested in the dry season. Titres were higher in the south than in the north. Sampling was done by two who had"""
SOURCES = [
    Numbered(1, "goats.pdf", 1, GOATS),
    Numbered(2, "sheep.pdf", 3, "Sheep were sheared once a year in all places."),
]


def words(text: str) -> int:
    return len(text.split())


class Chat:
    """Says what it is told to, or fails."""

    name = "told"
    is_remote = False

    def __init__(self, *replies: str | Exception, context_tokens: int = 2000) -> None:
        self.context_tokens = context_tokens
        self._replies = list(replies)
        self.seen: list[ChatRequest] = []

    def chat(self, request: ChatRequest) -> ChatReply:
        self.seen.append(request)
        reply = self._replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return ChatReply(reply, "stop")


SORTS = {
    "claim": "Antibodies were found in 11.6 percent of the goats.",
    "fragment": "Cycle 3.",
    "heading": "Results and discussion:",
    "no answer": INSUFFICIENT,
}


@pytest.mark.parametrize("sort", SORTS)
def test_only_claims_are_counted(sort: str) -> None:
    assert [part.sort for part in parts_of(SORTS[sort])] == [sort]


def test_a_sentence_that_the_edge_of_a_chunk_cuts_off_is_no_evidence() -> None:
    whole = whole_sentences(GOATS)
    assert whole.startswith("Antibodies")
    assert whole.endswith("in the north.")
    assert whole in GOATS


def others() -> list[SupportedClaim]:
    return [
        SupportedClaim("q2", "Minnows were given food for 21 days.", frozenset({"minnows.pdf"})),
        SupportedClaim("q3", "Sheep were sheared twice.", frozenset({"sheep.pdf"})),
        SupportedClaim(
            "q1", "Antibodies were found in 11.6 percent of the goats in the year 2010.", frozenset({"goats.pdf"})
        ),
    ]


def test_planted_claims_are_what_their_kind_says() -> None:
    rows = plant("q1", SOURCES, others(), 1, 0)
    by = {row.kind: row for row in rows}
    assert set(by) == {*TRUE_KINDS, *FALSE_KINDS}
    assert [row.supported for row in rows] == [kind in TRUE_KINDS for kind in by]
    text = " ".join(" ".join(source.text.split()) for source in SOURCES)
    assert by["quoted"].text in text
    assert by["shortened"].text not in text
    assert "(" not in by["shortened"].text
    # Edits are of the query's own claim where it can bear one; claims of a document at hand are not taken.
    assert by["number"].text.startswith("Antibodies were found in 12.6")
    assert by["negation"].text.startswith("Antibodies were not found")
    assert by["other_query"].text == "Minnows were given food for 21 days."
    assert by["direction"].text not in text


def test_planting_is_the_same_every_time_and_differs_by_seed() -> None:
    assert plant("q1", SOURCES, others(), 2, 5) == plant("q1", SOURCES, others(), 2, 5)
    drawn = {plant("q1", SOURCES, others(), 1, seed)[-1].text for seed in range(12)}
    assert len(drawn) > 1


def test_nothing_is_planted_without_sources() -> None:
    assert [row.kind for row in plant("q1", [], [], 1, 0)] == ["invented"]


def said(*sentences: tuple[str, list[str]]) -> str:
    return json.dumps({"sentences": [{"text": text, "sources": sources} for text, sources in sentences]})


def write(chat: Chat, sources: Sequence[Numbered] = SOURCES) -> Written:
    return ModelWriter(chat, words, 0.1, 300).write("Which goats?", sources)


def test_the_model_sees_numbered_sources_and_its_labels_are_read() -> None:
    chat = Chat(said(("Goats had antibodies.", ["Source 1"]), ("Sheep were sheared.", ["2", "9"])))
    found = write(chat)
    assert found.sentences == (("Goats had antibodies.", (1,)), ("Sheep were sheared.", (2,)))
    assert found.fallbacks == ("named_unknown_sources: 1",)
    request = chat.seen[0]
    assert request.temperature == 0.1
    assert request.stage == "write"
    assert "Source 1 (goats.pdf, page 1):" in request.messages[1].content
    assert INSUFFICIENT in request.messages[0].content
    assert answer_text(found) == "Goats had antibodies. [1] Sheep were sheared. [2]"


def test_a_sentence_without_a_label_is_kept_and_has_no_source() -> None:
    assert write(Chat(said(("Goats had antibodies.", [])))).sentences == (("Goats had antibodies.", ()),)


def test_prose_is_read_as_sentences_without_labels() -> None:
    found = write(Chat("Goats had antibodies. Sheep had none.", "Goats had antibodies. Sheep had none."))
    assert [text for text, _ in found.sentences] == ["Goats had antibodies.", "Sheep had none."]
    assert found.fallbacks == ("reply_read_as_prose: 2",)
    assert found.calls == 2


@pytest.mark.parametrize("reply", [said((INSUFFICIENT, [])), said(), INSUFFICIENT], ids=["sentence", "none", "prose"])
def test_insufficient_evidence_is_no_sentence(reply: str) -> None:
    found = write(Chat(reply, reply))
    assert found.sentences == ()
    assert found.is_insufficient
    assert answer_text(found) == INSUFFICIENT


def test_a_failing_endpoint_is_no_insufficient_evidence() -> None:
    found = write(Chat(EndpointFailed("gone", "wait")))
    assert found.sentences == ()
    assert not found.is_insufficient
    assert answer_text(found) == ""
    assert found.fallbacks == ("writer_endpoint_failed: 1",)


def test_sources_that_do_not_fit_are_left_out_from_the_end_and_counted() -> None:
    long = Numbered(2, "long.pdf", None, "word " * 1500)
    found = write(Chat(said(("Goats had antibodies.", ["1"]))), [SOURCES[0], long])
    assert (found.given, found.fallbacks) == (1, ("saw_fewer_sources: 1",))


def verdict(word: str, source: str = "1") -> str:
    return json.dumps({"verdict": word, "source": source, "reason": "because"})


def test_a_judge_with_a_small_context_is_shown_groups_until_one_supports() -> None:
    sources = [Numbered(n, "d.pdf", 1, "word " * 200) for n in (1, 2, 3)]
    chat = Chat(verdict("unsupported"), verdict("supported", "1"), context_tokens=800)
    found = EndpointJudge(chat, words).judge("Which goats?", "Goats had antibodies.", sources)
    assert (found.supported, found.best) == (True, 2)
    assert len(chat.seen) == 2


def test_a_judge_that_gives_no_verdict_supports_nothing() -> None:
    found = EndpointJudge(Chat("I like goats."), words).judge("?", "Goats had antibodies.", SOURCES)
    assert (found.supported, found.conclusive) == (False, False)


ENTRIES = [
    Entry("one", "q1", 1, "Goats had antibodies.", "Source of goats."),
    Entry("two", "q1", 1, "Goats had antibodies.", "Source of goats."),
    Entry("one", "q2", 1, "Sheep had none.", "Source of sheep."),
    Entry("two", "q2", 1, "=Sheep had one.", "Source of sheep."),
]


def test_equal_claims_are_one_item_and_the_order_of_entries_changes_nothing(tmp_path: Path) -> None:
    made = make_sheet(ENTRIES, 0, 3)
    shuffled = ENTRIES.copy()
    random.Random(1).shuffle(shuffled)
    assert make_sheet(shuffled, 0, 3) == made
    assert make_sheet(ENTRIES, 0, 4).sheet != made.sheet
    (tmp_path / "sheet.csv").write_text(made.sheet, "utf-8")
    (tmp_path / "key.csv").write_text(made.key, "utf-8")
    assert len(read_own(tmp_path / "sheet.csv")) == 3
    key = read_key(tmp_path / "key.csv")
    assert sorted(len(claims) for claims in key.values()) == [1, 1, 2]
    assert sum(len(claims) for claims in read_key(tmp_path / "key.csv").values()) == 4
    assert "one" not in {cell for row in read_own(tmp_path / "sheet.csv") for cell in row.values()}


def filled(path: Path, *answers: tuple[str, str, str]) -> Path:
    rows = [f'"item","{SUPPORTED}","{APPROPRIATE}"', *(f'"{a}","{b}","{c}"' for a, b, c in answers)]
    path.write_text("\n".join(rows) + "\n", "utf-8")
    return path


def test_filled_sheets_are_read_whatever_the_word_and_the_case(tmp_path: Path) -> None:
    first = read_sheet(filled(tmp_path / "a.csv", ("1", "Yes", "y"), ("2", "no", ""), ("3", "TRUE", "n")))
    second = read_sheet(filled(tmp_path / "b.csv", ("3", "1", "0"), ("2", "0", "1"), ("1", "", "yes")))
    assert first.answers[SUPPORTED] == {"1": True, "2": False, "3": True}
    assert share(first, APPROPRIATE).n == 2
    found = between(first.answers[SUPPORTED], second.answers[SUPPORTED])
    assert (found.n, found.observed_agreement, found.kappa) == (2, 1.0, 1.0)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([("1", "perhaps", "")], "neither yes nor no"),
        ([("1", "yes", ""), ("1", "no", "")], "repeated"),
        ([], "no item"),
    ],
    ids=["other word", "repeated", "empty"],
)
def test_a_sheet_that_cannot_be_read_says_why(rows: list[tuple[str, str, str]], words: str, tmp_path: Path) -> None:
    with pytest.raises(BadTable, match=words):
        read_sheet(filled(tmp_path / "a.csv", *rows))


def test_what_happened_on_the_wire_stands_beside_the_answer_and_the_verdict() -> None:
    account = Account()

    class Noted(Chat):
        def chat(self, request: ChatRequest) -> ChatReply:
            account.note(["prompt_was_cut_by_server"])
            return super().chat(request)

    sources = [Numbered(1, "goats.pdf", 1, "Goats were tested.")]
    said = json.dumps({"sentences": [{"text": "Goats were tested.", "sources": ["1"]}]})
    writer = ModelWriter(Noted(said), lambda text: len(text.split()), 0.0, 50, account)
    assert writer.write("Were goats tested?", sources).fallbacks == ("prompt_was_cut_by_server: 1",)
    verdict = json.dumps({"verdict": "supported", "source": "1", "reason": "same"})
    judge = EndpointJudge(Noted(verdict), lambda text: len(text.split()), account)
    assert judge.judge("q", "Goats were tested.", sources).reason == "same (prompt_was_cut_by_server)"
