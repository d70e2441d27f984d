"""What every library is given: the same passages and questions, as two JSON lines files.

Usage: python benchmarks/peers/data.py longchart FOLDER OUT [--patients lc-en-14,lc-en-15] [--queries 100]
       python benchmarks/peers/data.py medquad FOLDER OUT [--answers 200] [--queries 100]
       python benchmarks/peers/data.py synthea FOLDER OUT [--passages 1000]

`passages.jsonl` has `id, patient, text`, `queries.jsonl` has `id, patient, text, relevant`. The texts are cut once, by
chartcite's default splitter (at most 256 tokens of the encoders' common vocabulary), so that nobody's splitter decides.
longchart: the passages of some patients of the dev split, equal texts of a patient once; questions with an answer and
no date limit (not every library can filter by date), evenly spaced; relevant is each passage that overlaps a gold
sentence of the answer. medquad: answers as one collection, asked with the question each was written for, which is
not in the text. synthea: passages as they come, copies and all, without questions: what duplicates are worth.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from chartcite.core.documents import Document, Provenance
from chartcite.core.errors import ReadError
from chartcite.core.reading import Found
from chartcite.ingest.prepare import Kitchen, draft
from chartcite.ingest.walk import walk
from chartcite.lab.datafiles import read_objects
from chartcite.lab.experiment.selection import spaced
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.readers.detect import read_source

Row = dict[str, Any]
PATIENTS = "lc-en-14,lc-en-15"


class Passages:
    """Passages by patient, equal texts once; `spans` says where each stands."""

    def __init__(self, kitchen: Kitchen) -> None:
        self._kitchen = kitchen
        self.ids: dict[tuple[str, str], str] = {}
        self.spans: dict[str, list[tuple[int, int, str]]] = defaultdict(list)

    def add(self, patient: str, doc_id: str, text: str) -> list[str]:
        """The ids of a document's passages."""
        cut = draft(Document(doc_id=doc_id, text=text, source=Provenance(doc_id, "", "text")), self._kitchen)
        found = []
        for passage, own in zip(cut.passages, cut.texts, strict=True):
            identity = self.ids.setdefault((patient, own), f"{patient or 'c'}-{len(self.ids):05d}")
            self.spans[doc_id].append((passage.start, passage.end, identity))
            found.append(identity)
        return found

    def overlapping(self, gold: Iterable[Mapping[str, Any]]) -> list[str]:
        """Each passage that shares a character with a gold span."""
        return sorted(
            {i for g in gold for start, end, i in self.spans[g["doc_id"]] if start < g["end"] and g["start"] < end}
        )

    def rows(self) -> list[Row]:
        """As `passages.jsonl` has them."""
        return [{"id": i, "patient": patient, "text": text} for (patient, text), i in self.ids.items()]


def longchart(folder: Path, passages: Passages, patients: list[str], count: int) -> list[Row]:
    for note in read_objects(folder / "notes.jsonl"):
        if note["patient_id"] in patients:
            passages.add(note["patient_id"], note["doc_id"], note["text"])
    found = []
    for q in read_objects(folder / "questions.jsonl"):
        if q["patient_id"] in patients and q["split"] == "dev" and q["answerable"] and not q["as_of"]:
            relevant = passages.overlapping(g for g in q["gold"] if g["part"] >= 0)
            if relevant:
                found.append({"id": q["id"], "patient": q["patient_id"], "text": q["question"], "relevant": relevant})
    return spaced(found, count)


def medquad(folder: Path, passages: Passages, answers: int, count: int) -> list[Row]:
    found, seen = [], set()
    with gzip.open(folder / "medquad_qa.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for n, row in enumerate(spaced([r for r in rows if r["answer"].strip()], answers)):
        if row["answer"] not in seen:
            seen.add(row["answer"])
            own = passages.add("", f"m{n}", row["answer"])
            found.append({"id": f"m{n}", "patient": "", "text": row["question"], "relevant": own})
    return spaced(found, count)


def synthea(folder: Path, kitchen: Kitchen) -> Iterator[Row]:
    n = 0
    for source in walk([folder]):
        with suppress(ReadError):  # what cannot be read is not ingested either
            for item in read_source(source.path, source.name):
                if isinstance(item, Found):
                    for text in draft(item.document, kitchen).texts:
                        yield {"id": f"s{n:06d}", "patient": item.patient_id or "", "text": text}
                        n += 1


def write(path: Path, rows: Iterable[Row]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", choices=("longchart", "medquad", "synthea"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--patients", default=PATIENTS)
    parser.add_argument("--answers", type=int, default=200)
    parser.add_argument("--passages", type=int, default=1000)
    parser.add_argument("--queries", type=int, default=100)
    args = parser.parse_args()
    if not args.folder.is_dir():
        sys.exit(f"There is no data in {args.folder}: this benchmark is skipped.")
    kitchen = Engines(Settings()).kitchen
    passages, queries = Passages(kitchen), list[Row]()
    if args.data == "longchart":
        queries = longchart(args.folder, passages, args.patients.split(","), args.queries)
    elif args.data == "medquad":
        queries = medquad(args.folder, passages, args.answers, args.queries)
    rows = list(islice(synthea(args.folder, kitchen), args.passages)) if args.data == "synthea" else passages.rows()
    args.out.mkdir(parents=True, exist_ok=True)
    write(args.out / "passages.jsonl", rows)
    write(args.out / "queries.jsonl", queries)
    distinct = len({(r["patient"], r["text"]) for r in rows})
    print(json.dumps({"passages": len(rows), "distinct": distinct, "queries": len(queries)}))


if __name__ == "__main__":
    main()
