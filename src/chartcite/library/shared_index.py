"""The index that several machines share, where the settings name one."""

from __future__ import annotations

from chartcite.core.errors import NotConfigured
from chartcite.index.port import SharedIndex
from chartcite.library.registry import find
from chartcite.library.settings import Settings


def shared_index(settings: Settings) -> SharedIndex | None:
    """The engine by the settings; nothing is asked of it yet. None where arrays of the store are searched.

    Raises:
        NotConfigured: its address is missing or none.
        MissingExtra: its library is not installed.
    """
    s = settings
    if s.index == "embedded":
        return None
    if not s.opensearch_url:
        raise NotConfigured("index = opensearch needs an address.", "Set opensearch_url; see docs/cluster.md.")
    shared: SharedIndex = find("index", s.index).load(
        s.opensearch_url, s.opensearch_user, s.opensearch_password.get_secret_value(), s.opensearch_ca,
        s.opensearch_prefix, s.opensearch_shards, s.opensearch_replicas,
    )  # fmt: skip
    return shared
