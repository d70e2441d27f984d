"""The arrays of one partition, from the store to scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from chartcite.core.errors import StoreMismatch
from chartcite.core.scope import Scope
from chartcite.index.lexical import Bm25
from chartcite.index.partition import PartitionIndex

if TYPE_CHECKING:
    from tests.conftest import MakeNote, Shelf

P1 = Scope.patient("p1")


def test_equal_texts_are_one_passage_with_its_places_oldest_first(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put(
        "p1", make_note("c", "Copied.", "2021-03-01"), make_note("a", "Copied.", "2021-01-01"),
        make_note("u", "Copied."), make_note("b", "Other.", "2021-02-01"),
    )  # fmt: skip
    with shelf.store.read(P1) as reader:
        index = PartitionIndex.build(reader, shelf.recipe, Bm25())
        names = {d.key: d.doc_id for d in reader.documents()}
        assert index.size == 2
        assert [[names[d] for d, _, _ in index.places(i)] for i in range(2)] == [["u", "a", "c"], ["b"]]
        assert index.nbytes > 0


def test_three_long_notes_that_differ_at_their_end_only(shelf: Shelf, make_note: MakeNote) -> None:
    """Two are equal and may be merged, with both dates; the one whose last line changed must stay."""
    head = "WARD NOTE\n" + "Seen on rounds with the team, vital signs reviewed with nursing staff and recorded. " * 5
    assert len(head) > 300
    shelf.put(
        "p1", make_note("c1", head + "Apixaban 5 mg twice daily.", "2031-05-01"),
        make_note("c2", head + "Apixaban 5 mg twice daily.", "2031-05-02"),
        make_note("c3", head + "Apixaban 2.5 mg twice daily.", "2031-05-03"),
    )  # fmt: skip
    with shelf.store.read(P1) as reader:
        index = PartitionIndex.build(reader, shelf.recipe, Bm25())
        assert index.size == 2
        assert [len(index.places(i)) for i in range(2)] == [2, 1]
        times = [[reader.document(d).time for d, _, _ in index.places(i)] for i in range(2)]
        assert [[str(t) for t in row] for row in times] == [["2031-05-01", "2031-05-02"], ["2031-05-03"]]
        document, start, end = index.places(1)[0]
        assert reader.document(document).text[start:end].endswith("2.5 mg twice daily.")


def test_passages_of_some_documents(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put(
        "p1",
        make_note("a", "PLAN\nCopied.\n\nHISTORY\nOwn one.", "2021"),
        make_note("b", "PLAN\nCopied.\n\nHISTORY\nOwn two.", "2022"),
    )
    with shelf.store.read(P1) as reader:
        index = PartitionIndex.build(reader, shelf.recipe, Bm25())
        a, b = (d.key for d in reader.documents())
        assert index.of_documents([a]).tolist() == [True, True, False]
        assert index.of_documents([b]).tolist() == [True, False, True]
        assert index.of_documents([]).tolist() == [False] * 3
        assert index.of_documents([987654]).tolist() == [False] * 3


@pytest.mark.parametrize("status", ["current", "entered-in-error"])
def test_a_partition_of_one_passage_and_of_none(status: str, shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("a", "Warfarin 5 mg.", status=status))
    encoder = shelf.kitchen.encoder
    with shelf.store.read(P1) as reader:
        index = PartitionIndex.build(reader, shelf.recipe, Bm25())
        query = encoder.encode_query("Warfarin 5 mg.")
        size = 1 if status == "current" else 0
        assert index.size == size
        assert index.dense_scores(query) == pytest.approx([1.0] * size, abs=1e-6)
        lexical = index.lexical_scores(reader, {"warfarin": 1.0, "aspirin": 1.0})
        assert lexical.shape == (size,)
        assert (lexical > 0).all()
        assert index.late_scores(reader, query, range(size), encoder.token_dims).shape == (size,)
        assert index.idf(reader, ["warfarin", "aspirin"])["aspirin"] > 0


def test_every_part_of_a_recipe_must_have_been_built(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("a", "Text."))
    with shelf.store.read(P1) as reader:
        for change in ({"splitter": "other"}, {"analyser": "pt-1"}, {"encoder": "other@1"}):
            with pytest.raises(StoreMismatch) as refused:
                PartitionIndex.build(reader, replace(shelf.recipe, **change), Bm25())
            assert next(iter(change.values())) in str(refused.value)
            assert "chartcite index" in refused.value.advice


def test_terms_are_those_of_the_evidence(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("a", "Warfarin.", "2021"), make_note("b", "Aspirin.", "2022"))
    shelf.put("p2", make_note("a", "Heparin."))
    for as_of, expected in (("", [True, True, False]), ("2021~", [True, False, False])):
        with shelf.store.read(P1, as_of) as reader:
            index = PartitionIndex.build(reader, shelf.recipe, Bm25())
            numbers = reader.term_numbers(["warfarin", "aspirin", "heparin"])
            assert [
                t in numbers and index.lexical.has(numbers[t]) for t in ("warfarin", "aspirin", "heparin")
            ] == expected
            assert not index.lexical.has(10**9)


def test_cosine_is_the_product_of_the_stored_vectors(shelf: Shelf, make_note: MakeNote) -> None:
    texts = ["Warfarin.", "Warfarin stopped.", "Knee pain."]
    shelf.put("p1", *(make_note(f"d{i}", t) for i, t in enumerate(texts)))
    query = shelf.kitchen.encoder.encode_query("warfarin")
    with shelf.store.read(P1) as reader:
        found = PartitionIndex.build(reader, shelf.recipe, Bm25()).dense_scores(query)
    expected = [float(np.dot(shelf.kitchen.encoder.encode_passage(t).vector, query.vector)) for t in texts]
    assert found == pytest.approx(expected, abs=1e-6)
    assert found[0] > found[1] > found[2]
