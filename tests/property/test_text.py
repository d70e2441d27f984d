"""What must hold for any text whatsoever: units and passages are slices that cover it, terms do not depend on form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chartcite.core.documents import Passage
from chartcite.core.unseen import seen
from chartcite.text.analyser import Analyser
from chartcite.text.folding import fold
from chartcite.text.language import detect
from chartcite.text.limits import first_words, soft_cut
from chartcite.text.sentences import split_sentences
from chartcite.text.splitters.fixed import FixedSplitter
from chartcite.text.splitters.sentences import SentenceSplitter

_FRAGMENTS = [
    "Pt. seen by Dr. Okafor",
    "CHIEF COMPLAINT",
    "HPI:",
    "# Plan",
    "## CHF",
    "- ",
    "* ",
    "1. ",
    "2) ",
    "•",
    "\n",
    "\n",
    "\n\n",
    "\t",
    "  ",
    " ",
    ". ",
    ".",
    "?PE",
    "mg. ",
    "4 mg p.o. b.i.d.",
    "[**Name (NI) 12**]",
    "[**",
    "**]",
    "___",
    "Temp: 38.1 C",
    "Na   138   K  4.1",
    "| a | b |",
    "-----",
    "====",
    "não há febre.",
    "Sra. Lima",
    "lower case words go on",
    "Upper Case",
    "12.4",
    "...",
    "…",
    "(see above.)",
    '"Stop."',
    "\u2028",
    "\x0c",
    "\x85",
    "e\u0301",
    "\ufeff",
    "😀",
    "。",
    "x" * 40,
    "[3]",
    "Feb. 2019",
    "no. 2",
    "**Assessment:**",
    "\x1c",
    "\x0b",
    "\u00a0",
    "\u200b",
]
_ANY = st.text(max_size=200)
_CLINICAL = st.lists(st.sampled_from(_FRAGMENTS), max_size=40).map("".join)
TEXTS = st.one_of(_CLINICAL, _ANY, st.lists(st.one_of(_ANY, st.sampled_from(_FRAGMENTS)), max_size=12).map("".join))

WORDS = st.lists(st.sampled_from(["one", "two", "six", "ten"]), max_size=200)

QUICK = settings(max_examples=100, deadline=None)
SOAK = settings(max_examples=2000, deadline=None)


class Syllables:
    """A token counter that behaves like a word-piece tokeniser: marks alone, words in pieces of four letters."""

    _token = re.compile(r"[^\W_]{1,4}|[^\w\s]|_")

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        return [[match.span() for match in self._token.finditer(text)] for text in texts]


class LineEnds(Syllables):
    """The same, but white space counts too, so that joined sentences have more tokens than their parts."""

    _token = re.compile(r"[^\W_]{1,4}|[^\w\s]|_|\s")


def _check_cover(text: str, spans: list[tuple[int, int]]) -> None:
    covered = [False] * len(text)
    for start, end in spans:
        assert 0 <= start < end <= len(text)
        for index in range(start, end):
            covered[index] = True
    assert all(covered[index] or char.isspace() or not seen(char) for index, char in enumerate(text))


def check_units(text: str) -> None:
    units = split_sentences(text)
    _check_cover(text, [(unit.start, unit.end) for unit in units])
    assert [unit.n for unit in units] == list(range(1, len(units) + 1))
    assert all(before.end <= after.start for before, after in pairwise(units))
    for unit in units:
        assert not text[unit.start].isspace()
        assert not text[unit.end - 1].isspace()
        assert unit.kind != "header" or unit.section


def check_line_ends(text: str) -> None:
    text = text.replace("\r", "")
    windows = text.replace("\n", "\r\n")
    at = [index for index, char in enumerate(windows) if char != "\r"] + [len(windows)]
    mapped = [(at[unit.start], at[unit.end - 1] + 1, unit.kind, unit.section) for unit in split_sentences(text)]
    assert mapped == [(unit.start, unit.end, unit.kind, unit.section) for unit in split_sentences(windows)]


def check_sentence_passages(text: str, limit: int) -> None:
    units = split_sentences(text)
    for counter in (Syllables(), LineEnds()):
        passages = SentenceSplitter(max_tokens=limit).split(text, units, counter)
        check_passages(text, passages, limit, counter)
        assert all(before.end <= after.start for before, after in pairwise(passages))


def check_passages(text: str, passages: tuple[Passage, ...], limit: int, counter: Syllables) -> None:
    _check_cover(text, [(passage.start, passage.end) for passage in passages])
    assert [passage.n for passage in passages] == list(range(1, len(passages) + 1))
    assert all(len(found) <= limit for found in counter.offsets([text[p.start : p.end] for p in passages]))


def check_fixed(words: list[str], limit: int, overlap: int) -> None:
    """With words of one token each the windows are known exactly."""
    text = " ".join(words)
    passages = FixedSplitter(max_tokens=limit, overlap=overlap).split(text, split_sentences(text), Syllables())
    check_passages(text, passages, limit, Syllables())
    split = [text[passage.start : passage.end].split() for passage in passages]
    rebuilt = list(split[0]) if split else []
    for before, after in pairwise(split):
        assert len(before) == limit
        assert before[limit - overlap :] == after[:overlap]
        assert len(after) > overlap
        rebuilt += after[overlap:]
    assert rebuilt == words


def check_terms(text: str) -> None:
    for lang in ("en", "pt", ""):
        analyser = Analyser(lang)
        terms = analyser.terms(text)
        assert [term for term, _, _ in analyser.terms_with_spans(text)] == terms
        assert all(0 <= start < end <= len(text) for _, start, end in analyser.terms_with_spans(text))
        for form in ("NFC", "NFD"):
            assert analyser.terms(unicodedata.normalize(form, text)) == terms
        assert analyser.terms(fold(text)) == terms


LETTERS = st.text(st.sampled_from("abcdeéçãõûñøæAÉÇÃ 0123,./-<%µ'\u0301\u0327"), max_size=60)


def check_case(text: str) -> None:
    for lang in ("en", "pt"):
        assert Analyser(lang).terms(text.upper()) == Analyser(lang).terms(text.lower())


def check_limits(text: str) -> None:
    assert detect(text) in ("en", "pt", "")
    if text.strip():
        cut = soft_cut(text, limit_words=10)
        assert 1 <= len(cut.split()) <= 10
        assert len(cut.split()) == len(text.split()) or cut.split()[:-1] == text.split()[: len(cut.split()) - 1]
    else:
        with pytest.raises(ValueError, match="empty"):
            soft_cut(text, limit_words=10)
    with suppress(ValueError):  # nothing left of `Question:`
        assert 1 <= len(first_words(text, 15).split()) <= 15


@QUICK
@given(TEXTS)
def test_units_cover_the_text(text: str) -> None:
    check_units(text)


@QUICK
@given(TEXTS)
def test_line_ends_do_not_matter(text: str) -> None:
    check_line_ends(text)


@QUICK
@given(TEXTS, st.integers(1, 40))
def test_sentence_passages_cover_and_fit(text: str, limit: int) -> None:
    check_sentence_passages(text, limit)


@QUICK
@given(TEXTS, st.integers(2, 30), st.integers(0, 20))
def test_fixed_passages_cover_and_fit(text: str, limit: int, overlap: int) -> None:
    passages = FixedSplitter(max_tokens=limit, overlap=min(overlap, limit - 1)).split(
        text, split_sentences(text), Syllables()
    )
    check_passages(text, passages, limit, Syllables())


@QUICK
@given(WORDS, st.integers(2, 30), st.integers(0, 29))
def test_fixed_overlap_is_exact(words: list[str], limit: int, overlap: int) -> None:
    check_fixed(words, limit, min(overlap, limit - 1))


@QUICK
@given(TEXTS)
def test_terms_do_not_depend_on_the_form(text: str) -> None:
    check_terms(text)


@QUICK
@given(LETTERS)
def test_terms_do_not_depend_on_case(text: str) -> None:
    check_case(text)


@QUICK
@given(TEXTS)
def test_limits_hold(text: str) -> None:
    check_limits(text)


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("check", [check_units, check_line_ends, check_terms, check_limits])
def test_soak_any_text(check: Callable[[str], None]) -> None:
    SOAK(given(TEXTS)(check))()


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_soak_passages() -> None:
    SOAK(given(TEXTS, st.integers(1, 40))(check_sentence_passages))()


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_soak_fixed_overlap() -> None:
    @SOAK
    @given(WORDS, st.integers(2, 30), st.integers(0, 29))
    def check(words: list[str], limit: int, overlap: int) -> None:
        check_fixed(words, limit, min(overlap, limit - 1))

    check()
