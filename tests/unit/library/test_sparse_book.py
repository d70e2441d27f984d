"""A sparse encoder from setting to hit: a tiny ONNX folder made here, real files, the fake dense encoder."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.conftest import dump
from tests.unit.models.test_sparse import LOGITS, make

from chartcite.core.errors import NotConfigured, StoreMismatch
from chartcite.core.neural import SparseEncoder, SparseText
from chartcite.core.scope import Scope
from chartcite.index.sparse import STEPS
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.found import FoundPassage
from chartcite.library.settings import Settings
from chartcite.models.sparse import onnx_folder

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder

OpenBook = Callable[..., Book]
WORDS = ("warfarin", "5", "mg", "knee", "pain", "no", "unheard")
QUERY = "no knee pain warfarin"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return make(tmp_path / "model")


@pytest.fixture
def open_book(tmp_path: Path, fake_encoder: FakeEncoder) -> Iterator[OpenBook]:
    opened: list[Book] = []

    def go(name: str, sparse: Path | None, **settings: Any) -> Book:
        chosen = Settings(sparse=f"onnx_folder:{sparse}" if sparse else "", rerank="none", jobs=2, **settings)
        engines = Engines(chosen)
        engines.__dict__["encoder"] = fake_encoder
        opened.append(Book(tmp_path / name, chosen, engines=engines))
        return opened[-1]

    yield go
    for book in opened:
        book.close()


def write(folder: Path, patient: str, days: range, seed: int = 3) -> Path:
    place = folder / patient
    place.mkdir(parents=True, exist_ok=True)
    rng = random.Random(seed)
    for day in days:
        words = " ".join(rng.choice(WORDS) for _ in range(6))
        (place / f"2021-01-{day:02d}_note.txt").write_text(f"PLAN\n{words} .\n")
    return place


def expansions(book: Book) -> list[tuple[Any, ...]]:
    """Stored rows of the sparse encoder, terms by name."""
    return [row for row in dump(book.store) if row[2:3] == (book.engines.recipe.sparse,)]


def shown(found: list[FoundPassage]) -> list[tuple[Any, ...]]:
    return [(f.text, f.rank, f.score, f.places, dict(f.parts)) for f in found]


def dense_weights(text: SparseText, width: int, steps: int = 0) -> np.ndarray:
    out = np.zeros(width)
    out[text.terms] = np.rint(text.weights.astype(float) * steps) / steps if steps else text.weights
    return out


def products(encoder: SparseEncoder, texts: list[str], query: str, steps: int = 0) -> np.ndarray:
    width = encoder.vocabulary
    matrix = np.stack([dense_weights(encoder.encode_passage(text), width, steps) for text in texts])
    scores: np.ndarray = matrix @ dense_weights(encoder.encode_query(query), width)
    return scores


def test_scores_are_the_dense_dot_product(open_book: OpenBook, tmp_path: Path, model: Path) -> None:
    book = open_book("s", model, method="sparse", top_k=100)
    book.ingest(write(tmp_path / "n", "p1", range(1, 29)), patient="p1")
    found = book.search(QUERY, patient="p1")
    texts, scores = [f.text for f in found], [f.score for f in found]
    assert len(found) > 20
    encoder = onnx_folder.load(model)
    assert scores == pytest.approx(products(encoder, texts, QUERY, STEPS), abs=1e-9)
    most = float(encoder.encode_query(QUERY).weights.sum()) / 2 / STEPS  # half a step a term
    assert np.max(np.abs(np.array(scores) - products(encoder, texts, QUERY))) <= most + 1e-6
    assert scores == sorted(scores, reverse=True)
    assert all(list(f.parts) == ["sparse", "first_stage"][: len(f.parts)] for f in found)
    assert book.store.check() == []


def test_kept_to_some_documents_the_scores_are_the_same(open_book: OpenBook, tmp_path: Path, model: Path) -> None:
    book = open_book("s", model)
    book.ingest(write(tmp_path / "n", "p1", range(1, 20)), patient="p1")
    with book._open(Scope.patient("p1"), None) as (reader, index):
        probe = book._probe(QUERY, index, reader)
        allowed = index.of_documents([d.key for d in index.documents[::3]])
        kept = probe.restricted(allowed).sparse_best(100)
        assert kept == [s for s in probe.sparse_best(100) if allowed[s.passage]] != []
        assert kept[:2] == probe.restricted(allowed).sparse_best(2)
        assert probe.asking("mg").sparse_best(5) == book._probe("mg", index, reader).sparse_best(5)


def test_hybrid_takes_a_third_list_only_when_set(open_book: OpenBook, tmp_path: Path, model: Path) -> None:
    notes = write(tmp_path / "n", "p1", range(1, 29))
    with_it, without = open_book("a", model), open_book("b", None)
    for book in (with_it, without):
        book.ingest(notes, patient="p1")
    assert {name for f in with_it.search(QUERY, patient="p1") for name in f.parts} == {"lexical", "dense", "sparse"}
    plain = without.search(QUERY, patient="p1")
    assert {name for f in plain for name in f.parts} == {"lexical", "dense"}
    silenced = open_book("a", model, sparse_weight=0).search(QUERY, patient="p1")
    known = {f.text: f.score for f in plain}
    assert all(f.score == pytest.approx(known.get(f.text, 0.0)) for f in silenced)
    assert with_it.ask(QUERY, patient="p1").config != without.ask(QUERY, patient="p1").config


def test_without_a_sparse_encoder_nothing_shows_it(open_book: OpenBook, model: Path) -> None:
    plain, sparse = open_book("a", None).engines.recipe, open_book("b", model).engines.recipe
    assert list(plain.to_dict()) == ["splitter", "analyser", "encoder"]
    assert "sparse" not in repr(plain)  # part of the mark of a source that was read whole
    assert plain.arrays_name == sparse.arrays_name
    assert sparse.to_dict()["sparse"].startswith("sparse:model@")
    assert Settings().answer_hash({}) == Settings(sparse_weight=3).answer_hash({})
    assert Settings(sparse="x").answer_hash({}) != Settings(sparse="x", sparse_weight=3).answer_hash({})


def test_asked_for_and_not_built(open_book: OpenBook, tmp_path: Path, model: Path) -> None:
    notes = write(tmp_path / "n", "p1", range(1, 12))
    before = open_book("s", None)
    before.ingest(notes, patient="p1")
    nameless = open_book("s", None, method="sparse")
    for way in (nameless.search, nameless.ask):  # this record would be read whole
        with pytest.raises(NotConfigured, match="sparse"):
            way(QUERY, patient="p1")
    after = open_book("s", model)
    with pytest.raises(StoreMismatch, match="sparse:model@") as said:
        after.search(QUERY, patient="p1")
    assert "chartcite index" in said.value.advice
    plain = shown(before.search(QUERY, patient="p1"))
    assert after.index().total("failed") == 0
    direct = open_book("d", model)
    direct.ingest(notes, patient="p1")
    assert expansions(after) == expansions(direct) != []
    assert shown(after.search(QUERY, patient="p1")) == shown(direct.search(QUERY, patient="p1"))
    assert shown(before.search(QUERY, patient="p1")) == plain


def test_a_rerun_reads_nothing_again_but_a_new_encoder_does(open_book: OpenBook, tmp_path: Path, model: Path) -> None:
    notes = write(tmp_path / "n", "p1", range(1, 6))
    book = open_book("s", model)
    book.ingest(notes, patient="p1")
    assert book.ingest(notes, patient="p1").encoded == 0
    other = open_book("s", make(tmp_path / "other", logits=LOGITS + 1))
    assert other.ingest(notes, patient="p1").encoded == 5
    assert len(expansions(book)) == len(expansions(other)) == 5
    assert expansions(book) != expansions(other)


@pytest.mark.parametrize("method", ["sparse", "hybrid"])
def test_order_of_ingest_and_other_patients_change_nothing(
    method: str, open_book: OpenBook, tmp_path: Path, model: Path
) -> None:
    notes = write(tmp_path / "n", "p1", range(1, 15))
    one, other = open_book("a", model, method=method), open_book("b", model, method=method)
    one.ingest(notes, patient="p1")
    expected = shown(one.search(QUERY, patient="p1"))
    other.ingest(write(tmp_path / "n", "p2", range(1, 9), seed=8), patient="p2")
    for path in sorted(notes.iterdir(), reverse=True):
        other.ingest(path, patient="p1")
    plainly = [(text, rank, score, parts) for text, rank, score, _, parts in expected]
    assert [(f.text, f.rank, f.score, dict(f.parts)) for f in other.search(QUERY, patient="p1")] == plainly
    one.ingest(write(tmp_path / "n", "p2", range(1, 9), seed=8), patient="p2")
    assert shown(one.search(QUERY, patient="p1")) == expected


def test_from_a_pack_the_same(open_book: OpenBook, tmp_path: Path, model: Path) -> None:
    book = open_book("s", model)
    book.ingest(write(tmp_path / "n", "p1", range(1, 20)), patient="p1")
    rows = [shown(book.search(QUERY, patient="p1", as_of=day)) for day in ("2021-01-09", "2021-01-31")]
    assert book.store.pack(Scope.patient("p1"), book.engines.recipe, least=1)
    packed = open_book("s", model)
    with packed.store.read(Scope.patient("p1")) as reader:
        assert reader.is_packed(packed.engines.recipe)
    assert [shown(packed.search(QUERY, patient="p1", as_of=day)) for day in ("2021-01-09", "2021-01-31")] == rows
    assert open_book("s", None).search(QUERY, patient="p1")
    assert packed.store.check() == []


def test_as_of_is_the_record_of_that_day(open_book: OpenBook, tmp_path: Path, model: Path) -> None:
    whole, early = open_book("a", model, method="sparse"), open_book("b", model, method="sparse")
    early.ingest(write(tmp_path / "n", "p1", range(1, 8)), patient="p1")
    write(tmp_path / "later", "p1", range(8, 20), seed=9)
    whole.ingest(tmp_path / "n" / "p1", patient="p1")
    whole.ingest(tmp_path / "later" / "p1", patient="p1")
    expected = shown(early.search(QUERY, patient="p1"))
    assert shown(whole.search(QUERY, patient="p1", as_of="2021-01-07")) == expected
    assert shown(whole.search(QUERY, patient="p1")) != expected


def test_no_trace_of_a_deleted_patient(open_book: OpenBook, tmp_path: Path, model: Path) -> None:
    book = open_book("s", model)
    book.ingest(write(tmp_path / "n", "p1", range(1, 20)), patient="p1")
    words = [name for (name,) in book.store._connection.execute("SELECT term FROM terms WHERE term LIKE ' %'")]
    blobs = [bytes(row[0]) for row in book.store._connection.execute("SELECT counts FROM postings")]

    def raw() -> bytes:
        return b"".join(path.read_bytes() for path in sorted((tmp_path / "s").iterdir()) if path.is_file())

    traces = [*[word.encode() for word in words], *[blob for blob in blobs if len(blob) > 8]]
    assert len(words) > 5
    assert all(trace in raw() for trace in traces)
    book.delete(patient="p1")
    assert not any(trace in raw() for trace in traces)
    counts = book.store.counts()
    assert counts["postings"] == counts["texts"] == 0


def test_an_updated_note_leaves_no_expansion_behind(open_book: OpenBook, tmp_path: Path, model: Path) -> None:
    book, fresh = open_book("a", model), open_book("b", model)
    notes = write(tmp_path / "n", "p1", range(1, 4))
    book.ingest(notes, patient="p1")
    (notes / "2021-01-02_note.txt").write_text("PLAN\nknee .\n")
    for one in (book, fresh):
        one.ingest(notes, patient="p1")
    assert expansions(book) == expansions(fresh)
    terms = [sorted(one.store._connection.execute("SELECT term FROM terms")) for one in (book, fresh)]
    assert terms[0] == terms[1]


def test_a_large_partition_refuses(open_book: OpenBook, tmp_path: Path, model: Path) -> None:
    book = open_book("s", model, large_passages=0)
    book.ingest(write(tmp_path / "n", "p1", range(1, 15)), patient="p1")
    with pytest.raises(StoreMismatch, match="too large") as said:
        book.search(QUERY, patient="p1")
    assert "large_passages" in said.value.advice
    assert open_book("s", None, large_passages=0).search(QUERY, patient="p1")


def test_cut_texts_and_weights_too_large_are_in_the_ledger(open_book: OpenBook, tmp_path: Path) -> None:
    notes = write(tmp_path / "n", "p1", range(1, 4))
    short = open_book("a", make(tmp_path / "short", '{"max_tokens": 5}'))
    assert short.ingest(notes, patient="p1").cut == 3
    wild = open_book("b", make(tmp_path / "wild", logits=np.abs(LOGITS) * 1e9))
    ledger = wild.ingest(notes, patient="p1")
    assert ledger.total("failed") == 3
    assert {line.kind for source in ledger.sources for line in source.problems} == {"ModelRefused"}
    assert wild.store.counts()["texts"] == 0
