"""BM25 against a reference written from the formula, with numbers by hand, and its partition's own statistics."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chartcite.core.scope import Scope
from chartcite.index.lexical import Bm25, LexicalIndex
from chartcite.index.partition import PartitionIndex
from chartcite.index.ranking import best
from chartcite.store.arrays import by_term

if TYPE_CHECKING:
    from tests.conftest import MakeNote, OpenShelf, Shelf

Corpus = Sequence[Sequence[str]]
DEFAULT = Bm25()


def reference(corpus: Corpus, query: Sequence[str], k1: float, b: float) -> list[float]:
    """One score a document, straight from the formula, with Python's floats and no index."""
    average = sum(map(len, corpus)) / len(corpus) if corpus else 0.0
    scores = []
    for document in corpus:
        score = 0.0
        for term in query:  # a term twice in the query counts twice
            tf = document.count(term)
            n = sum(term in other for other in corpus)
            idf = math.log(1 + (len(corpus) - n + 0.5) / (n + 0.5))
            length = len(document) / average if average else 0.0
            score += idf * tf / (tf + k1 * (1 - b + b * length)) if tf else 0.0
        scores.append(score)
    return scores


def index_of(
    corpus: Corpus, parameters: Bm25 = DEFAULT, numbers: dict[str, int] | None = None
) -> tuple[LexicalIndex, dict[str, int]]:
    """Our index over the same documents; `numbers` may number the terms in any way."""
    known = numbers or {term: i for i, term in enumerate(dict.fromkeys(t for d in corpus for t in d))}
    counted = [Counter(document) for document in corpus]
    terms = [known[term] for c in counted for term in sorted(c)]
    counts = [c[term] for c in counted for term in sorted(c)]
    rows = [row for row, c in enumerate(counted) for _ in c]
    postings = by_term(np.array(terms, np.int64), np.array(rows, np.int32), np.array(counts, np.uint16))
    index = LexicalIndex([postings], np.array([len(d) for d in corpus], np.int32), parameters)
    return index, known


def ours(corpus: Corpus, query: Sequence[str], parameters: Bm25 = DEFAULT) -> list[float]:
    index, known = index_of(corpus, parameters)
    return list(index.scores({known[t]: n for t, n in Counter(query).items() if t in known}))


words = st.sampled_from(["warfarin", "inr", "5", "mg", "no", "pain", "chest", "ct", "left", "dose", "stopped"])
corpora = st.lists(st.lists(words, max_size=30), max_size=12)


@settings(max_examples=300, deadline=None)
@given(corpora, st.lists(words, max_size=8), st.floats(0, 3), st.floats(0, 1))
def test_equal_to_the_formula(corpus: Corpus, query: list[str], k1: float, b: float) -> None:
    assert ours(corpus, query, Bm25(k1, b)) == pytest.approx(reference(corpus, query, k1, b), rel=1e-12, abs=1e-15)


@settings(max_examples=100, deadline=None)
@given(corpora, st.lists(words, min_size=1, max_size=8))
def test_a_document_with_a_term_scores_above_zero_and_one_without_scores_zero(corpus: Corpus, query: list[str]) -> None:
    for document, score in zip(corpus, ours(corpus, query), strict=True):
        assert (score > 0) == bool(set(document) & set(query))


@settings(max_examples=200, deadline=None)
@given(corpora, st.lists(words, max_size=10))
def test_the_numbers_of_the_terms_change_not_one_bit(corpus: Corpus, query: list[str]) -> None:
    """Terms are numbered as they come in, so that another order of ingest gives other numbers."""
    known = sorted({t for d in corpus for t in d})
    found = []
    for seed in range(3):
        numbers = dict(zip(known, np.random.default_rng(seed).permutation(len(known)).tolist(), strict=True))
        index, _ = index_of(corpus, numbers=numbers)
        found.append(index.scores({numbers[t]: n for t, n in Counter(query).items() if t in numbers}).tobytes())
    assert len(set(found)) == 1


NOTES = [
    "warfarin started today for atrial fibrillation",
    "no warfarin today",
    "patient well today today today",
    "knee pain",
]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        # idf(warfarin) = ln(1 + 2.5/2.5) = ln 2; lengths 6, 3, 5, 2; average 4
        ("warfarin", [
            math.log(2) / (1 + 1.2 * (0.25 + 0.75 * 6 / 4)), math.log(2) / (1 + 1.2 * (0.25 + 0.75 * 3 / 4)), 0, 0,
        ]),
        # three of four: idf = ln(1 + 1.5/3.5), still above zero; tf = 3 in the third
        ("today", [
            math.log(1 + 1.5 / 3.5) / (1 + 1.2 * (0.25 + 0.75 * 1.5)),
            math.log(1 + 1.5 / 3.5) / (1 + 1.2 * (0.25 + 0.75 * 0.75)),
            math.log(1 + 1.5 / 3.5) * 3 / (3 + 1.2 * (0.25 + 0.75 * 1.25)), 0,
        ]),
        ("unknown", [0, 0, 0, 0]),
        ("", [0, 0, 0, 0]),
        ("knee knee", [0, 0, 0, 2 * math.log(1 + 3.5 / 1.5) / (1 + 1.2 * (0.25 + 0.75 * 0.5))]),
    ],
)  # fmt: skip
def test_numbers_by_hand(query: str, expected: list[float]) -> None:
    assert ours([note.split() for note in NOTES], query.split()) == pytest.approx(expected, abs=1e-12)


