"""What encoding costs: CPU seconds a token of each encoder that is installed, and the bytes of a store by its parts.

Usage: python benchmarks/encoding.py [--encoder NAME[:PATH]]... [--store STORE]... [--json OUT]

Time: texts of 16 to 256 tokens, one after another on one thread, CPU time, the least of five runs; the line through
them by least squares: seconds = a * tokens + b. Bytes: as in the formula of docs/models.md, beside the file's size.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from chartcite.core.errors import ChartciteError
from chartcite.core.neural import Encoder
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.store.store import Store

SENTENCE = (
    "The patient was seen today for follow up of hypertension and diabetes; she denies chest pain, takes metformin 500"
    " mg twice daily and lisinopril 10 mg, and her last HbA1c was 7.2 percent. Plan: continue, labs in three months."
)
SIZES = (16, 32, 64, 128, 192, 256)


def texts_of(encoder: Encoder) -> dict[int, str]:
    """A text of about each number of tokens, by its true number."""
    found, sentence = {}, SENTENCE.split()
    for size in SIZES:
        words: list[str] = []
        while len(encoder.offsets([" ".join(words)])[0]) < size:
            words.append(sentence[len(words) % len(sentence)])
        text = " ".join(words)
        found[len(encoder.offsets([text])[0])] = text
    return found


def time_of(encoder: Encoder) -> dict[str, float]:
    texts = texts_of(encoder)
    spent = {}
    for tokens, text in texts.items():
        runs = []
        for _ in range(5):
            start = time.process_time()
            encoder.encode_passage(text)
            runs.append(time.process_time() - start)
        spent[tokens] = min(runs)
    slope, rest = np.polyfit(list(spent), list(spent.values()), 1)
    return {"ms_per_token": round(1000 * float(slope), 4), "ms_per_text": round(1000 * float(rest), 2)} | {
        f"ms_at_{tokens}": round(1000 * s, 2) for tokens, s in spent.items()
    }


def bytes_of(folder: Path) -> dict[str, Any]:
    """The parts of a store in bytes, and what the formula makes of the counts."""
    with Store(folder) as store:
        ask = store._connection.execute
        chars, documents = ask("SELECT SUM(LENGTH(CAST(text AS BLOB))), COUNT(*) FROM documents").fetchone()
        sentences = ask("SELECT COUNT(*) FROM sentences").fetchone()[0]
        vectors, texts = ask("SELECT SUM(LENGTH(vector)), COUNT(*) FROM vectors").fetchone()
        tokens = ask("SELECT SUM(LENGTH(codes)) FROM token_vectors").fetchone()[0]
        postings = ask("SELECT SUM(LENGTH(terms) + LENGTH(counts)) FROM postings").fetchone()[0]
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    parts = {
        "text": chars,
        "sentences": 60 * sentences,
        "vectors": vectors,
        "tokens": tokens or 0,
        "postings": postings,
    }
    return {
        "documents": documents, "distinct_texts": texts, **parts, "sum": sum(parts.values()), "on_disk": size,
        "on_disk_over_sum": round(size / sum(parts.values()), 3),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--encoder", action="append", default=[])
    parser.add_argument("--store", type=Path, action="append", default=[])
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    rows: dict[str, Any] = {}
    for name in args.encoder or ["bge_small_en"]:
        try:
            encoder = Engines(Settings(encoder=name)).encoder
        except ChartciteError as error:
            print(f"{name}: skipped: {error} {error.advice}", file=sys.stderr)
            continue
        rows[name] = time_of(encoder)
        print(name, rows[name], flush=True)
    for folder in args.store:
        rows[folder.name] = bytes_of(folder)
        print(folder.name, rows[folder.name], flush=True)
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
