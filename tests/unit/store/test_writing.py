"""A document with all that is derived from it is one transaction: what commit, update and rerun leave behind."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from chartcite.core.errors import StoreMismatch
from chartcite.core.scope import Scope
from chartcite.core.stored import DerivedText, Recipe
from chartcite.ingest.prepare import fingerprint

if TYPE_CHECKING:
    from tests.conftest import MakeNote, OpenShelf, Shelf

P1, P2 = Scope.patient("p1"), Scope.patient("p2")
TEXT = "ASSESSMENT\nWarfarin 5 mg nightly. INR 2.4 today.\n\nPLAN\nReturn in two weeks.\n"


def test_a_document_comes_back_as_it_went_in(shelf: Shelf, make_note: MakeNote) -> None:
    document = make_note(
        "d1", "Página\r\nüm – \U0001f9ea\n" + TEXT, "2021-03-02T10:30+02:00", title="T", note_type="N", author="A",
        lang="pt", status="amended", encounter_id="e", pages=(0, 5), hidden=(),
    )  # fmt: skip
    assert shelf.put("p1", document) == ["added"]
    with shelf.store.read(P1) as reader:
        (info,) = reader.documents()
        assert reader.document(info.key) == document
        sentences = reader.sentences(info.key)
        found = reader.find("d1")
        assert found is not None
        assert (found.text, found.sha256, found.standing) == (document.text, info.sha256, "evidence")
        assert reader.count_sentences() == len(sentences)
        assert [s.n for s in sentences] == list(range(1, len(sentences) + 1))
        assert sentences[-1].section == ("PLAN",)
    assert shelf.store.check() == []


def test_seq_counts_the_changes_of_a_partition(shelf: Shelf, make_note: MakeNote) -> None:
    def seq() -> int:
        with shelf.store.read(P1) as reader:
            return reader.seq

    shelf.put("p1", make_note("d1", TEXT))
    shelf.put("p1", make_note("d2", TEXT))
    assert seq() == 2
    shelf.put("p2", make_note("d1", TEXT))
    assert seq() == 2
    shelf.put("p1", make_note("d1", TEXT + "More."))
    assert seq() == 3


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, "unchanged"), ({"text": TEXT + "Addendum."}, None), ({"title": "Other"}, None), ({"author": "B"}, None),
        ({"status": "entered-in-error"}, None), ({"replaces": ("d0",)}, None), ({"doc_id": "d2"}, None),
        ({"lang": "pt"}, None), ({"pages": (0, 3)}, None), ({"encounter_id": "e9"}, None), ({"note_type": "X"}, None),
    ],
)  # fmt: skip
def test_what_a_later_run_knows(
    change: dict[str, object], expected: str | None, shelf: Shelf, make_note: MakeNote
) -> None:
    document = make_note("d1", TEXT)
    shelf.put("p1", document)
    changed = replace(document, **change)  # type: ignore[arg-type]
    writer = shelf.store.writer("run-2")
    assert writer.known(P1, changed, fingerprint(changed), shelf.recipe, "") == expected
    assert writer.known(P2, changed, fingerprint(changed), shelf.recipe, "") is None


def test_the_same_doc_id_twice_in_one_run(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("d1", TEXT))
    other = make_note("d1", "Something else.")
    assert shelf.store.writer("run-1").known(P1, other, fingerprint(other), shelf.recipe, "") == "repeated"
    assert shelf.store.writer("run-2").known(P1, other, fingerprint(other), shelf.recipe, "") is None


def test_the_same_doc_id_twice_in_a_run_that_found_the_first_unchanged(shelf: Shelf, make_note: MakeNote) -> None:
    first, other = make_note("d1", TEXT), make_note("d1", "Something else.")
    shelf.put("p1", first)
    writer = shelf.store.writer("run-2")
    assert writer.known(P1, first, fingerprint(first), shelf.recipe, "") == "unchanged"
    assert writer.known(P1, other, fingerprint(other), shelf.recipe, "") == "repeated"


@pytest.mark.parametrize(
    ("stored", "origin", "same_text", "expected"),
    [
        ("/a/n.txt", "/b/n.txt", False, "clash"), ("/a/n.txt", "/b/n.txt", True, "unchanged"),
        ("/a/n.txt", "/a/n.txt", False, None), ("", "/b/n.txt", False, None), ("/a/n.txt", "", False, None),
    ],
)  # fmt: skip
def test_files_of_one_name(
    stored: str, origin: str, same_text: bool, expected: str | None, shelf: Shelf, make_note: MakeNote
) -> None:
    shelf.put("p1", make_note("n.txt", TEXT), origin=stored)
    other = make_note("n.txt", TEXT if same_text else "Other.")
    assert shelf.store.writer("run-2").known(P1, other, fingerprint(other), shelf.recipe, origin) == expected


def test_another_recipe_is_not_unchanged_and_both_sets_stay(
    shelf: Shelf, open_shelf: OpenShelf, make_note: MakeNote
) -> None:
    document = make_note("d1", TEXT)
    shelf.put("p1", document)
    new = replace(shelf.recipe, encoder="fake@2")
    mark = fingerprint(document)
    assert shelf.store.writer("run-2").known(P1, document, mark, new, "") is None
    prepared = shelf.prepare(P1, document)
    vectors = [shelf.kitchen.encoder.encode_passage(t) for t in ("a", "b")]
    texts = [replace(t, encoded=v) for t, v in zip(prepared.texts, vectors, strict=True)]
    with shelf.store.read(P1) as reader, pytest.raises(StoreMismatch):
        reader.passages(new)
    assert shelf.store.writer("run-2").commit(P1, replace(prepared, texts=texts), new) == "unchanged"
    assert shelf.store.writer("run-3").known(P1, document, mark, new, "") == "unchanged"
    assert shelf.store.writer("run-3").known(P1, document, mark, shelf.recipe, "") == "unchanged"
    with shelf.store.read(P1) as reader:
        assert len(reader.passages(new).vectors) == len(reader.passages(shelf.recipe).vectors) == 2


def test_an_update_leaves_nothing_of_the_old_version(shelf: Shelf, open_shelf: OpenShelf, make_note: MakeNote) -> None:
    shared = "SHARED\nThis paragraph stands in both documents.\n\n"
    shelf.put("p1", make_note("d1", shared + "OLD\nPapaverine was given.\n"), make_note("d2", shared + "X\nOther.\n"))
    assert shelf.put("p1", make_note("d1", "NEW\nNothing of the sort.\n", replaces=("d0",))) == ["updated"]
    fresh = open_shelf("fresh")
    fresh.put(
        "p1", make_note("d2", shared + "X\nOther.\n"), make_note("d1", "NEW\nNothing of the sort.\n", replaces=("d0",))
    )

    def without_seq(shelf: Shelf) -> list[tuple[object, ...]]:
        return [row for row in shelf.dump() if row[:2] != ("patient", "p1") or len(row) > 3]

    assert without_seq(shelf) == without_seq(fresh)
    assert shelf.store.check() == []


def test_words_that_no_version_has_any_more(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("d1", "Papaverine was given."), make_note("d2", "Warfarin was given."))
    shelf.put("p2", make_note("d1", "Papaverine was given."))
    shelf.put("p1", make_note("d1", "Nothing was given."))
    shelf.store.writer("run-2").drop_unused_terms(P1)
    terms = "SELECT t.term FROM terms t JOIN partitions p ON p.id = t.partition WHERE p.name = ? ORDER BY 1"
    assert shelf.rows(terms, "p1") == [("given",), ("noth",), ("warfarin",)]
    assert shelf.rows(terms, "p2") == [("given",), ("papaverin",)]


def test_equal_texts_are_kept_once_a_partition(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("d1", TEXT), make_note("d2", TEXT))
    counts = shelf.store.counts()
    assert (counts["passages"], counts["texts"], counts["vectors"], counts["token_vectors"]) == (4, 2, 2, 2)
    shelf.put("p2", make_note("d1", TEXT))
    counts = shelf.store.counts()
    assert (counts["passages"], counts["texts"], counts["vectors"], counts["postings"]) == (6, 4, 4, 4)
    assert len(shelf.kitchen.encoder.texts) == 4  # type: ignore[attr-defined]


def test_missing_asks_one_partition_and_one_encoder_only(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("d1", TEXT))
    digests = [t.sha256 for t in shelf.prepare(P1, make_note("d2", TEXT)).texts]
    writer = shelf.store.writer("run-2")
    assert writer.missing(P1, digests, shelf.recipe) == set()
    assert writer.missing(P2, digests, shelf.recipe) == set(digests)
    assert writer.missing(Scope.collection("p1"), digests, shelf.recipe) == set(digests)
    assert writer.missing(P1, digests, replace(shelf.recipe, encoder="fake@2")) == set(digests)
    many = [i.to_bytes(32, "big") for i in range(1200)]
    assert writer.missing(P1, [*many, *digests], shelf.recipe) == set(many)


def test_a_document_whose_vectors_are_nowhere_is_refused_whole(shelf: Shelf, make_note: MakeNote) -> None:
    """A text that was known when it was prepared may be gone when it is committed: half a document is no document."""
    prepared = shelf.prepare(P1, make_note("d1", TEXT))
    bare = replace(prepared, texts=[replace(t, encoded=None) for t in prepared.texts])
    before = shelf.dump()
    with pytest.raises(StoreMismatch):
        shelf.store.writer("run-1").commit(P1, bare, shelf.recipe)
    assert shelf.dump() == before


def test_counts_above_two_bytes_do_not_wrap(shelf: Shelf, make_note: MakeNote) -> None:
    prepared = shelf.prepare(P1, make_note("d1", "Pain."))
    text = DerivedText(prepared.texts[0].sha256, {"pain": 70_000}, prepared.texts[0].encoded)
    shelf.store.writer("run-1").commit(P1, replace(prepared, texts=[text]), shelf.recipe)
    with shelf.store.read(P1) as reader:
        assert reader.passages(shelf.recipe).postings.counts.tolist() == [65535]


def test_vectors_come_back_bit_for_bit(shelf: Shelf, make_note: MakeNote) -> None:
    document = make_note("d1", TEXT)
    shelf.put("p1", document)
    encoder = shelf.kitchen.encoder
    with shelf.store.read(P1) as reader:
        arrays = reader.passages(shelf.recipe)
        tokens = reader.token_vectors(arrays.text_keys.tolist(), shelf.recipe, encoder.token_dims)
        for i, (_, _, start, end) in enumerate(arrays.places.tolist()):
            expected = encoder.encode_passage(document.text[start:end])
            assert arrays.vectors[i].tobytes() == expected.vector.tobytes()
            assert np.array_equal(tokens[i], expected.tokens)


def test_token_vectors_of_another_partition_are_not_handed_out(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("d1", TEXT))
    shelf.put("p2", make_note("d1", "Other."))
    own = "JOIN partitions p ON p.id = x.partition WHERE p.name = 'p1'"
    keys = [row[0] for row in shelf.rows(f"SELECT x.id FROM texts x {own}")]
    document = shelf.rows(f"SELECT x.id FROM documents x {own}")[0][0]
    with shelf.store.read(P2) as reader:
        assert all(not len(codes) for codes in reader.token_vectors(keys, shelf.recipe, 8))
        assert reader.sentences(document) == []
        assert reader.find("nope") is None


def test_another_analyser_beside_the_first(shelf: Shelf, make_note: MakeNote) -> None:
    document = make_note("d1", TEXT)
    shelf.put("p1", document)
    german = Recipe(shelf.recipe.splitter, "de-1", shelf.recipe.encoder)
    shelf.store.writer("run-2").commit(P1, shelf.prepare(P1, document), german)
    with shelf.store.read(P1) as reader:
        assert len(reader.passages(german).postings.counts) == len(reader.passages(shelf.recipe).postings.counts)
