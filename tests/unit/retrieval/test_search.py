"""Search on a real partition: lists, fusion, rerank, masks; the same bytes whatever the order of ingest."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from chartcite.core.neural import Reranker
from chartcite.core.retrieval import Hit, SearchSettings
from chartcite.core.scope import Scope
from chartcite.index.lexical import Bm25
from chartcite.index.partition import PartitionIndex
from chartcite.retrieval.fusion import convex_combination, reciprocal_rank_fusion
from chartcite.retrieval.method import Method
from chartcite.retrieval.methods import dense, full_context, hierarchical, hybrid, lexical, neighbours
from chartcite.retrieval.probe import Probe
from chartcite.retrieval.search import search
from chartcite.retrieval.synonyms import query_terms

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder, MakeNote, OpenShelf, Shelf

    from chartcite.core.documents import Document

METHODS = {
    "lexical": Method(lexical.rank),
    "dense": Method(dense.rank),
    "hybrid": Method(hybrid.rank),
    "neighbours": Method(neighbours.rank, neighbours.expand),
    "hierarchical": Method(hierarchical.rank, hierarchical.expand),
    "full_context": Method(full_context.rank, full_context.expand),
}
FIRST_STAGES = ["lexical", "dense", "hybrid"]
DRUGS = ["warfarin", "metformin", "lisinopril", "apixaban", "insulin", "aspirin"]


class WordReranker:
    """Counts the query's words: a cross-encoder one can compute by hand."""

    name = "words"
    fingerprint = "1"

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        return [float(sum(text.lower().count(word) for word in query.lower().split())) - 3 for text in texts]


def reranker() -> Reranker:
    return WordReranker()


def record(make_note: MakeNote) -> list[Document]:
    rng = random.Random(11)
    made = []
    for n in range(40):
        lines = [f"{rng.choice(DRUGS)} {rng.randrange(1, 9)} mg, seen {rng.choice(DRUGS)}." for _ in range(3)]
        made.append(make_note(f"d{n}", "PLAN\n" + " ".join(lines) + "\n", f"2021-{n % 12 + 1:02d}-{n % 28 + 1:02d}"))
    return made


def terms_of(shelf: Shelf, synonym_weight: float = 0.0) -> Callable[[str], Mapping[str, float]]:
    return lambda query: query_terms(query, shelf.kitchen.analyse, synonym_weight)


def unheard(name: str, count: int) -> None:
    """No budget was set, so nothing may be left out."""
    raise AssertionError((name, count))


def run(
    shelf: Shelf,
    query: str,
    method: str = "hybrid",
    allowed: Sequence[str] | None = None,
    as_of: str = "",
    told: Callable[[str, int], None] | None = None,
    synonym_weight: float = 0.0,
    **how: Any,
) -> list[Hit]:
    with shelf.store.read(Scope.patient("p1"), as_of) as reader:
        index = PartitionIndex.build(reader, shelf.recipe, Bm25())
        mask = None
        if allowed is not None:
            mask = index.of_documents([d.key for d in reader.documents() if d.doc_id in allowed])
        probe = Probe(query, index, reader, shelf.kitchen.encoder, terms_of(shelf, synonym_weight), mask)

        def text_of(passage: int) -> str:
            document, start, end = index.places(passage)[0]
            return reader.document(document).text[start:end]

        return search(probe, METHODS[method], SearchSettings(method=method, **how), reranker, text_of, told or unheard)


def shown(shelf: Shelf, hits: Sequence[Hit]) -> list[tuple[object, ...]]:
    """Hits without the store's own document numbers, floats to the last bit."""
    names = dict(shelf.rows("SELECT id, doc_id FROM documents"))
    return [
        (
            h.passage, h.rank, h.score.hex(), [(names[p.document], p.start, p.end) for p in h.places],
            {name: (rank, float(score).hex()) for name, (rank, score) in h.parts.items()},
        )
        for h in hits
    ]  # fmt: skip


@pytest.mark.parametrize("rerank", ["none", "fused", "cross"])
@pytest.mark.parametrize("method", METHODS)
def test_the_order_of_ingest_changes_no_byte(
    method: str, rerank: str, open_shelf: OpenShelf, make_note: MakeNote
) -> None:
    documents = record(make_note)
    results = []
    for seed in range(3):
        shelf = open_shelf(f"store-{seed}")
        shuffled = random.Random(seed).sample(documents, len(documents)) if seed else documents
        shelf.put("p0", *shuffled[:5])
        shelf.put("p1", *shuffled)
        for query in ("warfarin 5 mg seen metformin lisinopril 3 aspirin", "insulin dose"):
            hits = run(shelf, query, method, rerank=rerank)
            assert shown(shelf, hits) == shown(shelf, run(shelf, query, method, rerank=rerank))
            results.append((query, repr(shown(shelf, hits))))
    assert len(set(results)) == 2


