"""What it saves to keep what the timeline finds in documents, and what it costs to make.

Usage: python benchmarks/timeline_speed.py STORE PATIENT [--json OUT]

STORE is copied and the copy is written to. In CPU seconds of this process, the best of three (of one where nothing is
kept), so that other work on the machine counts less: a timeline of one measured thing, of one drug, of everything, and
all medicines of a day; read anew from the sentences, and from what is kept. Then the cost of making it, and its size.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from chartcite.core.scope import Scope
from chartcite.library.timelines import keep_findings
from chartcite.records.timeline import listed_without_dose, read_doses, read_history, timeline
from chartcite.records.topic import EVERYTHING, Topic
from chartcite.store.reader import PartitionReader
from chartcite.store.store import Store

QUESTIONS: dict[str, Callable[[PartitionReader], object]] = {
    "one measured thing": lambda reader: timeline(reader, Topic(frozenset(["creatinine"]))),
    "one drug": lambda reader: timeline(reader, Topic(frozenset(), frozenset(["lisinopril"]))),
    "medicines of a day": lambda reader: (read_doses(reader), listed_without_dose(reader)),
    "diagnoses, procedures": read_history,
    "everything": lambda reader: timeline(reader, EVERYTHING),
}
ANEW = tuple(name for name in QUESTIONS if name != "everything")
"""All of it read anew costs as much as making what is kept."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("patient")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(given.store, Path(folder) / "store"))
        found = _measured(copy, Scope.patient(given.patient))
    for name, figures in found.items():
        print(f"{name:<24} " + "  ".join(f"{key} {value:g}" for key, value in figures.items()))
    if given.json:
        given.json.write_text(json.dumps(found, indent=1))


def _measured(folder: Path, scope: Scope) -> dict[str, dict[str, float]]:
    with Store(folder) as store:
        store._connection.execute("DROP TABLE IF EXISTS findings")
        store._connection.execute("PRAGMA user_version=4")
        anew = {name: _seconds(store, scope, QUESTIONS[name], 1) for name in ANEW}
        start = time.process_time()
        documents = keep_findings(store, scope)
        made = time.process_time() - start
        size = store._connection.execute("SELECT SUM(length(data)) FROM findings").fetchone()[0]
        kept = {name: _seconds(store, scope, ask, 3) for name, ask in QUESTIONS.items()}
    anew["everything"] = made
    figures: dict[str, dict[str, float]] = {
        name: {
            "anew_s": round(anew[name], 3),
            "kept_s": round(kept[name], 3),
            "ratio": round(anew[name] / kept[name], 1),
        }
        for name in QUESTIONS
    }
    figures["made"] = {"documents": documents, "seconds": round(made, 2), "bytes": size}
    return figures


def _seconds(store: Store, scope: Scope, ask: Callable[[PartitionReader], object], times: int) -> float:
    best = float("inf")
    for _ in range(times):
        with store.read(scope) as reader:
            start = time.process_time()
            ask(reader)
            best = min(best, time.process_time() - start)
    return best


if __name__ == "__main__":
    main()
