"""The index on OpenSearch 3, where a Java that is new enough for it is there."""

from __future__ import annotations

import re
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.cluster.servers.opensearch import Loopback, NotToBeHad
from tests.cluster.test_opensearch_index import P, agree
from tests.unit.index.test_large import C, notes

from chartcite.index.opensearch.cluster import Cluster
from chartcite.index.opensearch.connection import Address

if TYPE_CHECKING:
    from tests.conftest import MakeNote, Shelf

    from chartcite.core.scope import Scope

pytestmark = pytest.mark.cluster
RUNNER, LEAST_JAVA = "3.3.2.0", 21


def java() -> str:
    """A Java of version 21 or later; empty where there is none."""
    for path in sorted(Path("/usr/lib/jvm").glob("*/bin/java"), reverse=True):
        said = subprocess.run([path, "-version"], capture_output=True, text=True, check=False).stderr
        if (found := re.search(r'version "(\d+)', said)) and int(found[1]) >= LEAST_JAVA:
            return str(path)
    return ""


@pytest.fixture(scope="module")
def three() -> Iterator[Loopback]:
    """One node: how three act together is tested on the other version."""
    if not java():
        pytest.skip(f"no Java {LEAST_JAVA} or later for OpenSearch 3")
    try:
        made = Loopback(nodes=1, java=java(), runner=RUNNER)
    except NotToBeHad as error:
        pytest.skip(f"no OpenSearch 3: {error}")
    with made:
        yield made


@pytest.fixture
def cluster(three: Loopback) -> Iterator[Cluster]:
    made = Cluster(Address(tuple(three.urls), prefix=f"t{uuid.uuid4().hex[:12]}", replicas=0))
    yield made
    made.remove()
    made.close()


@pytest.mark.parametrize("scope", [C, P], ids=["collection", "patient"])
def test_version_3_gives_what_exact_arrays_give(
    scope: Scope, shelf: Shelf, cluster: Cluster, make_note: MakeNote
) -> None:
    assert cluster.version() >= (3,)
    shelf.put(scope, *notes(make_note, 60))
    agree(shelf, cluster, scope)
    shelf.put(scope, *notes(make_note, 15, seed=2, prefix="later"), make_note("d1", "Changed."))
    agree(shelf, cluster, scope)
    agree(shelf, cluster, scope, "2020-06~")
