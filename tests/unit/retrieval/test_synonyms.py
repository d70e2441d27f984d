"""Other spellings in a lexical query: found as written, at less weight than the query's own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.unit.retrieval.test_search import run

from chartcite.facts.spellings import other_spellings
from chartcite.retrieval.synonyms import query_terms
from chartcite.text.analyser import Analyser

if TYPE_CHECKING:
    from tests.conftest import MakeNote, Shelf

terms = Analyser("en").terms


@pytest.mark.parametrize(
    ("query", "others"),
    [
        ("Does she take Lasix?", {"furosemide"}),
        ("furosemide dose", {"Lasix"}),
        ("history of MI", {"myocardial infarction", "heart attack"}),
        ("heart attack in 2019", {"MI", "myocardial infarction"}),
        ("high blood pressure", {"HTN", "hypertension"}),
        ("(HTN)", {"hypertension"}),
    ],
)
def test_spellings_of_one_thing_find_each_other(query: str, others: set[str]) -> None:
    found = {spelling for group in other_spellings(query) for spelling in group}
    assert others <= found
    assert not {word for word in query.split() if len(word) > 3} & found


@pytest.mark.parametrize("query", ["", "???", "as it was or is", "the pt was in pa", "he may"])
def test_everyday_words_are_no_abbreviations(query: str) -> None:
    found = {spelling for group in other_spellings(query) for spelling in group}
    assert not found & {"aortic stenosis", "patient", "posteroanterior", "pulmonary artery", "physical therapy"}


def test_the_longest_spelling_counts() -> None:
    (group,) = other_spellings("acute myocardial infarction")[:1]
    assert "myocardial infarction" not in group
    assert group


def test_weights() -> None:
    weighted = query_terms("Lasix Lasix heart attack", terms, 0.4)
    assert weighted["lasix"] == 2.0
    assert weighted["furosemid"] == 0.4
    assert weighted["myocardi"] == 0.2
    assert query_terms("Lasix", terms, 0.0) == {"lasix": 1.0}
    assert list(weighted) == list(query_terms("Lasix Lasix heart attack", terms, 0.4))


def test_a_note_in_other_words_is_found_after_one_in_the_same(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put(
        "p1", make_note("a", "Furosemide 40 mg.", "2020"), make_note("b", "Lasix 40 mg.", "2021"),
        make_note("c", "Knee pain.", "2022"),
    )  # fmt: skip
    names = dict(shelf.rows("SELECT id, doc_id FROM documents"))

    def found(weight: float) -> list[str]:
        hits = run(shelf, "Lasix", "lexical", synonym_weight=weight, rerank="none")
        return [names[hit.places[0].document] for hit in hits]

    assert found(0.0) == ["b"]
    assert found(0.4) == ["b", "a"]
