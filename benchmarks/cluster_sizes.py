"""How many bytes a passage takes in SQLite, in PostgreSQL and on OpenSearch: one store of each, of the same notes.

Usage: python benchmarks/cluster_sizes.py NOTES.jsonl [--limit N] [--json OUT]

Starts PostgreSQL and a three-node OpenSearch on loopback (as `make test-cluster` does). No replicas; tables rewritten,
the index after a merge. Sizes count indexes and what PostgreSQL puts aside (TOAST).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import uuid
from itertools import islice
from pathlib import Path
from typing import Any

import psycopg
from opensearchpy import OpenSearch

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.cluster.servers.opensearch import Loopback
from tests.cluster.servers.postgres import Postgres

from chartcite.library.book import Book
from chartcite.library.settings import Settings
from cluster_ray import sizes


def in_postgres(server: Postgres, name: str) -> dict[str, int]:
    """Bytes by table, largest first."""
    url = f"postgresql://chartcite@127.0.0.1:{server.port}/{name}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM FULL")
        found = connection.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r'"
            " AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'chartcite') ORDER BY 2 DESC"
        ).fetchall()
    return {str(table): int(size) for table, size in found}


def on_opensearch(cluster: Loopback, prefix: str) -> dict[str, int]:
    """Documents and bytes of the passages' index."""
    client = OpenSearch(cluster.urls[0])
    client.indices.forcemerge(index=f"{prefix}-passages-*", max_num_segments=1)
    stats: dict[str, Any] = client.indices.stats(index=f"{prefix}-passages-*")["_all"]["primaries"]
    return {"documents": stats["docs"]["count"], "bytes": stats["store"]["size_in_bytes"]}


def main() -> None:
    """Read the arguments, run, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    name = f"b{uuid.uuid4().hex[:12]}"
    with tempfile.TemporaryDirectory() as folder, Postgres() as server, Loopback() as cluster:
        place = Path(folder)
        notes = place / "notes.jsonl"
        with given.notes.open(encoding="utf-8") as file:
            notes.write_text("".join(islice(file, given.limit or None)), "utf-8")
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {name} LOGIN")  # type: ignore[arg-type, unused-ignore]
            connection.execute(f"CREATE DATABASE {name} OWNER {name}")  # type: ignore[arg-type, unused-ignore]
        shared = place / "shared"
        shared.mkdir()
        address = f"postgresql://{name}@127.0.0.1:{server.port}/{name}"
        (shared / "postgres.toml").write_text(f'url = "{address}"\n', "utf-8")
        far = Settings(index="opensearch", opensearch_url=",".join(cluster.urls), opensearch_prefix=name,
                       opensearch_replicas=0)  # fmt: skip
        with Book(place / "near") as near:
            ledger = near.ingest(notes)
            distinct = sum(p.documents for p in near.store.partitions())
        with Book(shared, far) as book:
            book.ingest(notes)
        result = {
            "documents": distinct, "passages": ledger.passages, "distinct_passages": ledger.encoded,
            "chars": sum(len(json.loads(line)["text"]) for line in notes.open(encoding="utf-8")),
            "sqlite": sizes(place / "near"), "postgres": in_postgres(server, name),
            "opensearch": on_opensearch(cluster, name),
        }  # fmt: skip
    print(json.dumps(result, indent=2))
    if given.json:
        given.json.write_text(json.dumps(result, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