def test_one_document() -> None:
    """idf = ln(1 + 0.5/1.5); a field case prints .1308 for four words of which one is asked for."""
    assert ours([["only", "document", "about", "warfarin"]], ["warfarin"]) == pytest.approx([math.log(4 / 3) / 2.2])
    assert math.log(4 / 3) / 2.2 == pytest.approx(0.130765, abs=1e-6)


def test_a_term_in_half_or_in_all_of_the_documents() -> None:
    corpus = [["a", "x"], ["a", "y"], ["b", "z"], ["b", "a"]]
    assert min(ours(corpus, ["b"])[2:]) > 0
    assert min(ours([["a"], ["a"], ["a", "a"]], ["a"])) > 0


@pytest.mark.parametrize("corpus", [[], [[]], [[], []], [[], ["a"], [], []]])
def test_nothing_to_count(corpus: Corpus) -> None:
    assert ours(corpus, ["a"]) == pytest.approx(reference(corpus, ["a"], 1.2, 0.75))


def test_through_the_store(shelf: Shelf, make_note: MakeNote) -> None:
    """The same numbers from real notes, with the analyser's terms; equal texts are one document of the statistics."""
    sentences = [
        "Warfarin 5 mg nightly.", "INR 3.4, so warfarin was stopped.", "No chest pain.", "Chest CT: no mass.",
        "Warfarin restarted at 2.5 mg, warfarin card handed out.",
    ]  # fmt: skip
    shelf.put("p1", *(make_note(f"d{i}", text, f"2021-01-{i + 1:02d}") for i, text in enumerate(sentences)))
    shelf.put("p1", make_note("copy", sentences[0], "2021-02-01"))
    corpus = [list(shelf.kitchen.analyse(text)) for text in sentences]
    for query in ("warfarin", "warfarin mg chest", "mass", "aspirin", "no pain no pain"):
        terms = list(shelf.kitchen.analyse(query))
        assert scores(shelf, "p1", terms) == pytest.approx(reference(corpus, terms, 1.2, 0.75), rel=1e-12)


def scores(shelf: Shelf, patient: str, terms: Sequence[str]) -> list[float]:
    with shelf.store.read(Scope.patient(patient)) as reader:
        index = PartitionIndex.build(reader, shelf.recipe, Bm25())
        return list(index.lexical_scores(reader, Counter(terms)))


def test_another_patient_changes_not_one_bit(shelf: Shelf, open_shelf: OpenShelf, make_note: MakeNote) -> None:
    texts = [f"Warfarin {n} mg. Pain {'no ' * n} chest. INR {n / 10}." for n in range(1, 30)]
    alone = open_shelf("alone")
    for n, text in enumerate(texts):
        alone.put("p1", make_note(f"d{n}", text, "2021"))
        shelf.put("p0", make_note(f"d{n}", "Chest pain, warfarin mg. " * (n + 1), "2021"))  # in turn with another's
        shelf.put("p1", make_note(f"d{n}", text, "2021"))
    shelf.put("p2", make_note("x", "Warfarin. " * 500, "2021"))
    terms = list(shelf.kitchen.analyse("warfarin 7 mg, no chest pain, INR 2.5"))
    assert scores(shelf, "p1", terms) == scores(alone, "p1", terms)
    with_copy = scores(shelf, "p1", terms)
    shelf.store.delete(Scope.patient("p0"))
    assert scores(shelf, "p1", terms) == with_copy


def test_the_best_are_cut_at_the_depth_with_ties_in_record_order() -> None:
    found = best(np.array([0.0, 0.5, 0.7, 0.5, -1.0, 0.5, 0.2]), 3)
    assert [(s.passage, s.score) for s in found] == [(2, 0.7), (1, 0.5), (3, 0.5)]
    assert best(np.zeros(5), 3) == []
    assert best(np.zeros(0), 3) == []


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(-2, 4).map(lambda n: n / 4), max_size=30), st.integers(1, 40))
def test_the_best_against_sorting(values: list[float], depth: int) -> None:
    expected = sorted(((i, v) for i, v in enumerate(values) if v > 0), key=lambda pair: (-pair[1], pair[0]))[:depth]
    assert [tuple(s) for s in best(np.array(values, np.float64), depth)] == expected
