"""Ingest against the bare encoder on the same texts, in one run.

Usage: python benchmarks/ingest.py synthea SYNTHEA_FOLDER | medquad MEDQUAD_FOLDER | notes NOTES.jsonl
       [--limit N] [--json OUT]

Bare: the encoder over the distinct passage texts, as many threads as cores, nothing else; before and after the ingest,
because a shared machine drifts. Ingest: reading, splitting, analysing, encoding, committing. `ratio` is distinct
passages a second, ingest over bare; `cpu_ratio` the same by CPU seconds, which others on the machine disturb less (it
does not see time lost by waiting). An ingest also keeps what the timeline finds in each document: `findings_cpu_s`
measures that part alone, `cpu_ratio_without_findings` the ratio without it. Then the same command again, which must
find nothing to do.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from chartcite.core.errors import ReadError
from chartcite.core.reading import Found
from chartcite.core.remembered import forget_remembered
from chartcite.ingest.prepare import draft
from chartcite.ingest.walk import walk
from chartcite.library.book import Book
from chartcite.readers.detect import read_source
from chartcite.records.kept import packed
from chartcite.records.reading import FactsReader
from chartcite.records.record import read_document
from chartcite.records.topic import ALL


def texts_of(paths: list[Path], book: Book) -> list[str]:
    """The distinct passage texts of each partition, as ingest would make them."""
    seen: dict[tuple[str, str], None] = {}
    for source in walk(paths):
        with suppress(ReadError):  # what cannot be read is not ingested either
            for item in read_source(source.path, source.name):
                if isinstance(item, Found):
                    for text in draft(item.document, book.engines.kitchen).texts:
                        seen[(item.patient_id or "", text)] = None
    return [text for _, text in seen]


def bare(book: Book, texts: list[str]) -> tuple[float, float]:
    """Wall and CPU seconds of encoding these texts and nothing else."""
    cpu, start = time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for _ in pool.map(book.engines.encoder.encode_passage, texts):
            pass
    return time.perf_counter() - start, time.process_time() - cpu


def findings_cpu(book: Book) -> float:
    """CPU seconds of what the timeline finds in the documents of all patients, made and packed once more, not kept."""
    forget_remembered()  # as at first
    start = time.process_time()
    for partition in book.patients():
        with book.store.read(partition.scope) as reader:
            facts_of = FactsReader()
            for info in reader.documents():
                packed(read_document(info, reader, ALL, facts_of))
    return time.process_time() - start


def measure(paths: list[Path], store: Path, collection: str | None) -> dict[str, Any]:
    with Book(store) as book:
        texts = texts_of(paths, book)
        half = len(texts) // 2
        before = bare(book, texts[:half])
        cpu, start = time.process_time(), time.perf_counter()
        ledger = book.ingest(*paths, collection=collection)
        wall, cpu = time.perf_counter() - start, time.process_time() - cpu
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        after = bare(book, texts[half:])
        findings = findings_cpu(book)
        start = time.perf_counter()
        again = book.ingest(*paths, collection=collection)
        second = time.perf_counter() - start
        counts = book.store.counts()
    rate, limit = ledger.encoded / wall, len(texts) / (before[0] + after[0])
    bare_cpu = (before[1] + after[1]) * ledger.encoded / len(texts)
    return {
        "documents": ledger.total("added"), "passages": ledger.passages, "distinct": ledger.encoded,
        "wall_s": round(wall, 1), "cpu_s": round(cpu, 1), "peak_rss_mb": round(peak),
        "store_mb": round(sum(f.stat().st_size for f in store.iterdir()) / 1e6, 1),
        "distinct_per_s": round(rate, 1), "bare_per_s": round(limit, 1), "ratio": round(rate / limit, 3),
        "cpu_ratio": round(bare_cpu / cpu, 3), "cpu_ratio_without_findings": round(bare_cpu / (cpu - findings), 3),
        "findings_cpu_s": round(findings, 1),
        "cpu_ms_beyond_encoding": round(1000 * (cpu - bare_cpu) / ledger.encoded, 2),
        "passages_per_s": round(ledger.passages / wall, 1), "failed": ledger.total("failed"),
        "skipped": ledger.total("skipped"), "second_run_s": round(second, 2), "second_run_encoded": again.encoded,
        "counts": counts,
    }  # fmt: skip


def medquad(folder: Path, limit: int, out: Path) -> Path:
    """Answers as a collection, each distinct text once."""
    path = out / "medquad.jsonl"
    seen: set[str] = set()
    with (
        gzip.open(folder / "medquad_qa.jsonl.gz", "rt", encoding="utf-8") as lines,
        path.open("w", encoding="utf-8") as to,
    ):
        for row in map(json.loads, lines):
            text = row["answer"]
            if text.strip() and text not in seen and len(seen) < limit:
                seen.add(text)
                to.write(
                    json.dumps({"doc_id": f"{row['_id']}#{len(seen)}", "title": row["question"], "text": text}) + "\n"
                )
    return path


def first_lines(notes: Path, limit: int, out: Path) -> Path:
    path = out / "notes.jsonl"
    with notes.open(encoding="utf-8") as lines, path.open("w", encoding="utf-8") as to:
        to.writelines(islice(lines, limit))
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", choices=("synthea", "medquad", "notes"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=1_000_000)
    parser.add_argument("--store", type=Path, help="keep the store here")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if not args.folder.exists():
        sys.exit(f"There is no data in {args.folder}: this benchmark is skipped.")
    with tempfile.TemporaryDirectory() as temporary:
        store = args.store or Path(temporary) / "store"
        if args.data == "synthea":
            result = measure([args.folder], store, None)
        elif args.data == "notes":
            result = measure([first_lines(args.folder, args.limit, Path(temporary))], store, None)
        else:
            result = measure([medquad(args.folder, args.limit, Path(temporary))], store, "medquad")
    print(json.dumps(result, indent=1))
    if args.json:
        args.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
