"""Readers in processes of their own, while another process writes and while none does.

    python benchmarks/readers.py FOLDER [--readers 2] [--notes 600]

A record is ingested note by note into a new store in FOLDER (deterministic vectors in place of the encoder's). Until
that is done, and then for as many reads again, each reader opens the partition anew, checks that what it sees is one
state (every passage lies in a document of that state, there are as many documents as the sequence number says), and
times it.
One JSON object: reads, states seen, wall time (ms) while writing and after.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from chartcite.core.errors import UnknownPartition
from chartcite.core.scope import Scope
from chartcite.store.store import Store
from kill_ingest import open_book

SCOPE = Scope.patient("p")


def write(folder: Path, notes: int) -> None:
    """The record, through the front door."""
    source = folder / "notes.jsonl"
    lines = [
        {"doc_id": f"d{n}", "patient_id": "p", "time": f"2021-01-{n % 28 + 1:02d}", "note_type": "Note",
         "text": f"PLAN\nWarfarin {n} mg nightly.\n\nHISTORY\nSeen {n} times, no pain.\n"}
        for n in range(notes)
    ]  # fmt: skip
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    with open_book(folder / "store", "fake") as book:
        book.ingest(source)


def read(folder: Path) -> dict[str, Any]:
    """One reader, until the writer's mark is there and as often again."""
    phases: dict[str, list[float]] = {"writing": [], "after": []}
    states: set[int] = set()
    store = Store(folder / "store")
    recipe = open_book(folder / "store", "fake").engines.recipe
    while len(phases["after"]) < max(20, len(phases["writing"])):
        phase = "after" if (folder / "done").exists() else "writing"
        begin = time.perf_counter()
        try:
            with store.read(SCOPE) as reader:
                documents = {d.key: len(reader.document(d.key).text) for d in reader.documents()[-20:]}
                arrays = reader.passages(recipe)
                spent = time.perf_counter() - begin
                ends = {key: end for _, key, _, end in arrays.places.tolist() if key in documents}
                whole = len(reader.documents()) == reader.seq and len(arrays.vectors) == len(arrays.text_keys)
                if not whole or any(end > documents[key] for key, end in ends.items()) or len(ends) != len(documents):
                    raise SystemExit(f"a mixed state at {reader.seq}")
                states.add(reader.seq)
        except UnknownPartition:  # nothing is committed yet
            continue
        phases[phase].append(spent * 1e3)
    return {"states": len(states), **phases}


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--readers", type=int, default=2)
    parser.add_argument("--notes", type=int, default=600)
    parser.add_argument("--step", choices=["read", "write"])
    args = parser.parse_args()
    if args.step == "write":
        write(args.folder, args.notes)
        return
    if args.step == "read":
        print(json.dumps(read(args.folder)))
        return
    shutil.rmtree(args.folder, ignore_errors=True)
    args.folder.mkdir(parents=True)
    Store(args.folder / "store", create=True).close()
    command = [sys.executable, __file__, str(args.folder), "--notes", str(args.notes), "--step"]
    readers = [subprocess.Popen([*command, "read"], stdout=subprocess.PIPE, text=True) for _ in range(args.readers)]
    subprocess.run([*command, "write"], check=True)
    (args.folder / "done").touch()
    found = [json.loads(r.communicate()[0]) for r in readers]
    result: dict[str, Any] = {"readers": args.readers, "documents": args.notes, "states": [f["states"] for f in found]}
    for phase in ("writing", "after"):
        times = np.concatenate([f[phase] for f in found])
        result[phase] = {"reads": len(times)} | {
            f"p{q}_ms": round(float(np.percentile(times, q)), 2) for q in (50, 95)
        }  # fmt: skip
    print(json.dumps(result))
    shutil.rmtree(args.folder)


if __name__ == "__main__":
    main()
