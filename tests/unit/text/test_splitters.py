"""Passages of whole sentences and of fixed windows."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from chartcite.core.documents import Passage
from chartcite.core.errors import UsageError
from chartcite.text.sentences import split_sentences
from chartcite.text.splitters import Splitter
from chartcite.text.splitters import fixed as fixed_file
from chartcite.text.splitters import sentences as sentences_file
from chartcite.text.splitters.fixed import FixedSplitter
from chartcite.text.splitters.sentences import SentenceSplitter


class Words:
    """One token a word; counts how often it is called."""

    def __init__(self, pattern: str = r"\S+") -> None:
        self.pattern = re.compile(pattern)
        self.calls = 0

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        self.calls += 1
        return [[match.span() for match in self.pattern.finditer(text)] for text in texts]


def quotes(splitter: Splitter, text: str, tokens: Words | None = None) -> list[str]:
    passages = splitter.split(text, split_sentences(text), tokens or Words())
    assert [passage.n for passage in passages] == list(range(1, len(passages) + 1))
    return [text[passage.start : passage.end] for passage in passages]


def test_files_load_their_defaults() -> None:
    assert sentences_file.load() == SentenceSplitter()
    assert fixed_file.load() == FixedSplitter()


def test_names_hold_the_settings() -> None:
    assert SentenceSplitter().name == "sentences-256"
    assert FixedSplitter().name == "fixed-300-60"


def test_sentences_are_packed() -> None:
    text = "One two three. Four five. Six seven eight nine. Ten."
    assert quotes(SentenceSplitter(5), text) == ["One two three. Four five.", "Six seven eight nine. Ten."]


def test_passages_stay_in_their_section() -> None:
    text = "PMH: asthma.\nPLAN:\nRest. Fluids.\n"
    assert quotes(SentenceSplitter(50), text) == ["PMH: asthma.", "PLAN:\nRest. Fluids."]


def test_a_section_gives_the_same_text_wherever_it_stands() -> None:
    section = "PAST MEDICAL HISTORY:\nAsthma since 1990. Gout.\n\n"
    first = quotes(SentenceSplitter(50), "HPI: Cough.\n\n" + section + "PLAN:\nRest.")
    second = quotes(SentenceSplitter(50), "HPI: A fall at home. No pain.\n\n" + section)
    assert section.strip() in first
    assert section.strip() in second


def test_empty_sections_go_with_what_follows() -> None:
    text = "# Assessment and Plan\n\n## Plan\n\nRest.\n\n# Notes"
    assert quotes(SentenceSplitter(50), text) == ["# Assessment and Plan\n\n## Plan\n\nRest.", "# Notes"]


def test_long_sentence_is_cut_between_words() -> None:
    assert quotes(SentenceSplitter(3), "a b c d e f good. Home.") == ["a b c", "d e f", "good.", "Home."]


def test_header_is_never_cut_off_from_a_long_sentence() -> None:
    assert quotes(SentenceSplitter(4), "PLAN: a b c d e f.")[0] == "PLAN: a b c"


def test_long_word_is_cut_between_characters() -> None:
    letters = Words(r"\S")
    assert quotes(SentenceSplitter(4), "abcdefghij kl", letters) == ["abcd", "efgh", "ij", "kl"]


def test_one_call_for_a_document() -> None:
    words = Words()
    quotes(SentenceSplitter(100), "One. Two.\n\nPLAN:\nThree.", words)
    assert words.calls == 1


def test_tokens_between_sentences_count() -> None:
    with_spaces = Words(r"\S+|\s")
    assert quotes(SentenceSplitter(3), "Ann ate. Bob ran.", with_spaces) == ["Ann ate.", "Bob ran."]


def test_fixed_windows_overlap_exactly() -> None:
    text = " ".join(map(str, range(10)))
    assert quotes(FixedSplitter(4, 1), text) == ["0 1 2 3", "3 4 5 6", "6 7 8 9"]
    assert quotes(FixedSplitter(4, 2), text) == ["0 1 2 3", "2 3 4 5", "4 5 6 7", "6 7 8 9"]
    assert quotes(FixedSplitter(4, 0), text) == ["0 1 2 3", "4 5 6 7", "8 9"]
    assert quotes(FixedSplitter(20, 5), text) == [text]


def test_fixed_windows_start_at_words() -> None:
    pieces = Words(r"\w{1,2}")
    assert quotes(FixedSplitter(4, 1), "aabb ccdd eeff", pieces) == ["aabb ccdd", "ccdd eeff"]


def test_fixed_window_cuts_a_word_only_if_it_must() -> None:
    pieces = Words(r"\w{1,2}")
    assert quotes(FixedSplitter(2, 0), "aabbcc dd", pieces) == ["aabb", "cc dd"]


def test_fixed_overlap_must_be_smaller() -> None:
    with pytest.raises(ValueError, match="overlap"):
        FixedSplitter(10, 10)


@pytest.mark.parametrize("splitter", [SentenceSplitter(), FixedSplitter()])
def test_nothing_gives_nothing(splitter: Splitter) -> None:
    assert splitter.split(" \n", (), Words()) == ()


@pytest.mark.parametrize("splitter", [SentenceSplitter(50), FixedSplitter(50, 5)])
def test_only_the_given_sentences_are_split(splitter: Splitter) -> None:
    text = "Seen today. Hidden remark. Home tomorrow. Call us."
    last = split_sentences(text)[2:]
    assert [text[p.start : p.end] for p in splitter.split(text, last, Words())] == ["Home tomorrow. Call us."]


@pytest.mark.parametrize("splitter", [SentenceSplitter(5), FixedSplitter(5, 1)])
def test_text_without_tokens_is_kept(splitter: Splitter) -> None:
    text = "… …"
    assert splitter.split(text, split_sentences(text), Words("x")) == (Passage(1, 0, 3),)


def test_fixed_takes_its_sizes_from_the_setting() -> None:
    assert fixed_file.load("510-0") == FixedSplitter(510, 0)
    assert fixed_file.load("300-60") == FixedSplitter()


@pytest.mark.parametrize("sizes", ["510", "60-60", "0-0", "a-b", "300-60-1", "-5-1"])
def test_sizes_that_cannot_be_are_refused_by_name(sizes: str) -> None:
    with pytest.raises(UsageError, match="fixed splitter"):
        fixed_file.load(sizes)
