"""The same questions on one machine's files and on a cluster: is the ranking the same, and the evidence?

    python benchmarks/cluster_agreement.py WORK [--scifact FOLDER] [--longchart FOLDER] [--claims 300] [--questions 200]

Two stores are made in WORK (kept, and used again): `alone`, a SQLite file searched in arrays, and `shared`, rows in
PostgreSQL and passages on three nodes of OpenSearch, started on loopback for the run. Both read the same sources:
SciFact's 5,183 abstracts as one collection, and the notes of a longchart folder (`chartcite lab generate longchart`).

Claims are searched (20 passages, default settings): equal lists of places, and the greatest difference of scores at one
rank. Patients' questions are asked: equal answers to the byte of their JSON, times of the run left out, and of each
answer the evidence (citations) apart.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import psycopg

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.cluster.servers.opensearch import Loopback
from tests.cluster.servers.postgres import Postgres

import scifact as beir
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

TIMES = {"seconds", "timings"}


@contextmanager
def both(work: Path) -> Iterator[tuple[Book, Book]]:
    """The two, open; the shared one is made anew with its servers."""
    engines, name = Engines(Settings()), f"b{uuid.uuid4().hex[:8]}"
    with Postgres() as postgres, Loopback() as opensearch:
        with psycopg.connect(postgres.url, autocommit=True) as connection:
            connection.execute("CREATE ROLE keeper LOGIN")
            connection.execute("CREATE DATABASE records OWNER keeper")
        shared = work / name
        shared.mkdir(parents=True)
        (shared / "postgres.toml").write_text(
            f'url = "postgresql://keeper@127.0.0.1:{postgres.port}/records"\n', "utf-8"
        )
        settings = Settings(index="opensearch", opensearch_url=",".join(opensearch.urls), opensearch_prefix=name)
        with Book(work / "alone", Settings(), engines=engines) as one, Book(shared, settings, engines=engines) as many:
            yield one, many


def claims(one: Book, many: Book, queries: Sequence[str]) -> dict[str, Any]:
    """Rank agreement on a collection."""
    same, furthest, seconds = 0, 0.0, np.zeros((len(queries), 2))
    for n, query in enumerate(queries):
        lists = []
        for which, book in enumerate((one, many)):
            start = time.perf_counter()
            lists.append(book.search(query, collection="scifact"))
            seconds[n, which] = time.perf_counter() - start
        same += [p.places for p in lists[0]] == [p.places for p in lists[1]]
        furthest = max([furthest, *(abs(a.score - b.score) for a, b in zip(*lists, strict=False))])
    p50, p95 = np.percentile(seconds, [50, 95], axis=0)
    return {
        "queries": len(queries), "same ranking": same, "greatest difference of scores": furthest,
        "p50 s": p50.tolist(), "p95 s": p95.tolist(),
    }  # fmt: skip


def questions(one: Book, many: Book, asked: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Answers on patients."""
    same, evidence, seconds = 0, 0, np.zeros((len(asked), 2))
    for n, (patient, question) in enumerate(asked):
        said = []
        for which, book in enumerate((one, many)):
            start = time.perf_counter()
            answer = book.ask(question, patient=patient)
            seconds[n, which] = time.perf_counter() - start
            said.append(answer.to_dict())
        one_said, many_said = ({k: v for k, v in a.items() if k not in TIMES} for a in said)
        same += one_said == many_said
        evidence += [s["citations"] for s in said[0]["sentences"]] == [s["citations"] for s in said[1]["sentences"]]
    p50, p95 = np.percentile(seconds, [50, 95], axis=0)
    return {
        "questions": len(asked), "same answer": same, "same evidence": evidence, "p50 s": p50.tolist(),
        "p95 s": p95.tolist(),
    }  # fmt: skip


def cases(folder: Path, number: int) -> list[tuple[str, str]]:
    """So many of the folder's questions, evenly spaced over their order."""
    rows = [json.loads(line) for line in (folder / "questions.jsonl").open(encoding="utf-8")]
    chosen = {round(n) for n in np.linspace(0, len(rows) - 1, min(number, len(rows)))}
    return [(str(rows[n]["patient_id"]), str(rows[n]["question"])) for n in sorted(chosen)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("--scifact", type=Path, default=Path("../shared/data/scifact"))
    parser.add_argument("--longchart", type=Path)
    parser.add_argument("--claims", type=int, default=300)
    parser.add_argument("--questions", type=int, default=200)
    args = parser.parse_args()
    found: dict[str, Any] = {}
    with both(args.work) as (one, many):
        if (args.scifact / "corpus.jsonl.gz").is_file() and args.claims:
            for book in (one, many):
                start = time.perf_counter()
                beir.ingest(args.scifact, book)
                print(f"SciFact read in {time.perf_counter() - start:.0f} s", flush=True)
            queries, _ = beir.qrels(args.scifact, "dev")
            found["claims"] = claims(one, many, list(queries.values())[: args.claims])
            print(json.dumps(found["claims"]), flush=True)
        else:
            print(f"SciFact is not in {args.scifact}: its part is skipped.")
        if args.longchart and args.longchart.is_dir():
            asked = cases(args.longchart, args.questions)
            for book in (one, many):
                book.ingest(args.longchart / "notes.jsonl")
            found["questions"] = questions(one, many, asked)
            print(json.dumps(found["questions"]), flush=True)
        else:
            print("No longchart folder: its part is skipped.")


if __name__ == "__main__":
    main()
