"""A partition on OpenSearch against the same partition in exact arrays: same passages, same scores."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.unit.index.test_large import C, lists, notes

from chartcite.core.scope import Scope
from chartcite.index.lexical import Bm25
from chartcite.index.opensearch.cluster import Cluster, owner_of
from chartcite.index.opensearch.connection import Address
from chartcite.index.partition import PartitionIndex

if TYPE_CHECKING:
    from tests.cluster.servers.opensearch import Loopback
    from tests.conftest import MakeNote, Shelf

pytestmark = pytest.mark.cluster
P = Scope.patient("p")


@pytest.fixture
def cluster(opensearch: Loopback) -> Iterator[Cluster]:
    made = Cluster(Address(tuple(opensearch.urls), prefix=f"t{uuid.uuid4().hex[:12]}"))
    yield made
    made.remove()
    made.close()


def agree(shelf: Shelf, cluster: Cluster, scope: Scope, as_of: str = "") -> None:
    shelf.store.secret(scope)
    with shelf.store.read(scope, as_of) as reader:
        exact = PartitionIndex.build(reader, shelf.recipe, Bm25())
        there = cluster.open(reader, shelf.recipe, Bm25())
        third = exact.of_documents([d.key for d in exact.documents][::3])
        assert there.of_documents([d.key for d in exact.documents][::3]).tolist() == third.tolist()
        for depth in (1, 10, 1000):
            for allowed in (None, third, ~third, np.zeros(exact.size, np.bool_)):
                mine, theirs = (lists(shelf, index, reader, depth, allowed) for index in (there, exact))
                assert mine == theirs


@pytest.mark.parametrize("as_of", ["", "2020-06~", "2009~"])
@pytest.mark.parametrize("scope", [C, P], ids=["collection", "patient"])
def test_the_cluster_gives_what_exact_arrays_give(
    scope: Scope, as_of: str, shelf: Shelf, cluster: Cluster, make_note: MakeNote
) -> None:
    shelf.put(scope, *notes(make_note, 150))
    agree(shelf, cluster, scope, as_of)


@pytest.mark.parametrize("scope", [C, P], ids=["collection", "patient"])
def test_catching_up_with_what_came_and_went(scope: Scope, shelf: Shelf, cluster: Cluster, make_note: MakeNote) -> None:
    documents = notes(make_note, 60)
    shelf.put(scope, *documents)
    agree(shelf, cluster, scope)
    shelf.put(scope, *notes(make_note, 15, seed=2, prefix="later"))
    agree(shelf, cluster, scope)
    changed = [make_note(d.doc_id, d.text + "Amended: apixaban.", str(d.time or "")) for d in documents[:5]]
    gone = [make_note(d.doc_id, "Withdrawn.", status="entered-in-error") for d in documents[5:10]]
    shelf.put(scope, *changed, *gone)
    shelf.store.writer("r").drop_unused_terms(scope)
    agree(shelf, cluster, scope)
    agree(shelf, cluster, scope, "2020-06~")


def test_what_is_there_is_not_sent_again(shelf: Shelf, cluster: Cluster, make_note: MakeNote) -> None:
    shelf.put(P, *notes(make_note, 20))
    shelf.store.secret(P)
    with shelf.store.read(P) as reader:
        first, second = cluster.refresh(reader, shelf.recipe), cluster.refresh(reader, shelf.recipe)
        assert first.sent > 0
        assert (second.sent, second.removed) == (0, 0)
    shelf.put(P, make_note("one", "One more, apixaban."))
    with shelf.store.read(P) as reader:
        assert cluster.refresh(reader, shelf.recipe).sent == 1


def test_a_partition_that_is_forgotten(shelf: Shelf, cluster: Cluster, make_note: MakeNote) -> None:
    for name in ("p", "q"):
        shelf.put(name, *notes(make_note, 10))
        agree(shelf, cluster, Scope.patient(name))
    with shelf.store.read(P) as reader:
        owner = owner_of(reader)
    before = cluster.count()
    cluster.forget(owner)
    assert cluster.count() == before // 2
    agree(shelf, cluster, Scope.patient("q"))
    agree(shelf, cluster, P)
