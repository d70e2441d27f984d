"""The servers of `make test-cluster`: started once, real, on loopback."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.cluster.servers.opensearch import Loopback, NotToBeHad
from tests.cluster.servers.postgres import Postgres


@pytest.fixture(scope="session")
def opensearch() -> Iterator[Loopback]:
    """Three nodes."""
    try:
        cluster = Loopback()
    except NotToBeHad as error:
        pytest.skip(f"no OpenSearch: {error}")
    with cluster:
        yield cluster


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One server."""
    try:
        server = Postgres()
    except NotToBeHad as error:
        pytest.skip(f"no PostgreSQL: {error}")
    with server:
        yield server
