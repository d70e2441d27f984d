"""Multiple choice and spans on small records: what is chosen is borne out, a span is a slice, order decides nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.pipeline.test_small_records import note, put

from chartcite.library.book import Book

NOTES = {
    "d1": "Warfarin 5 mg every evening. INR was 2.1 on 2020-01-03. She denies bleeding.",
    "d2": "Allergies: penicillin (hives).\nMother had breast cancer.\nRight knee replaced in 2011 by Dr. Alder.",
    "d3": "Lisinopril was stopped because of a dry cough. Possible pneumonia on the left.",
}


@pytest.fixture(scope="module")
def book(demo: Book, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    folder = tmp_path_factory.mktemp("forms")
    with Book(folder / "store", engines=demo.engines) as made:
        put(made, folder, *(note(name, text) for name, text in NOTES.items()))
        yield made


CHOICES = [
    ("What is the warfarin dose?", ("4 mg every evening", "5 mg every evening", "10 mg daily"), "5 mg every evening"),
    ("What was the INR?", ("1.2", "2.1", "3.4"), "2.1"),
    ("Does she have bleeding?", ("yes", "no"), "no"),
    ("What is the patient allergic to?", ("latex", "penicillin", "aspirin"), "penicillin"),
    ("Why was lisinopril stopped?", ("a dry cough", "high potassium", "dizziness"), "a dry cough"),
    ("Does the patient have breast cancer?", ("yes", "no"), None),
    ("What is the metformin dose?", ("500 mg", "850 mg"), None),
    ("What is the metformin dose?", ("500 mg", "850 mg", "cannot be determined"), "cannot be determined"),
    ("Which elbow is swollen?", ("left elbow", "right elbow", "neither"), None),
    ("What is the metformin dose?", ("500 mg", "850 mg", "none of the above"), None),
    ("What was the INR?", ("1.2", "3.4", "none of the above"), None),
]


@pytest.mark.parametrize(("question", "options", "right"), CHOICES, ids=[f"{q} {o}" for q, o, _ in CHOICES])
def test_what_the_record_bears_out_is_chosen_in_any_order(
    question: str, options: tuple[str, ...], right: str | None, book: Book
) -> None:
    found = [book.choose(question, order, patient="p") for order in (options, options[::-1])]
    assert {c.answer.option.text if c.answer else None for c in found} == {right}
    for choice in found:
        for verdict in choice.options:
            assert verdict.verdict == "unsupported" or verdict.citations
            for citation in verdict.citations:
                assert NOTES[citation.doc_id][citation.start : citation.end] == citation.quote


SPANS = [
    ("What was the first INR after the knee replacement?", None),
    ("What was the last INR before the transplantation?", None),
    ("What is the warfarin dose?", "5 mg every evening"),
    ("What was the INR?", "2.1"),
    ("Why was lisinopril stopped?", "dry cough"),
    ("Who replaced the right knee?", "Dr. Alder"),
    ("When was the knee replaced?", "2011"),
    ("What is the metformin dose?", None),
]


@pytest.mark.parametrize(("question", "text"), SPANS, ids=[q for q, _ in SPANS])
def test_a_span_is_a_slice(question: str, text: str | None, book: Book) -> None:
    found = book.span(question, patient="p")
    assert found.text == text
    if found.text is not None:
        assert NOTES[str(found.doc_id)][found.start : found.end] == found.text
        assert found.citation is not None
        assert found.text in found.citation.quote
    assert found.is_impossible == (text is None)
