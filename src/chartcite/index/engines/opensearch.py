"""`index = "opensearch"`."""

from __future__ import annotations

from chartcite.index.opensearch.cluster import Cluster
from chartcite.index.opensearch.connection import Address


def load(urls: str, user: str, password: str, ca: str, prefix: str, shards: int, replicas: int) -> Cluster:
    """The cluster that the settings name; nothing is asked yet.

    Raises:
        NotConfigured: an address is missing or none.
    """
    addresses = tuple(url.strip() for url in urls.split(",") if url.strip())
    return Cluster(Address(addresses, user, password, ca, prefix, shards, replicas))
