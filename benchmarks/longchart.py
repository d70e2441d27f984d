"""How the default settings answer the questions of a longchart folder, by kind, beside a keyword search.

Usage: python benchmarks/longchart.py FOLDER STORE [--split dev] [--questions N] [--seed 0] [--lang en|pt] [--json OUT]

FOLDER comes from `chartcite lab generate longchart`; STORE is made if it does not exist, all patients of FOLDER go into
it once. Asked is a sample of the split: the kinds take turns, each gives its questions in an order drawn by the seed.
Every question goes to its own patient's record with its own `as_of`. A narrative is asked as it came: the whole message
is the question. The options of a multiple choice are not shown. Nothing is tuned here; tune on `dev`, report `test`.

Rules of counting, of the questions that the record answers ("found" and "cited" mean: the same note, and the overlap
holds a letter or digit; an abstention found nothing, cited nothing and is wrong):

- evidence: a citation overlaps a gold sentence of any part of the answer.
- recall: mean share of the answer's parts with a gold sentence in `answer.evidence`, cited or not.
- right: the short answer (value, dose, text, reason, both ends of a change, all versions of a conflict) stands in what
  is cited of the gold sentences. Counted where it stands in the gold sentences word for word; not for what must be
  computed (counts, durations, order, trends, dates, lists). It is looked for as a string, of a dose the amount alone.
- forbidden: a citation overlaps a sentence that the question must not be answered with (another date, a goal, not the
  patient's). Counted where the patient's own record has such a sentence. The lower the better.
- abstained: no answer.
- keyword, kw right: the same two for the one sentence with the greatest weight of shared words (`tricks.py`); it never
  abstains.

Is it in the record? Absent (no note has any name of it): the right answer is an abstention. Denied and present (the
record says no, or yes, perhaps by another name): evidence as above; false absence is an abstention that says that the
words are nowhere in the record. Abstentions for weak evidence do not claim that and stand only under abstained.

Intervals are Wilson's, 95 %, over questions (for recall, of the sum of shares: too wide rather than too narrow).
Questions of one patient are not independent, so with few patients they are too narrow.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from chartcite.core.answer import Answer
from chartcite.ingest.ledger import SourceEntry
from chartcite.lab.datafiles import read_object, read_objects
from chartcite.lab.longchart.dice import Dice
from chartcite.lab.longchart.notes.paper import Note
from chartcite.lab.longchart.questions.model import KINDS, Question, Span
from chartcite.lab.longchart.tricks import Line, Record, answers
from chartcite.library.book import Book

SHORT = ("value", "dose", "text", "reason", "choice", "change", "dose_change", "conflict")
ANSWERED = ("evidence", "recall", "right", "forbidden", "abstained", "keyword", "kw right")
PRESENCE = ("right abstention", "evidence", "false absence", "abstained")
IN_RECORD = ("absent", "denied", "present")


def notes_of(folder: Path) -> dict[str, list[Note]]:
    """The notes by patient, in order."""
    found: dict[str, list[Note]] = defaultdict(list)
    for r in read_objects(folder / "notes.jsonl"):
        found[r["patient_id"]].append(
            Note(
                r["doc_id"], r["patient_id"], r["encounter_id"], datetime.fromisoformat(r["time"]), r["note_type"],
                r["author"], r["title"], r["lang"], r["text"], (),
            )
        )  # fmt: skip
    return found


def questions_of(folder: Path, split: str, lang: str) -> list[tuple[str, Question]]:
    return [
        (
            r["id"],
            Question(
                r["patient_id"], r["lang"], r["split"], r["kind"], r["family"], r["question"], r["answer"],
                tuple(Span(**g) for g in r["gold"]), tuple(Span(**m) for m in r["must_not_cite"]), r["as_of"] or "",
                tuple(r["options"]), r["answerable"],
            ),
        )
        for r in read_objects(folder / "questions.jsonl")
        if r["split"] == split and lang in ("", r["lang"])
    ]  # fmt: skip


def sample(questions: Sequence[tuple[str, Question]], count: int, seed: int) -> list[tuple[str, Question]]:
    """The kinds take turns until there are enough; in the order of the file."""
    piles = [Dice(seed, "longchart", k).shuffled([q for q in questions if q[1].kind == k]) for k in KINDS]
    turns = [pile[i] for i in range(max(map(len, piles))) for pile in piles if i < len(pile)]
    chosen = {identity for identity, _ in turns[:count]}
    return [q for q in questions if q[0] in chosen]


def ingest(folder: Path, book: Book, notes: Mapping[str, Sequence[Note]]) -> float:
    """Seconds it took. The store must hold these notes and no others of these patients."""
    start = time.perf_counter()
    if {p.scope.name: p.documents for p in book.patients()} != {p: len(notes[p]) for p in notes}:
        book.ingest(folder / "notes.jsonl", progress=advance)
    held = {p.scope.name: p.documents for p in book.patients()}
    if wrong := [p for p in notes if held.get(p) != len(notes[p])]:
        raise SystemExit(f"{len(wrong)} patients of the store do not have the folder's notes. Name a new store.")
    return time.perf_counter() - start


def advance(entry: SourceEntry, _: int) -> None:
    if entry.documents % 100 == 0:
        print(f"{entry.documents} notes read", file=sys.stderr, flush=True)


def shared(doc_id: str, start: int, end: int, spans: Iterable[Span], text: str) -> list[str]:
    """What a citation has in common with each span that it overlaps by a letter or digit."""
    parts = [text[max(start, s.start) : min(end, s.end)] for s in spans if s.doc_id == doc_id]
    return [part for part in parts if any(c.isalnum() for c in part)]


def states(question: Question, parts: Sequence[str]) -> bool:
    """Whether the short answer stands in the text; a capital at the head of a sentence does not matter."""
    text = " ".join(" ".join(parts).split())
    return bool(parts) and answers(question, Line("", 0, 0, f"{text}\n{text.lower()}", frozenset(), 0))


def judge(question: Question, answer: Answer, texts: Mapping[str, str], record: Record) -> dict[str, float | None]:
    """Each measure as 0 to 1, or None where it does not apply."""
    needed = [s for s in question.gold if s.part >= 0]
    own = [s for s in question.must_not_cite if s.doc_id in texts]
    cited = [(c.doc_id, c.start, c.end) for c in answer.citations]
    gold = [t for place in cited for t in shared(*place, needed, texts.get(place[0], ""))]
    bad = [t for place in cited for t in shared(*place, own, texts.get(place[0], ""))]
    seen = {
        s.part for s in needed for e in answer.evidence
        if shared(e.doc_id, e.start, e.end, [s], texts.get(e.doc_id, ""))
    }  # fmt: skip
    line = record.overlap(question)
    simple = shared(line.doc_id, line.start, line.end, needed, texts[line.doc_id]) if line else []
    found: dict[str, float | None] = dict.fromkeys((*ANSWERED, *PRESENCE))
    found["abstained"] = float(answer.abstained)
    if not question.answerable:
        return found | {"right abstention": float(answer.abstained)}
    short = question.answer["type"] in SHORT and states(question, [s.quote for s in needed])
    return found | {
        "evidence": float(bool(gold)),
        "recall": len(seen) / len({s.part for s in needed}),
        "right": float(states(question, gold)) if short else None,
        "forbidden": float(bool(bad)) if own else None,
        "keyword": float(bool(simple)),
        "kw right": float(states(question, simple)) if short else None,
        "false absence": float(answer.abstained and answer.reason in ("not_mentioned", "empty_record")),
    }


def slips(question: Question, answer: Answer, texts: Mapping[str, str], days: Mapping[str, str]) -> Counter[str]:
    """What must never happen."""
    found = Counter(citations=len(answer.citations))
    for c in answer.citations:
        found["of another patient"] += c.doc_id not in texts
        found["quote differs from the note"] += texts.get(c.doc_id, "")[c.start : c.end] != c.quote
        found["written after as_of"] += bool(question.as_of) and days.get(c.doc_id, "") > question.as_of
    return found


def wilson(k: float, n: int) -> tuple[float, float]:
    """Wilson's interval at 95 %. Of a sum of shares too, which `lab.statistics` does not take."""
    z = 1.959963984540054
    middle, spread = (k + z * z / 2) / (n + z * z), z / (n + z * z) * math.sqrt(k * (n - k) / n + z * z / 4)
    return max(0.0, middle - spread), min(1.0, middle + spread)


