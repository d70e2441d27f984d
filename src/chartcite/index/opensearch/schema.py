"""Names and mappings of the indexes: one of passages a recipe, one that says of which state a partition is held.

A passage is kept as numbers: those that the store gave to the partition's terms, and its vector. No word of a note is
in the cluster. `_id`s are made of what a passage is, so that a request repeated after a lost answer changes nothing.
"""

from __future__ import annotations

import hashlib

from chartcite.core.errors import EndpointFailed
from chartcite.core.stored import Recipe
from chartcite.index.opensearch.connection import Connection, Json

PASSAGES: Json = {
    "dynamic": "strict",
    "_source": {"enabled": False},
    "_routing": {"required": True},
    "properties": {
        "owner": {"type": "keyword", "norms": False},
        "text": {"type": "long"},
        "digest": {"type": "long", "index": False},
        "since": {"type": "long"},
        "length": {"type": "integer", "index": False},
        "terms": {"type": "text", "analyzer": "whitespace", "norms": False, "index_options": "freqs"},
        "vector": {"type": "binary", "doc_values": True},
    },
}
STATES: Json = {"dynamic": "strict", "properties": {"state": {"type": "object", "enabled": False}}}


def passages_alias(connection: Connection, recipe: Recipe) -> str:
    """The name under which the passages of a recipe are searched, whichever index is behind it."""
    digest = hashlib.sha256(recipe.arrays_name.encode()).hexdigest()[:16]
    return f"{connection.address.prefix}-passages-{digest}"


def passages_pattern(connection: Connection) -> str:
    """All indexes of passages."""
    return f"{connection.address.prefix}-passages-*"


def states_index(connection: Connection) -> str:
    """The name of the index of states."""
    return f"{connection.address.prefix}-states"


def make(connection: Connection, recipe: Recipe) -> str:
    """See that the indexes are there; returns the passages' alias.

    Raises:
        EndpointFailed: the server is too old, or refuses.
    """
    alias = passages_alias(connection, recipe)
    if connection.find(f"/_alias/{alias}") is None:
        connection.version()
        _create(connection, states_index(connection), STATES, shards=1)
        _create(connection, f"{alias}-1", PASSAGES, alias=alias)
    return alias


def _create(connection: Connection, name: str, mappings: Json, shards: int = 0, alias: str = "") -> None:
    """Make an index unless another process just did."""
    address = connection.address
    body: Json = {
        "settings": {
            "number_of_shards": shards or address.shards, "number_of_replicas": address.replicas,
            "refresh_interval": "-1", "codec": "best_compression", "max_result_window": 10_000,
        },
        "mappings": mappings,
    }  # fmt: skip
    if alias:
        body["aliases"] = {alias: {}}
    try:
        # With its copies, so that a node that is lost the next moment takes nothing with it.
        connection.ask("PUT", f"/{name}", body, {"wait_for_active_shards": "all"})
    except EndpointFailed:
        if connection.find(f"/{name}") is None:
            raise
