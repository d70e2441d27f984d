"""As of a day: is an answer the same as if nothing later had ever been written?

Usage: python benchmarks/as_of.py FOLDER WORK [--split dev] [--patients 3] [--days 40] [--seed 0] [--json OUT]

FOLDER comes from `chartcite lab generate longchart`. Of each patient the notes get times of every form (a day, a
minute, a zone, a month, a year, none), some are superseded by a later one, some entered in error. For each day two
stores are asked the same: the whole one, and one that was only ever given what had been written by then, both with
`as_of`. The days lie on and beside the borders of notes: the day, the one before and after, the month, the year, the
minute.

Counted, over every door (search, documents, ask, for a patient, choose, span, timeline, now and then the table and the
whole timeline), under several settings:

- differ: the two outputs are not the same bytes (all but the partition's number of changes);
- later: a document named that was not yet surely written. `written_by` below says which are, apart from the store's
  own rule: a day is that of the note's own zone, a minute is compared in UTC, a note with a month or a year counts once
  that is over, one without a time never.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from calendar import monthrange
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from chartcite.core.documents import Document, Provenance
from chartcite.core.errors import UnknownPartition
from chartcite.core.time import When
from chartcite.lab.datafiles import read_objects
from chartcite.lab.longchart.dice import Dice
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from isolation.doors import ANSWERING, RETRIEVING, SLOW, engines_like, same
from isolation.filling import RememberedEncoder, RememberedReranker, fill
from isolation.watch import Watch

WAYS: tuple[Mapping[str, Any], ...] = (
    {}, {"method": "lexical", "rerank": "none"}, {"method": "dense", "fusion": "rrf"}, {"method": "hierarchical"},
    {"method": "full_context"}, {"over_time": False}, {"large_passages": 0},
)  # fmt: skip
SLOW_EVERY = 10
ZONES = ("Z", "+05:30", "-11:00", "+14:00")


def documents_of(rows: Sequence[Mapping[str, Any]], seed: object) -> list[Document]:
    """The notes of one patient with times of every form; some superseded, some in error."""
    dice = Dice("as_of", seed)
    found: list[Document] = []
    for row in rows:
        made = Document(
            doc_id=row["doc_id"], text=row["text"], source=Provenance(row["doc_id"], "", "text"),
            title=row.get("title", ""), note_type=row["note_type"], time=_time(row["time"], dice),
            author=row.get("author", ""), lang=row.get("lang", ""), encounter_id=row.get("encounter_id", ""),
            status="entered-in-error" if dice.chance(0.03) else "current",
        )  # fmt: skip
        if found and dice.chance(0.08):
            old = int(dice.unit() * len(found))
            found[old] = replace(found[old], status="superseded")
            made = replace(made, replaces=(found[old].doc_id,))
        found.append(made)
    return dice.shuffled(found)


def _time(minute: str, dice: Dice) -> When | None:
    form = dice.weighted(("day", "minute", "zone", "month", "year", "none"), (4, 3, 2, 1, 0.5, 0.5))
    if form == "none":
        return None
    cut = {"day": 10, "month": 7, "year": 4}.get(form, 16)
    return When.parse(minute[:cut] + (dice.pick(ZONES) if form == "zone" else ""))


def days_of(documents: Sequence[Document], count: int, seed: object) -> list[str]:
    """Dates on and beside the borders of some documents, of every precision."""
    dice = Dice("days", seed)
    found = []
    for document in dice.some([d for d in documents if d.time], count):
        when = (document.time or When("2000", "year")).moment()
        shift = dice.pick((timedelta(0), timedelta(0), timedelta(days=-1), timedelta(days=1), timedelta(minutes=-1)))
        form = dice.pick(("%Y-%m-%d", "%Y-%m-%d", "%Y-%m-%d", "%Y-%m", "%Y", "%Y-%m-%dT%H:%M"))
        found.append((when + shift).strftime(form))
    return found


def written_by(document: Document, as_of: str) -> bool:
    """Whether a document was surely written by the end of a date."""
    if document.time is None:
        return False
    written, until = document.time, When.parse(as_of)
    is_clock = until.precision in ("minute", "second")
    if written.precision in ("minute", "second") and is_clock:
        return written.moment() < until.moment() + timedelta(minutes=1)
    last = _last_day(written.date)
    if is_clock:
        return datetime.fromisoformat(f"{last}T23:59:59").replace(tzinfo=UTC) < until.moment() + timedelta(minutes=1)
    return last <= _last_day(until.date)


def _last_day(date: str) -> str:
    """The last day of a year, a month or a day."""
    if len(date) == 4:
        return f"{date}-12-31"
    return date if len(date) == 10 else f"{date}-{monthrange(int(date[:4]), int(date[5:7]))[1]}"


def compared(
    folder: Path, documents: Sequence[Document], questions: Sequence[str], days: Sequence[str], engines: Engines,
    seed: object, per_day: int, ways: Sequence[Mapping[str, Any]] = WAYS, slow_every: int = SLOW_EVERY,
) -> Counter[str]:  # fmt: skip
    """Both stores of one patient, asked on each day; on one of `slow_every` through the slow doors too."""
    dice, found = Dice("compared", seed), Counter[str]()
    has_files = any(way.get("large_passages") == 0 for way in ways)
    _store(folder / "whole", documents, engines, has_files=has_files)
    for n, day in enumerate(days):
        then = [d for d in documents if written_by(d, day)]
        _store(folder / "then", then, engines, has_files=has_files)
        watch = Watch({"p": {d.doc_id: d.text for d in then}}, {"p": (), "nobody": ("\0",)})
        way = ways[n % len(ways)]
        doors = {**RETRIEVING, **ANSWERING, **(SLOW if n % slow_every == slow_every - 1 else {})}
        for question in dice.some(questions, per_day):
            for name, door in doors.items():
                outputs = [_asked(folder / place, engines, way, door, question, day) for place in ("whole", "then")]
                found["compared"] += 1
                found[f"differ: {name}"] += not same(*outputs)
                seen = watch.foreign("p", outputs[0], question)
                found["spans"] += seen["spans"]
                found["later"] += seen["documents of another"] + seen["quotes that differ"]
    return found


def _store(folder: Path, documents: Sequence[Document], engines: Engines, *, has_files: bool) -> None:
    """A new store, with search files beside it or without.

    A document in error stands beside the others, so that the partition is there when there are none.
    """
    shutil.rmtree(folder, ignore_errors=True)
    with Book(folder, engines=engines_like(engines, Settings())) as book:
        error = Document(
            doc_id="error", text="Written in error.", source=Provenance("error", "", "text"), status="entered-in-error"
        )
        fill(book, "p", [error, *documents])
    if has_files:
        large = Settings(large_passages=0)
        with Book(folder, large, engines=engines_like(engines, large)) as book:
            book.index()


def _asked(folder: Path, engines: Engines, way: Mapping[str, Any], door: Any, question: str, day: str) -> Any:
    settings = Settings(**way)
    with Book(folder, settings, create=False, engines=engines_like(engines, settings)) as book:
        try:
            return door(book, question, "p", day)
        except UnknownPartition:
            return "unknown"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--patients", type=int, default=3, help="the smallest of the split")
    parser.add_argument("--days", type=int, default=40)
    parser.add_argument("--questions", type=int, default=2, help="a day")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    people = [p for p in read_objects(args.folder / "patients.jsonl") if p["split"] == args.split]
    chosen = [p["patient_id"] for p in sorted(people, key=lambda p: p["notes"])[: args.patients]]
    rows, questions = defaultdict(list), defaultdict(list)
    for row in read_objects(args.folder / "notes.jsonl"):
        rows[row["patient_id"]].append(row)
    for row in read_objects(args.folder / "questions.jsonl"):
        questions[row["patient_id"]].append(row["question"])
    engines = Engines(Settings())
    engines.__dict__.update(encoder=RememberedEncoder(engines.encoder), reranker=RememberedReranker(engines.reranker))
    total: Counter[str] = Counter()
    for patient in chosen:
        documents = documents_of(rows[patient], (args.seed, patient))
        days = days_of(documents, args.days, (args.seed, patient))
        found = compared(args.work, documents, questions[patient], days, engines, (args.seed, patient), args.questions)
        total += found
        print(f"{patient}: {len(documents)} notes, {len(days)} days", file=sys.stderr, flush=True)
    leaks = sum(n for name, n in total.items() if name == "later" or name.startswith("differ"))
    for name, count in sorted(total.items()):
        print(f"{name:28s} {count:8,}")
    print(f"{len(chosen)} patients of {args.split}; leaks: {leaks}")
    if args.json:
        args.json.write_text(json.dumps(dict(sorted(total.items())), indent=1) + "\n", "utf-8")
    raise SystemExit(1 if leaks else 0)


if __name__ == "__main__":
    main()