@pytest.mark.parametrize("method", METHODS)
def test_adding_another_patient_changes_no_byte(method: str, shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", *record(make_note))
    before = shown(shelf, run(shelf, "warfarin seen 5 mg", method))
    shelf.put("p2", *(make_note(f"d{n}", "Warfarin seen. " * n) for n in range(1, 20)))
    assert shown(shelf, run(shelf, "warfarin seen 5 mg", method)) == before


def test_hits_keep_rank_and_score_in_every_list(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", *record(make_note))
    lists = {}
    for method in ("lexical", "dense"):
        hits = run(shelf, "warfarin 5 mg", method, rerank="none", top_k=100)
        assert [h.rank for h in hits] == list(range(1, len(hits) + 1))
        assert all(h.parts == {method: (h.rank, h.score)} for h in hits)
        assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)
        lists[method] = [h.passage for h in hits]
    fused = run(shelf, "warfarin 5 mg", "hybrid", rerank="none", top_k=100, fusion="rrf", rrf_k=60)
    expected = reciprocal_rank_fusion([lists["lexical"], lists["dense"]], 60)
    assert [(h.passage, h.score) for h in fused] == expected
    for hit in fused:
        assert hit.score == pytest.approx(sum(1 / (60 + rank) for rank, _ in hit.parts.values()))
    late = run(shelf, "warfarin 5 mg", "hybrid", rerank="fused", top_k=100, fusion="rrf")
    for hit in late:
        weights = {"late": 2.0, "first_stage": 0.0}
        total = sum(weights.get(name, 1.0) / (60 + rank) for name, (rank, _) in hit.parts.items())
        assert hit.score == pytest.approx(total)
    ranks = sorted(h.parts["late"] for h in late if "late" in h.parts)
    assert [r for r, _ in ranks] == list(range(1, len(ranks) + 1))
    assert [s for _, s in ranks] == sorted((s for _, s in ranks), reverse=True)


def test_convex_fusion_adds_scaled_scores(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", *record(make_note))
    lists = {
        method: [(h.passage, h.score) for h in run(shelf, "warfarin 5 mg", method, rerank="none", top_k=100)]
        for method in ("lexical", "dense")
    }
    fused = run(shelf, "warfarin 5 mg", "hybrid", rerank="none", top_k=100, weights={"dense": 3.0})
    assert [(h.passage, h.score) for h in fused] == convex_combination(list(lists.values()), [1.0, 3.0])[: len(fused)]
    assert all(0 <= h.score <= 1 for h in fused)


@pytest.mark.parametrize("rerank", ["fused", "cross"])
def test_the_place_before_reranking_is_kept(rerank: str, shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", *record(make_note))
    before = run(shelf, "warfarin 5 mg", "hybrid", rerank="none", top_k=10)
    after = run(shelf, "warfarin 5 mg", "hybrid", rerank=rerank, top_k=100)
    places = {h.passage: h.parts["first_stage"] for h in after}
    assert [places[h.passage] for h in before] == [(h.rank, h.score) for h in before]
    assert all("first_stage" not in h.parts for h in before)


def test_a_passage_without_a_word_of_the_query_is_not_in_the_lexical_list(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("a", "Warfarin."), make_note("b", "Knee pain."), make_note("c", "Warfarin again."))
    hits = run(shelf, "warfarin", "lexical", rerank="none")
    assert [h.passage for h in hits] == [0, 2]
    for hit in run(shelf, "warfarin", "hybrid", rerank="none"):
        assert all(score > 0 for _, score in hit.parts.values())
    assert run(shelf, "zzz qqq", "lexical", rerank="none") == []
    assert run(shelf, "zzz qqq", "lexical", rerank="fused") == []
    assert run(shelf, "the of", "lexical") == []


def test_equal_scores_in_the_order_of_the_record(shelf: Shelf, make_note: MakeNote) -> None:
    notes = [make_note(f"d{n}", f"Warfarin {word}.", f"20{30 - n}-01-01") for n, word in enumerate(("a1", "b2", "c3"))]
    shelf.put("p1", *notes)
    hits = run(shelf, "warfarin", "lexical", rerank="none")
    assert len({h.score for h in hits}) == 1
    names = dict(shelf.rows("SELECT id, doc_id FROM documents"))
    assert [names[h.places[0].document] for h in hits] == ["d2", "d1", "d0"]


@pytest.mark.parametrize("rerank", ["none", "fused", "cross"])
@pytest.mark.parametrize("method", METHODS)
def test_a_mask_keeps_the_search_inside_and_the_statistics_whole(
    method: str, rerank: str, shelf: Shelf, make_note: MakeNote
) -> None:
    documents = record(make_note)
    shelf.put("p1", *documents)
    inside = {d.doc_id for d in documents[10:20]}
    names = dict(shelf.rows("SELECT id, doc_id FROM documents"))
    free = run(shelf, "warfarin 5 mg seen", method, top_k=100, rerank="none")
    kept = run(shelf, "warfarin 5 mg seen", method, allowed=sorted(inside), top_k=100, rerank=rerank)
    assert kept
    assert all(names[h.places[0].document] in inside for h in kept)
    assert run(shelf, "warfarin", method, allowed=[], rerank=rerank) == []
    if method in ("lexical", "dense"):
        scores = {h.passage: h.score for h in free}
        assert all(h.parts[method][1] == scores[h.passage] for h in kept)
        assert len(kept) == len([h for h in free if names[h.places[0].document] in inside])


def test_depth_and_cross(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", *record(make_note))
    hits = run(shelf, "warfarin mg", "lexical", rerank="cross", rerank_depth=4, top_k=8)
    assert len(hits) == 8
    assert [("cross" in h.parts) for h in hits] == [True] * 4 + [False] * 4
    assert len({h.passage for h in hits}) == 8
    assert [h.rank for h in hits] == list(range(1, 9))
    assert len(run(shelf, "warfarin mg", "hybrid", top_k=1)) == 1
    assert len(run(shelf, "warfarin mg", "hybrid", top_k=1000)) <= 40


def test_an_encoder_without_token_vectors(
    open_shelf: OpenShelf, fake_encoder: FakeEncoder, make_note: MakeNote
) -> None:
    fake_encoder.token_dims = 0
    shelf = open_shelf()
    shelf.put("p1", *record(make_note))
    plain = run(shelf, "warfarin mg", "hybrid", rerank="none")
    fused = run(shelf, "warfarin mg", "hybrid", rerank="fused")
    assert [(h.passage, h.score) for h in plain] == [(h.passage, h.score) for h in fused]
    assert all("late" not in h.parts for h in fused)
    for method in ("lexical", "dense"):
        one, two = (run(shelf, "warfarin mg", method, rerank=r) for r in ("none", "fused"))
        assert [h.passage for h in one] == [h.passage for h in two]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rerank", ["none", "fused", "cross"])
def test_a_record_of_one_note_and_of_none(method: str, rerank: str, shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("a", "Warfarin 5 mg.", "2021"))
    assert [h.rank for h in run(shelf, "warfarin 5 mg", method, rerank=rerank)] == [1]
    assert run(shelf, "warfarin 5 mg", method, rerank=rerank, as_of="2020~") == []


def test_what_the_record_has_is_judged_as_of_the_day(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("a", "Smoked for years.", "2021"), make_note("b", "Warfarin.", "2022"))
    shelf.put("p1", make_note("c", "Aspirin.", "2020"))
    shelf.put("p1", make_note("c", "Ibuprofen.", "2020"))
    expected = {"": (True, True, False, True), "2021~": (True, False, False, True)}
    for as_of, has in expected.items():
        with shelf.store.read(Scope.patient("p1"), as_of) as reader:
            index = PartitionIndex.build(reader, shelf.recipe, Bm25())
            probe = Probe("q", index, reader, shelf.kitchen.encoder, terms_of(shelf))
            assert tuple(probe.has_akin(t) for t in ("smoker", "warfarin", "aspirin", "ibuprofen")) == has


def test_a_narrowed_probe_encodes_nothing_again(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("a", "Warfarin."), make_note("b", "Warfarin too."))
    with shelf.store.read(Scope.patient("p1")) as reader:
        index = PartitionIndex.build(reader, shelf.recipe, Bm25())
        probe = Probe("warfarin", index, reader, shelf.kitchen.encoder, terms_of(shelf))
        narrow = probe.restricted(np.array([True, False]))
        assert narrow.encoded is probe.encoded
        assert [s.passage for s in narrow.lexical_best(5)] == [0]
        assert sorted(s.passage for s in probe.lexical_best(5)) == [0, 1]
        assert [s.passage for s in narrow.dense_best(5)] == [0]
