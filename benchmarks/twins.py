"""Twin patients: does anything of one ever show where the other is asked?

Usage: python benchmarks/twins.py FOLDER WORK [--retrievals 10000] [--answers 500] [--seed 0] [--json OUT]

FOLDER comes from `chartcite lab generate longchart`; its twins have near-identical records. Canaries
(`isolation/planted.py`) are planted into their notes, which go into one store in WORK (made once). Each twin is asked,
in turns, its own questions, those of its twin and those that only the twin's canaries answer, by every method and kind
of reranking, from arrays in memory, row by row and from files, with warm and cold caches, in threads, as of a date,
through the Python doors and the command line. Then one twin of each pair is deleted and read in again.

Counted as a leak, in every output whole (hits, evidence, citations, conflicts, terms, messages, log lines):

- documents of another: a doc_id that the asked patient does not have;
- quotes that differ: a span that is not that stretch of the patient's own document;
- marks of another: another patient's id, name or canary, unless the question itself names it;
- answers that changed: with the twin in the store and without it, an output must be the same bytes (all but the
  partition's number of changes);
- traces: after a deletion a canary of the deleted patient stands in some file of the store.
"""

from __future__ import annotations

import argparse
import json
import logging
import shutil
import sqlite3
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chartcite.core.errors import UnknownPartition
from chartcite.lab.datafiles import read_objects
from chartcite.lab.longchart.dice import Dice
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from isolation.doors import ANSWERING, RETRIEVING, SLOW, Door, command, engines_like, same
from isolation.filling import RememberedEncoder, RememberedReranker
from isolation.planted import Canaries, canaries, planted
from isolation.watch import Watch, leaks

WAYS: tuple[Mapping[str, Any], ...] = (
    {}, {"method": "lexical"}, {"method": "dense", "rerank": "none"}, {"method": "hybrid", "rerank": "none"},
    {"fusion": "rrf"}, {"method": "neighbours"}, {"method": "hierarchical"}, {"cache_mb": 0},
    {"method": "lexical", "rerank": "none", "synonym_weight": 0.0}, {"rerank": "cross", "top_k": 5},
    {"over_time": False}, {"method": "full_context", "rerank": "none"},
)  # fmt: skip
COSTLY = 40
"""Ways that read the record whole or run the cross-encoder get one of so many retrievals."""
THREADS = 4


@dataclass(frozen=True, slots=True)
class World:
    """The twins: their notes as planted, their questions, and whose is what."""

    folder: Path
    pairs: tuple[tuple[str, str], ...]
    rows: Mapping[str, Sequence[dict[str, Any]]]
    questions: Mapping[str, Sequence[str]]
    planted: Mapping[str, Canaries]
    watch: Watch
    engines: Engines | None = None

    @property
    def store(self) -> Path:
        """Where the store is."""
        return self.folder / "store"

    def twin(self, patient: str) -> str:
        """The other of its pair."""
        return next(b if patient == a else a for a, b in self.pairs if patient in (a, b))

    def open(self, **settings: Any) -> Book:
        """The store under some settings, with the models that are loaded already."""
        made = Settings(**settings)
        return Book(self.store, made, engines=engines_like(self.engines, made))

    def asked(self, seed: object) -> Iterator[tuple[str, str]]:
        """Questions with the patient they are put to, twins in turns, without end."""
        dice = Dice("twins", seed)
        while True:
            for pair in self.pairs:
                for patient in pair:
                    whose = dice.pick((patient, self.twin(patient)))
                    pile = dice.pick((self.questions[whose], self.planted[self.twin(patient)].questions))
                    yield dice.pick(pile), patient


@dataclass
class Tally:
    """Counts by stage."""

    stages: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def see(self, stage: str, world: World, patient: str, output: Any, asked: str) -> None:
        """Look an output through."""
        self.stages[stage] += world.watch.foreign(patient, output, asked)

    @property
    def leaks(self) -> int:
        """All of them."""
        return sum(leaks(counts) for counts in self.stages.values())


