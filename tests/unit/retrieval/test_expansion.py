"""What methods take in around their hits: whole notes, neighbours, the whole record; budgets and masks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.retrieval.test_search import record, run, terms_of

from chartcite.core.retrieval import Hit, Place
from chartcite.core.scope import Scope
from chartcite.index.lexical import Bm25
from chartcite.index.partition import PartitionIndex
from chartcite.retrieval.budget import Budget
from chartcite.retrieval.methods.hierarchical import votes
from chartcite.retrieval.order import in_time_order
from chartcite.retrieval.probe import Probe

if TYPE_CHECKING:
    from tests.conftest import MakeNote, Shelf


def stay(make_note: MakeNote) -> list[Any]:
    """Five notes of three sections each; a copied paragraph in the first four."""
    copied = "HISTORY\nAsthma since childhood. Warfarin for atrial fibrillation.\n\n"
    own = ["Warfarin was stopped after a bleed.", "Knee pain.", "Cough.", "Itch.", "Warfarin and vitamin K were given."]
    return [
        make_note(f"n{n}", f"{copied * (n < 4)}PLAN\n{text}\n\nSOCIAL HISTORY\nHouse {n}.\n", f"2020-0{n + 1}-01")
        for n, text in enumerate(own)
    ]


def names(shelf: Shelf) -> dict[int, str]:
    return dict(shelf.rows("SELECT id, doc_id FROM documents"))


def passages_of(shelf: Shelf, doc_id: str) -> list[int]:
    key = next(key for key, name in names(shelf).items() if name == doc_id)
    with shelf.store.read(Scope.patient("p1")) as reader:
        return PartitionIndex.build(reader, shelf.recipe, Bm25()).of_document(key)


def all_passages(shelf: Shelf) -> list[int]:
    with shelf.store.read(Scope.patient("p1")) as reader:
        index = PartitionIndex.build(reader, shelf.recipe, Bm25())
        return list(dict.fromkeys(p for d in index.documents for p in index.of_document(d.key)))


def numbers(hits: list[Hit]) -> list[int]:
    return [hit.passage for hit in hits]


def test_parents_go_in_whole_and_in_order_of_their_votes(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", *stay(make_note))
    hits = run(shelf, "warfarin stopped bleed", "hierarchical", parents=2, top_k=4)
    taken = [h for h in hits if h.parts["parent"][0] == 1]
    assert numbers(taken) == passages_of(shelf, "n0")
    assert [h.rank for h in hits] == list(range(1, len(hits) + 1))
    assert [h.parts["parent"][0] for h in hits] == sorted(h.parts["parent"][0] for h in hits)
    assert len({h.passage for h in hits}) == len(hits)
    assert {h.parts["parent"][0] for h in hits} == {1, 2}


@pytest.mark.parametrize("parents", [1, 3, 5, 7])
def test_no_more_parents_than_asked_for(parents: int, shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", *record(make_note))
    hits = run(shelf, "warfarin 5 mg seen", "hierarchical", parents=parents)
    assert len({h.parts["parent"] for h in hits}) == parents


def test_a_copied_text_does_not_decide_which_note_goes_in(shelf: Shelf, make_note: MakeNote) -> None:
    """The copied paragraph is the best hit, but stands in four notes; the second best stands in one."""
    shelf.put("p1", *stay(make_note))
    with shelf.store.read(Scope.patient("p1")) as reader:
        index = PartitionIndex.build(reader, shelf.recipe, Bm25())
        probe = Probe("q", index, reader, shelf.kitchen.encoder, terms_of(shelf))
        copied = next(p for p in range(index.size) if len(index.places(p)) == 4)
        own = next(p for p in range(index.size) if names(shelf)[index.places(p)[0][0]] == "n4")
        hits = [
            Hit(p, rank, 1.0, tuple(Place(*place) for place in index.places(p)))
            for rank, p in enumerate((copied, own), start=1)
        ]
        shares = {names(shelf)[document]: vote for document, vote in votes(hits, probe)}
    assert shares == {"n4": 0.5, "n0": 0.25, "n1": 0.25, "n2": 0.25, "n3": 0.25}
    assert list(shares) == ["n4", "n0", "n1", "n2", "n3"]


def test_neighbours_stand_around_their_hit(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", *stay(make_note))
    hits = run(shelf, "knee pain", "neighbours", top_k=1, rerank="none", neighbours=1)
    assert numbers(hits) == passages_of(shelf, "n1")
    assert [("neighbour" in h.parts) for h in hits] == [True, False, True]
    assert hits[0].parts["neighbour"] == (1, hits[1].score)
    assert hits[0].score == 0.0
    assert numbers(run(shelf, "knee pain", "neighbours", top_k=3, neighbours=0)) == numbers(
        run(shelf, "knee pain", "hybrid", top_k=3)
    )


def test_the_whole_record_in_time_order(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", *reversed(stay(make_note)))
    hits = run(shelf, "warfarin", "full_context", top_k=1)
    assert sorted(numbers(hits)) == sorted(all_passages(shelf))
    dates = {f"n{n}": n for n in range(5)}
    own = [dates[names(shelf)[h.places[0].document]] for h in hits if len(h.places) == 1]
    assert own == sorted(own)
    assert sum(1 for h in hits if h.score > 0) == 1


def test_a_budget_is_kept_and_what_it_costs_is_told(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", *stay(make_note))
    for method in ("full_context", "hierarchical", "neighbours"):
        whole = run(shelf, "warfarin", method, parents=9, top_k=9)
        told: dict[str, int] = {}
        some = run(shelf, "warfarin", method, parents=9, top_k=9, max_tokens=30, told=told.__setitem__)
        assert 0 < len(some) < len(whole), method
        assert told["over_token_budget"] >= len(whole) - len(some) > 0, method
        assert set(numbers(some)) <= set(numbers(whole))
    newest = run(shelf, "warfarin", "full_context", max_tokens=30, told=told.__setitem__)
    assert "n4" in {names(shelf)[h.places[0].document] for h in newest}
    none = run(shelf, "warfarin", "full_context", max_tokens=1, told=told.__setitem__)
    assert none == []
    assert told["over_token_budget"] == len(all_passages(shelf))


@pytest.mark.parametrize("method", ["full_context", "hierarchical", "neighbours"])
def test_nothing_is_taken_in_from_outside_the_mask_or_after_the_day(
    method: str, shelf: Shelf, make_note: MakeNote
) -> None:
    shelf.put("p1", *stay(make_note))
    shelf.put("p2", make_note("x", "Warfarin of somebody else.", "2020-01-01"))
    inside = {"n1", "n2"}
    allowed = run(shelf, "warfarin knee pain", method, allowed=sorted(inside))
    assert allowed
    assert all(inside & {names(shelf)[p.document] for p in h.places} for h in allowed)
    early = run(shelf, "warfarin knee pain", method, as_of="2020-02-02~")
    assert {names(shelf)[p.document] for h in early for p in h.places} == {"n0", "n1"}
    assert run(shelf, "warfarin", method, as_of="2019~") == []


def test_time_order_keeps_ranks(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("u", "Warfarin, no date."), *stay(make_note))
    hits = run(shelf, "warfarin bleed vitamin", "hybrid")
    with shelf.store.read(Scope.patient("p1")) as reader:
        documents = reader.documents()
    ordered = in_time_order(hits, documents)
    assert sorted(h.rank for h in ordered) == [h.rank for h in hits]
    assert names(shelf)[ordered[0].places[0].document] == "u"
    places = [(h.places[0].document, h.places[0].start) for h in ordered]
    position = {d.key: n for n, d in enumerate(documents)}
    assert [(position[d], s) for d, s in places] == sorted((position[d], s) for d, s in places)


@given(st.integers(1, 60), st.lists(st.sets(st.integers(0, 9), max_size=4), max_size=20))
def test_a_budget_never_takes_more_than_it_has(limit: int, groups: list[set[int]]) -> None:
    budget = Budget(limit, lambda passage: passage)
    taken = [group for group in groups if budget.takes(sorted(group))]
    assert sum(map(sum, taken)) <= limit
    assert budget.refused == len({p for group in groups for p in group} - {p for group in taken for p in group})