def figure(values: Iterable[float | None]) -> dict[str, float] | None:
    known = [v for v in values if v is not None]
    if not known:
        return None
    low, high = wilson(sum(known), len(known))
    return {"n": len(known), "share": sum(known) / len(known), "low": low, "high": high}


def table(rows: Sequence[Mapping[str, Any]], kinds: Sequence[str], names: Sequence[str], total: str) -> dict[str, Any]:
    groups = {kind: [r for r in rows if r["kind"] == kind] for kind in kinds}
    groups = {kind: group for kind, group in groups.items() if group}
    if total and groups:
        groups[total] = [r for group in groups.values() for r in group]
    return {
        kind: {"n": len(group)} | {name: figure(r["measures"][name] for r in group) for name in names}
        for kind, group in groups.items()
    }


def show(shown: Mapping[str, Any], names: Sequence[str]) -> None:
    print(f"\n{'% [95 % interval]':27s}{'n':>4s}  " + "".join(f"{name:20s}" for name in names).rstrip())
    for kind, row in shown.items():
        cells = "".join(f"{cell(row[name], row['n']):20s}" for name in names)
        print(f"{kind:27s}{row['n']:4d}  {cells}".rstrip())


def cell(found: Mapping[str, float] | None, n: int) -> str:
    if found is None:
        return "-"
    of = "" if found["n"] == n else f" of {found['n']}"
    return f"{100 * found['share']:.0f} [{100 * found['low']:.0f}-{100 * found['high']:.0f}]{of}"