def made(data: Path, folder: Path, engines: Engines | None = None) -> World:
    """The twins of a longchart folder with canaries, in one store."""
    people = {r["patient_id"]: r for r in read_objects(data / "patients.jsonl") if r["twin"]}
    pairs = tuple((p, r["twin"]) for p, r in people.items() if p < r["twin"])
    own = {p: canaries(p, n) for n, p in enumerate(people)}
    notes: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in read_objects(data / "notes.jsonl"):
        if row["patient_id"] in people:
            notes[row["patient_id"]].append(row)
    rows = {p: planted(notes[p], own[p]) for p in people}
    questions: dict[str, list[str]] = defaultdict(list)
    for row in read_objects(data / "questions.jsonl"):
        if row["patient_id"] in people:
            questions[row["patient_id"]].append(row["question"])
    texts = {p: {r["doc_id"]: r["text"] for r in rows[p]} for p in people}
    marks = {p: (p.lower(), *_names(people, p, texts), *own[p].marks) for p in people}
    world = World(folder, pairs, rows, questions, own, Watch(texts, marks), engines)
    _fill(world)
    return world


def _names(people: Mapping[str, Mapping[str, Any]], patient: str, texts: Mapping[str, Mapping[str, str]]) -> list[str]:
    """The patient's name, where no other's notes have it."""
    name = people[patient]["name"].lower()
    return [] if any(name in t.lower() for p, own in texts.items() if p != patient for t in own.values()) else [name]


def _fill(world: World, *patients: str) -> None:
    world.folder.mkdir(parents=True, exist_ok=True)
    for patient in patients or world.rows:
        path = world.folder / f"{patient}.jsonl"
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in world.rows[patient]), "utf-8")
        with world.open() as book:
            known = {s.scope.name: s.documents for s in book.patients()}
            if known.get(patient) != len(world.rows[patient]):
                book.ingest(path)
                print(f"{patient} read", file=sys.stderr, flush=True)


