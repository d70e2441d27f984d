"""BM25 over Portuguese, English and mixed collections, by the setting `language`.

Usage: python benchmarks/mixed_records.py REBEC_FOLDER SCIFACT_FOLDER [--abstracts 1500] [--claims 300] [--json OUT]

Three collections: the Portuguese bodies of all trials of ReBEC; abstracts of SciFact, first those that the training
claims cite; both together. Questions: the public titles of the trials, as they stand and without accents, and training
claims. The encoder is a dummy: only the lexical list is asked. Nothing is tuned. Intervals: 95 %, percentile bootstrap
over questions, 2,000 draws; differences are those of `auto` less another setting, paired.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from chartcite.core.neural import EncodedPassage, EncodedQuery
from chartcite.lab.datasets.rebec_pt import DATASET
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

LANGUAGES: tuple[Literal["en", "pt", "auto"], ...] = ("en", "pt", "auto")


class NoVectors:
    """An encoder that gives every text one vector; tokens are words."""

    name, fingerprint, dims, token_dims, max_tokens, is_remote = "none", "0" * 16, 4, 0, 510, False

    def encode_passage(self, text: str) -> EncodedPassage:
        return EncodedPassage(np.full(4, 0.5, np.float32), np.zeros((0, 0), np.int8), 0)

    def encode_query(self, text: str) -> EncodedQuery:
        return EncodedQuery(np.full(4, 0.5, np.float32), np.zeros((0, 0), np.float32), 0)

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        return [list(_words(text)) for text in texts]


def _words(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for word in text.split():
        start = text.index(word, at)
        at = start + len(word)
        yield start, at


def bare(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def rebec(folder: Path) -> tuple[dict[str, str], list[tuple[str, set[str]]]]:
    bodies = {item.id.split("/")[0]: item.text for item in DATASET.corpus(folder) if item.group == "body"}
    titles = [(c.question, {c.cluster}) for c in DATASET.cases(folder) if c.group == "title" and c.question.strip()]
    return bodies, titles


def scifact(folder: Path, abstracts: int, claims: int) -> tuple[dict[str, str], list[tuple[str, set[str]]]]:
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    texts = {row["_id"]: " ".join([row["title"], *row["sentences"]]) for row in rows}
    asked = [json.loads(line) for line in (folder / "claims_train.jsonl").read_text("utf-8").splitlines()]
    used = [(row["claim"], set(map(str, row["cited_doc_ids"]))) for row in asked if row["evidence"]][:claims]
    cited = [doc for _, docs in used for doc in sorted(docs) if doc in texts]
    kept = dict.fromkeys([*cited, *texts])
    return {doc: texts[doc] for doc in list(kept)[:abstracts]}, used


def reciprocals(book: Book, name: str, asked: Sequence[tuple[str, set[str]]]) -> np.ndarray:
    found = []
    for question, wanted in asked:
        ranked = [doc for doc, _ in book.rank_documents(question, collection=name, depth=10)]
        found.append(next((1 / n for n, doc in enumerate(ranked, start=1) if doc in wanted), 0.0))
    return np.array(found)


def interval(values: np.ndarray) -> list[float]:
    draws = np.random.default_rng(13).integers(0, len(values), (2000, len(values)))
    return [round(float(q), 3) for q in np.quantile(values[draws].mean(axis=1), (0.025, 0.975))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rebec", type=Path)
    parser.add_argument("scifact", type=Path)
    parser.add_argument("--abstracts", type=int, default=1500)
    parser.add_argument("--claims", type=int, default=300)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if not (args.rebec.is_dir() and args.scifact.is_dir()):
        sys.exit("This benchmark needs rebec_pt and scifact: it is skipped.")
    bodies, titles = rebec(args.rebec)
    abstracts, claims = scifact(args.scifact, args.abstracts, args.claims)
    collections = {"pt": bodies, "en": abstracts, "both": bodies | abstracts}
    plain = [(bare(question), wanted) for question, wanted in titles]
    questions = {"titles": titles, "titles without accents": plain, "claims": claims}
    found: dict[tuple[str, str, str], np.ndarray] = {}
    for language in LANGUAGES:
        engines = Engines(Settings(language=language, method="lexical", rerank="none"))
        engines.__dict__["encoder"] = NoVectors()
        with (
            tempfile.TemporaryDirectory() as folder,
            Book(Path(folder) / "store", engines.settings, engines=engines) as book,
        ):
            for name, texts in collections.items():
                path = Path(folder) / f"{name}.jsonl"
                path.write_text("".join(json.dumps({"doc_id": d, "text": t}) + "\n" for d, t in texts.items()), "utf-8")
                book.ingest(path, collection=name)
                for asked, pairs in questions.items():
                    if name == "both" or (name == "en") == (asked == "claims"):
                        found[name, asked, language] = reciprocals(book, name, pairs)
    rows = list(figures(found))
    for row in rows:
        print(json.dumps(row))
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


def figures(found: dict[tuple[str, str, str], np.ndarray]) -> Iterator[dict[str, Any]]:
    for (name, asked, language), values in found.items():
        row: dict[str, Any] = {
            "collection": name, "questions": asked, "language": language, "n": len(values),
            "mrr@10": round(float(values.mean()), 3), "interval": interval(values),
        }  # fmt: skip
        if language != "auto":
            gain = found[name, asked, "auto"] - values
            row |= {"auto_more": round(float(gain.mean()), 3), "auto_more_interval": interval(gain)}
        yield row


if __name__ == "__main__":
    main()
