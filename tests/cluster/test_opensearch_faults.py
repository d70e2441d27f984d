"""A node is killed while passages are sent or searched: nothing lost, right answers or a named error."""

from __future__ import annotations

import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.cluster.servers.opensearch import Loopback, NotToBeHad
from tests.unit.index.test_large import C, notes

from chartcite.core.errors import ChartciteError, EndpointFailed, NotConfigured, StoreLocked
from chartcite.core.scope import Scope
from chartcite.index.lexical import Bm25
from chartcite.index.opensearch.cluster import Cluster
from chartcite.index.opensearch.connection import Address
from chartcite.index.partition import PartitionIndex

if TYPE_CHECKING:
    from tests.conftest import MakeNote, OpenShelf, Shelf

pytestmark = pytest.mark.cluster
P = Scope.patient("p")


@pytest.fixture(scope="module")
def nodes() -> Iterator[Loopback]:
    """Three of this file's own, since it kills them."""
    try:
        made = Loopback()
    except NotToBeHad as error:
        pytest.skip(f"no OpenSearch: {error}")
    with made:
        yield made


@pytest.fixture
def cluster(nodes: Loopback) -> Iterator[Cluster]:
    made = Cluster(Address(tuple(nodes.urls), prefix=f"t{uuid.uuid4().hex[:12]}", timeout_s=10))
    yield made
    made.remove()
    made.close()


def rankings(shelf: Shelf, cluster: Cluster, scope: Scope) -> tuple[list[object], list[object]]:
    """What the cluster and the arrays find."""
    with shelf.store.read(scope) as reader:
        exact = PartitionIndex.build(reader, shelf.recipe, Bm25())
        there = cluster.open(reader, shelf.recipe, Bm25())
        found: tuple[list[object], list[object]] = ([], [])
        for index, said in ((there, found[0]), (exact, found[1])):
            for query in ("warfarin dose", "no chest pain", "knee"):
                terms = Counter(shelf.kitchen.analyse(query))
                said.append([(s.passage, s.score.hex()) for s in index.lexical_best(reader, terms, 20)])
                encoded = shelf.kitchen.encoder.encode_query(query)
                said.append([s.passage for s in index.dense_best(reader, encoded, 20)])
    return found


def killed_later(nodes: Loopback, which: int, seconds: float) -> threading.Thread:
    def kill() -> None:
        time.sleep(seconds)
        nodes.nodes[which].kill()

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_node_killed_while_passages_are_sent(
    which: int, nodes: Loopback, shelf: Shelf, cluster: Cluster, make_note: MakeNote
) -> None:
    shelf.put(C, *notes(make_note, 400))
    shelf.store.secret(C)
    with shelf.store.read(C) as reader:
        thread = killed_later(nodes, which, 0.4)
        try:
            cluster.refresh(reader, shelf.recipe)
        except (EndpointFailed, StoreLocked):
            pass  # named; the same command goes on where it was
        finally:
            thread.join()
    try:
        found, expected = rankings(shelf, cluster, C)  # two nodes hold all shards, unless it was killed too early
        assert found == expected
    except EndpointFailed:
        pass
    finally:
        nodes.start(nodes.nodes[which])
        nodes.wait(3)
    found, expected = rankings(shelf, cluster, C)
    assert found == expected


def test_a_node_killed_under_queries(nodes: Loopback, shelf: Shelf, cluster: Cluster, make_note: MakeNote) -> None:
    shelf.put(C, *notes(make_note, 200))
    shelf.store.secret(C)
    _, expected = rankings(shelf, cluster, C)
    thread = killed_later(nodes, 1, 1.0)
    right, named, last = 0, 0, time.monotonic() + 20
    try:
        while time.monotonic() < last:
            try:
                found, _ = rankings(shelf, cluster, C)
                assert found == expected
                right += 1
            except (EndpointFailed, StoreLocked):
                named += 1
    finally:
        thread.join()
        nodes.start(nodes.nodes[1])
        nodes.wait(3)
    assert right > 3
    assert right > named
    assert rankings(shelf, cluster, C)[0] == expected


def test_two_processes_bring_the_same_partition(
    nodes: Loopback, open_shelf: OpenShelf, cluster: Cluster, make_note: MakeNote
) -> None:
    one, other = open_shelf(), open_shelf()
    one.put(P, *notes(make_note, 100))
    one.store.secret(P)
    second = Cluster(cluster._connection.address)
    problems: list[ChartciteError] = []

    def bring(shelf: Shelf, where: Cluster) -> None:
        try:
            with shelf.store.read(P) as reader:
                where.refresh(reader, shelf.recipe)
        except ChartciteError as error:
            problems.append(error)

    threads = [threading.Thread(target=bring, args=pair) for pair in ((one, cluster), (other, second))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    second.close()
    assert problems == []
    found, expected = rankings(one, cluster, P)
    assert found == expected


def test_a_reader_that_is_overtaken_is_right_or_says_so(
    nodes: Loopback, open_shelf: OpenShelf, cluster: Cluster, make_note: MakeNote
) -> None:
    """Another process adds, then removes, while a reader holds its snapshot."""
    one, other = open_shelf(), open_shelf()
    documents = notes(make_note, 30)
    one.put(P, *documents)
    one.store.secret(P)
    with one.store.read(P) as reader:
        exact = PartitionIndex.build(reader, one.recipe, Bm25())
        there = cluster.open(reader, one.recipe, Bm25())
        terms = Counter(one.kitchen.analyse("warfarin dose"))
        other.put(P, *notes(make_note, 5, seed=3, prefix="later"))
        with other.store.read(P) as later:
            cluster.refresh(later, other.recipe)
        assert there.lexical_best(reader, terms, 10) == exact.lexical_best(reader, terms, 10)  # added: hidden from it
        other.put(P, make_note(documents[0].doc_id, "Replaced."))
        with other.store.read(P) as later:
            cluster.refresh(later, other.recipe)
        with pytest.raises(StoreLocked):
            there.lexical_best(reader, terms, 10)
    found, expected = rankings(one, cluster, P)
    assert found == expected


def test_addresses_that_cannot_be_used() -> None:
    for url in (
        "ftp://127.0.0.1",
        "https://user:secret@127.0.0.1:9200",
        "http://10.0.0.1:9200",
        "http://127.example:9200",
    ):
        with pytest.raises(NotConfigured) as said:
            Cluster(Address((url,)))
        assert "secret" not in str(said.value)
    gone = Cluster(Address(("http://127.0.0.1:9",), timeout_s=1))
    with pytest.raises(EndpointFailed) as unreachable:
        gone.count()
    assert unreachable.value.exit_code == 5
    gone.close()