def retrieve(world: World, tally: Tally, count: int, stage: str, seed: int, ways: Sequence[Mapping[str, Any]]) -> None:
    """So many retrievals, the ways in turns; each way has a new book for every hundred, so that caches are cold too."""
    cheap = [way for way in ways if way.get("method") != "full_context" and way.get("rerank") != "cross"]
    dear = [way for way in ways if way not in cheap]
    shares = [(way, count // COSTLY) for way in dear]
    rest = count - sum(n for _, n in shares)
    shares += [(way, rest // len(cheap) + (n < rest % len(cheap))) for n, way in enumerate(cheap)]
    for n, (way, share) in enumerate(shares):
        _go(world, tally, share, f"retrievals, {stage}", (seed, stage, n), way, RETRIEVING)


def answer(world: World, tally: Tally, count: int, stage: str, seed: int, ways: Sequence[Mapping[str, Any]]) -> None:
    """So many answers of all forms, the ways in turns."""
    for n, way in enumerate(ways):
        share = count // len(ways) + (n < count % len(ways))
        _go(world, tally, share, f"answers, {stage}", (seed, stage, "answer", n), way, ANSWERING)


def _go(
    world: World, tally: Tally, count: int, stage: str, seed: object, way: Mapping[str, Any], doors: Mapping[str, Door]
) -> None:
    dice, asked, names = Dice("doors", seed), world.asked(seed), list(doors)
    for begin in range(0, count, 100):
        with world.open(**way) as book:
            for n in range(begin, min(begin + 100, count)):
                question, patient = next(asked)
                day = dice.pick(world.rows[patient])["time"][:10] if dice.chance(0.25) else None
                output = doors[names[n % len(names)]](book, question, patient, day)
                tally.see(stage, world, patient, output, question)
        print(f"{stage}: {tally.stages[stage]['outputs']:,}, leaks so far: {tally.leaks}", file=sys.stderr, flush=True)


def in_threads(world: World, tally: Tally, retrievals: int, answers: int, seed: int) -> None:
    """Threads with a book each and the models together, all over the same twins at once."""
    own = [Tally() for _ in range(THREADS)]

    def work(n: int) -> None:
        retrieve(world, own[n], retrievals // THREADS, "threads", seed + n, WAYS[:2])
        answer(world, own[n], answers // THREADS, "threads", seed + n, WAYS[:1])

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(work, range(THREADS)))
    for one in own:
        for stage, counts in one.stages.items():
            tally.stages[stage] += counts


def slow(world: World, tally: Tally, questions: int, seed: int) -> None:
    """Tables over all notes, whole timelines, and stored answers that are put to the twin."""
    asked = world.asked(seed)
    with world.open() as book:
        for _ in range(questions):
            question, patient = next(asked)
            for door in SLOW.values():
                tally.see("tables and timelines", world, patient, door(book, question, patient, None), question)
            stored = book.ask(question, patient=world.twin(patient)).to_dict() | {"scope": {"patient": patient}}
            checks = [[r.text, r.citations, r.holds] for r in book.verify_answer(stored)]
            cited = any(s["citations"] for s in stored["sentences"])
            tally.stages["the twin's answer checked"] += Counter(outputs=1)
            tally.stages["the twin's answer checked"]["held"] += cited and any(c[2] for c in checks)


def commands(world: World, tally: Tally, each: int, seed: int) -> None:
    """The command line, with all that is logged meanwhile; refusals among them."""
    asked = world.asked(seed)
    for n in range(each):
        question, patient = next(asked)
        p = ["-p", patient]
        lines: list[list[str]] = [
            ["ask", question, *p], ["ask", question, *p, "--json"], ["search", question, *p, "--json"],
            ["timeline", "creatinine", *p], ["timeline", "creatinine", *p, "--json"], ["timeline", question, *p],
            ["ask", question, *p, "--format", "markdown"], ["ask", question, *p, "--as-of", "2030-02-31"],
        ]  # fmt: skip
        arguments = lines[n % len(lines)]
        _, written = command(world.store, arguments)
        tally.see("command line", world, patient, written, question)


class Heard(logging.Handler):
    """Keeps every log line of everybody."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        self.lines.append(record.getMessage())


EVERY_DOOR: Mapping[str, Door] = {**RETRIEVING, **ANSWERING}


def deletion(world: World, tally: Tally, questions: int, seed: int, doors: Mapping[str, Door] = EVERY_DOOR) -> None:
    """One twin of each pair goes and comes back: the other's outputs stay the same, and nothing of it is left."""
    stays, goes = [a for a, _ in world.pairs], [b for _, b in world.pairs]
    before = _outputs(world, tally, stays + goes, questions, seed, doors, "before the deletion")
    with world.open() as book:
        for patient in goes:
            book.delete(patient=patient)
            for door in EVERY_DOOR.values():
                try:
                    door(book, "What is the latest creatinine?", patient, None)
                except UnknownPartition:
                    continue
                tally.stages["deleted"]["answered"] += door is not ANSWERING["timeline"]
    tally.stages["deleted"]["traces"] += _traces(world, goes)
    tally.stages["deleted"]["outputs"] += len(goes)
    after = _outputs(world, tally, stays, questions, seed, doors, "the twin deleted")
    tally.stages["the twin deleted"]["answers that changed"] += _changed(before, after)
    _fill(world, *goes)
    again = _outputs(world, tally, stays + goes, questions, seed, doors, "the twin back")
    tally.stages["the twin back"]["answers that changed"] += _changed(before, again)


def _outputs(
    world: World,
    tally: Tally,
    patients: Sequence[str],
    questions: int,
    seed: int,
    doors: Mapping[str, Door],
    stage: str,
) -> dict[tuple[str, str, str], Any]:
    found = {}
    with world.open() as book:
        for patient in patients:
            own = [*world.questions[patient], *world.planted[world.twin(patient)].questions]
            for question in Dice("deletion", seed, patient).some(own, questions):
                for name, door in doors.items():
                    output = door(book, question, patient, None)
                    tally.see(stage, world, patient, output, question)
                    found[name, question, patient] = output
    return found


def _changed(before: Mapping[Any, Any], after: Mapping[Any, Any]) -> int:
    return sum(not same(before[key], output) for key, output in after.items())


def _traces(world: World, gone: Sequence[str]) -> int:
    """Files of the store that still hold a canary of somebody who is gone."""
    marks = [mark.encode() for p in gone for mark in world.planted[p].marks[:4]]
    marks += [mark.capitalize() for mark in marks]
    files = [f.read_bytes() for f in world.store.rglob("*") if f.is_file()]
    return sum(mark in data for data in files for mark in marks)


def without_packs(world: World) -> None:
    """So that partitions are read row by row."""
    with closing(sqlite3.connect(world.store / "chartcite.sqlite3")) as connection, connection:
        connection.execute("DELETE FROM packs")


def _stages(world: World, tally: Tally, retrievals: int, answers: int, seed: int) -> Mapping[str, Callable[[], None]]:
    part, few = (retrievals // 10, answers // 10), max(2, answers // 100)
    large = [{**way, "large_passages": 0} for way in WAYS[:8]]

    def from_packs() -> None:
        retrieve(world, tally, retrievals - 4 * part[0], "arrays from packs", seed, WAYS)
        answer(world, tally, answers - 4 * part[1], "arrays from packs", seed, WAYS)

    def row_by_row() -> None:
        without_packs(world)
        retrieve(world, tally, part[0], "row by row", seed, WAYS)
        answer(world, tally, part[1], "row by row", seed, WAYS[:6])

    def from_files() -> None:
        with world.open(large_passages=0) as book:
            book.index()
        retrieve(world, tally, part[0], "files", seed, large)
        answer(world, tally, part[1], "files", seed, large)

    return {
        "arrays from packs": from_packs, "row by row": row_by_row, "files": from_files,
        "threads": lambda: in_threads(world, tally, 2 * part[0], 2 * part[1], seed),
        "tables": lambda: slow(world, tally, few, seed),
        "command line": lambda: commands(world, tally, max(8, answers // 12), seed),
        "deletion": lambda: deletion(world, tally, few, seed),
    }  # fmt: skip


def run(world: World, retrievals: int, answers: int, seed: int) -> Tally:
    """Everything; the numbers are those of all stages together, deletion, tables and the command line apart."""
    tally, heard = Tally(), Heard()
    root = logging.getLogger()
    level = root.level
    root.addHandler(heard)
    root.setLevel(logging.DEBUG)
    try:
        for name, stage in _stages(world, tally, retrievals, answers, seed).items():
            stage()
            print(f"{name} done, leaks so far: {tally.leaks}", file=sys.stderr, flush=True)
    finally:
        root.removeHandler(heard)
        root.setLevel(level)
    for line in heard.lines:
        for patient in world.rows:
            tally.stages["log lines"] += world.watch.foreign(patient, line)
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--retrievals", type=int, default=10_000)
    parser.add_argument("--answers", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    first = Engines(Settings())
    first.__dict__.update(encoder=RememberedEncoder(first.encoder), reranker=RememberedReranker(first.reranker))
    world = made(args.folder, args.work, first)
    # The store is asked as a copy: of the one that was filled nothing is deleted.
    copied = World(
        args.work / "asked", world.pairs, world.rows, world.questions, world.planted, world.watch, world.engines
    )
    shutil.rmtree(copied.folder, ignore_errors=True)
    shutil.copytree(world.store, copied.store)
    tally = run(copied, args.retrievals, args.answers, args.seed)
    for stage, counts in tally.stages.items():
        rest = {name: n for name, n in sorted(counts.items()) if name not in ("outputs", "spans")}
        print(f"{stage:32s} {counts['outputs']:7,} outputs {counts['spans']:9,} spans  {rest}")
    print(f"{len(world.rows)} twins; leaks: {tally.leaks}")
    if args.json:
        args.json.write_text(json.dumps({k: dict(v) for k, v in tally.stages.items()}, indent=1) + "\n", "utf-8")
    raise SystemExit(1 if tally.leaks else 0)


if __name__ == "__main__":
    main()