def ask_all(
    book: Book, asked: Sequence[tuple[str, Question]], notes: Mapping[str, Sequence[Note]]
) -> tuple[list[dict[str, Any]], Counter[str], str]:
    """A row a question, what must never happen, and the hash of the configuration."""
    rows: list[dict[str, Any]] = []
    wrong: Counter[str] = Counter()
    config, patient = "", ""
    for done, (identity, question) in enumerate(asked, start=1):
        if question.patient_id != patient:
            patient = question.patient_id
            record = Record(notes[patient])
            texts = {n.doc_id: n.text for n in notes[patient]}
            days = {n.doc_id: n.at.date().isoformat() for n in notes[patient]}
        start = time.perf_counter()
        answer = book.ask(question.text, patient=patient, as_of=question.as_of or None)
        spent = time.perf_counter() - start
        wrong += slips(question, answer, texts, days)
        config = answer.config
        rows.append({
            "id": identity, "kind": question.kind if question.answerable or question.kind in IN_RECORD else
            f"{question.kind} (absent)", "lang": question.lang, "abstained": answer.abstained,
            "reason": answer.reason, "cited": [[c.doc_id, c.start, c.end] for c in answer.citations],
            "measures": judge(question, answer, texts, record), "seconds": round(spent, 4),
        })  # fmt: skip
        if done % 20 == 0:
            print(f"{done} of {len(asked)}", file=sys.stderr, flush=True)
    return rows, wrong, config


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("store", type=Path)
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    parser.add_argument("--questions", type=int, default=420)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lang", choices=("en", "pt"), default="")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    notes = notes_of(args.folder)
    known = questions_of(args.folder, args.split, args.lang)
    if not known:
        raise SystemExit(f"The folder has no question of the split {args.split}.")
    asked = sample(known, args.questions, args.seed)
    with Book(args.store) as book:
        ingested = ingest(args.folder, book, notes)
        rows, wrong, config = ask_all(book, asked, notes)
    answered = table([r for r in rows if r["measures"]["evidence"] is not None], KINDS, ANSWERED, "all of these")
    absent = [k for k in dict.fromkeys(r["kind"] for r in rows) if k.endswith("(absent)")]
    presence = table(rows, [*IN_RECORD, *absent], PRESENCE, "")
    patients = len({q.patient_id for _, q in asked})
    languages = ", ".join(f"{n} {lang}" for lang, n in sorted(Counter(r["lang"] for r in rows).items()))
    seconds = [r["seconds"] for r in rows]
    print(f"{len(rows)} of {len(known)} questions of {args.split} ({languages}), {patients} patients, seed {args.seed}")
    show(answered, ANSWERED)
    show(presence, PRESENCE)
    kinds = ("of another patient", "quote differs from the note", "written after as_of")
    print(f"\n{wrong['citations']} citations; " + "; ".join(f"{name}: {wrong[name]}" for name in kinds))
    print(f"ingest {ingested:.1f} s; a question: median {statistics.median(seconds):.2f} s, most {max(seconds):.2f} s")
    if args.json:
        made = read_object(args.folder / "manifest.json")
        result = {
            "split": args.split, "seed": args.seed, "lang": args.lang, "asked": len(rows), "known": len(known),
            "patients": patients, "config": config,
            "data": {k: made[k] for k in ("version", "seed", "patients", "language_mix", "scale")},
            "answered": answered, "presence": presence, "slips": dict(wrong), "questions": rows,
        }  # fmt: skip
        args.json.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
