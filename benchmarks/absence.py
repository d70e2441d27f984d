"""Present, denied, not mentioned: how a longchart folder's questions of presence are answered, by kind and language.

Usage: python benchmarks/absence.py FOLDER STORE [--split dev] [--limit N [--offset K]] [--json OUT] [--wrong]

FOLDER comes from `chartcite lab generate longchart`. STORE is made if it does not exist, with a stand-in encoder of
hashed words: these questions are answered by words alone, no vector decides. Asked are all questions of the split of
the kinds absent, present, denied and family_vs_patient (`--limit`: every so many, in the order of their ids, from
`--offset` on). Counted:

- absent (no note has any name of it): right is an abstention that says that it is not mentioned.
- present, denied, family: right is the status, and a citation that overlaps a gold sentence. `historical` counts as
  present (the question is whether there is any record); what was tolerated counts as denied of allergies.
- false absence: of what the record has, said to be not mentioned. Called present: of what it has not.

Intervals are Wilson's, 95 %, over questions; questions of one patient are not independent. `--wrong` prints the wrong
ones, on dev only: rules were tuned there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chartcite.core.answer import Answer
from chartcite.core.neural import EncodedPassage, EncodedQuery
from chartcite.lab.datafiles import read_objects
from chartcite.lab.statistics.proportion import wilson
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

KINDS = ("absent", "present", "denied", "family_vs_patient")
WANTED = {
    "absent": ("not_mentioned", "other_sense"), "present": ("present", "historical"), "denied": ("denied",),
    "tolerated": ("denied",), "family_only": ("family",), "family_denied": ("family_denied",),
    "patient": ("present", "historical"),
}  # fmt: skip


class HashedWords:
    """A stand-in encoder: vectors from hashes of words."""

    name = "hashed_words"
    fingerprint = "1"
    dims = 8
    token_dims = 0
    max_tokens = 510

    def encode_passage(self, text: str) -> EncodedPassage:
        return EncodedPassage(self._vector(text), np.zeros((0, 0), np.int8))

    def encode_query(self, text: str) -> EncodedQuery:
        return EncodedQuery(self._vector(text), np.zeros((0, 0), np.float32))

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        return [[m.span() for m in re.finditer(r"\w+|[^\w\s]", text)] for text in texts]

    def _vector(self, text: str) -> NDArray[np.float32]:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
        found = np.random.default_rng(seed).standard_normal(self.dims).astype(np.float32)
        return np.asarray(found / np.linalg.norm(found))


def open_book(store: Path) -> Book:
    settings = Settings()
    engines = Engines(settings)
    engines.__dict__["encoder"] = HashedWords()
    return Book(store, settings, engines=engines)


def ingest(folder: Path, book: Book, patients: set[str]) -> None:
    """The notes of some patients, once."""
    held = {p.scope.name for p in book.patients()}
    if patients <= held:
        return
    lines = (folder / "notes.jsonl").read_text("utf-8").splitlines(keepends=True)
    part = book.store.folder / "notes-of-the-split.jsonl"
    part.write_text("".join(line for line in lines if json.loads(line)["patient_id"] in patients), "utf-8")
    book.ingest(part)
    part.unlink()


def judge(row: Mapping[str, Any], answer: Answer) -> dict[str, bool]:
    status = answer.presence.status if answer.presence else None
    is_absent = row["kind"] == "absent"
    gold = [(g["doc_id"], g["start"], g["end"]) for g in row["gold"]]
    cites = any(c.doc_id == d and c.start < e and s < c.end for c in answer.citations for d, s, e in gold)
    says_absent = answer.abstained and answer.reason in ("not_mentioned", "empty_record")
    is_right = says_absent if is_absent else cites and status in WANTED[row["answer"]["status"]]
    return {
        "right": is_right, "false absence": says_absent and not is_absent, "evidence": cites,
        "abstained": answer.abstained, "called present": is_absent and not answer.abstained,
        "read as a question of presence": answer.presence is not None,
    }  # fmt: skip


def table(rows: Sequence[tuple[str, Mapping[str, bool]]]) -> dict[str, Any]:
    groups: dict[str, list[Mapping[str, bool]]] = defaultdict(list)
    for name, measures in rows:
        groups[name].append(measures)
    return {name: {"n": len(group)} | {m: share(group, m) for m in group[0]} for name, group in sorted(groups.items())}


def share(group: Sequence[Mapping[str, bool]], measure: str) -> dict[str, float | None]:
    found = sum(m[measure] for m in group)
    p = wilson(found, len(group))
    return {"count": found, "share": p.value, "low": p.low, "high": p.high}


def show(found: Mapping[str, Any]) -> None:
    names = ("right", "evidence", "abstained", "false absence", "called present", "read as a question of presence")
    print(f"{'% [95 % interval]':24s}{'n':>5s}  " + "".join(f"{n[:16]:18s}" for n in names))
    for group, row in found.items():
        cells = (
            f"{100 * c['share']:.1f} [{100 * c['low']:.0f}-{100 * c['high']:.0f}]" for c in (row[n] for n in names)
        )
        print(f"{group:24s}{row['n']:5d}  " + "".join(f"{cell:18s}" for cell in cells))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("store", type=Path)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--limit", type=int, default=1)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--wrong", action="store_true")
    args = parser.parse_args()
    rows = [r for r in read_objects(args.folder / "questions.jsonl") if r["split"] == args.split and r["kind"] in KINDS]
    rows = sorted(rows, key=lambda r: str(r["id"]))[args.offset :: args.limit]
    judged = []
    with open_book(args.store) as book:
        ingest(args.folder, book, {r["patient_id"] for r in rows})
        for n, row in enumerate(rows):
            answer = book.ask(row["question"], patient=row["patient_id"], as_of=row["as_of"])
            measures = judge(row, answer)
            judged += [(row["kind"], measures), (f"{row['kind']} ({row['lang']})", measures)]
            if args.wrong and args.split == "dev" and not measures["right"]:
                said = answer.presence.status if answer.presence else answer.reason
                print(row["question"], row["answer"]["status"], said, answer.text[:160], sep=" | ", file=sys.stderr)
            if n % 200 == 0:
                print(f"{n} questions asked", file=sys.stderr, flush=True)
    found = table(judged)
    print(f"{len(rows)} questions of {args.split}, {len({r['patient_id'] for r in rows})} patients\n")
    show(found)
    if args.json:
        args.json.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
