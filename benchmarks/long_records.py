"""Questions over time on long records: the timeline beside the same writer on the whole record, and paper 000's ways.

Usage: python benchmarks/long_records.py FOLDER STORE [--split dev] [--per-kind 10] [--patients N] [--minutes M]
           [--systems NAME,...] [--seed 0] [--json OUT]

FOLDER comes from `chartcite lab generate longchart`, STORE as for `longchart.py` (made if it does not exist). Asked is
a sample of the split, so many questions of each kind, of all patients or of the N with the shortest records, the kinds
in turns, so that a run that ends after M minutes has asked as many of each. Every system answers by rules; only what
the writer is given differs:

- timeline: the default settings.
- full context, RAG k, hierarchical k: the strategies of paper 000 with `over_time = false`, over chartcite's passages
  of whole sentences (the paper's chunks of 510 tokens would be other passages of the same record). Each is searched as
  `lab/presets/long_context.toml` says, and short records are no exception.

Counted (`exactness.py` has the rules):

- exact: the right value, unit and day, or days, count, order, list. An abstention is not exact.
- wrong: an answer that is not exact and has a computed sentence (a quote that does not answer is not wrong, it is
  beside the point; computed sentences claim to answer).
- evidence: mean share of the answer's parts of which a gold sentence is in the evidence.
- context: the same of what was read to choose from, whole sentences: the passages found, and evidence from elsewhere
  (the timeline's, the ends of the record).
- tokens: of the context, as a share of the record's up to the question's date, by the encoder's tokenizer.

Intervals resample patients (10,000 draws); with eleven patients they are wide.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chartcite.core.answer import Answer
from chartcite.lab.longchart.dice import Dice
from chartcite.lab.longchart.notes.paper import Note
from chartcite.lab.longchart.questions.model import Question, Span
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from exactness import TYPES, Sentence, is_exact
from isolation.doors import engines_like
from isolation.filling import RememberedEncoder, RememberedReranker
from longchart import ingest, notes_of, questions_of, shared
from verification.resampled import resampled, shown_ratio

KINDS = (
    "latest", "first", "value_at", "value_before", "value_after", "change", "trend", "duration", "count", "order",
    "current_medications_as_of", "cross_note",
)  # fmt: skip
_PAPER: Mapping[str, Any] = {
    "over_time": False, "fusion": "rrf", "synonym_weight": 0.0, "late_weight": 2.0, "skip_retrieval_sentences": 0,
}  # fmt: skip
SYSTEMS: Mapping[str, Mapping[str, Any]] = {
    "timeline": {},
    "full context": {**_PAPER, "method": "full_context", "rerank": "none"},
    **{f"RAG {k}": {**_PAPER, "top_k": k} for k in (5, 10, 15)},
    **{f"hierarchical {k}": {**_PAPER, "method": "hierarchical", "parents": k, "top_k": 2 * k} for k in (3, 5, 7)},
}
MEASURES = ("exact", "wrong", "evidence", "context", "tokens")


def sample(questions: Sequence[tuple[str, Question]], per_kind: int, seed: int) -> list[tuple[str, Question]]:
    """So many of each kind that can be exact; the kinds take turns, each in an order drawn by the seed."""
    piles = []
    for kind in KINDS:
        own = [q for q in questions if q[1].kind == kind and q[1].answerable and q[1].answer["type"] in TYPES]
        piles.append(Dice(seed, "long_records", kind).some(own, per_kind))
    return [pile[n] for n in range(per_kind) for pile in piles if n < len(pile)]


class Record:
    """One patient's notes, with what a context of them costs."""

    def __init__(self, texts: Mapping[str, str], days: Mapping[str, str], encoder: RememberedEncoder) -> None:
        self.texts, self.days = texts, days
        self._encoder = encoder
        self._known: dict[str, int] = {}

    def tokens(self, text: str) -> int:
        """Tokens of a text."""
        if text not in self._known:
            self._known[text] = len(self._encoder.offsets([text])[0])
        return self._known[text]

    def all_tokens(self, as_of: str) -> int:
        """Tokens of all notes up to a date."""
        return sum(self.tokens(text) for doc, text in self.texts.items() if not as_of or self.days[doc] <= as_of)


def record_of(notes: Sequence[Note], encoder: RememberedEncoder) -> Record:
    """From a patient's notes."""
    return Record({n.doc_id: n.text for n in notes}, {n.doc_id: n.at.date().isoformat() for n in notes}, encoder)


def judged(book: Book, question: Question, record: Record) -> dict[str, float]:
    """The measures of one system's answer to one question."""
    as_of = question.as_of or None
    answer = book.ask(question.text, patient=question.patient_id, as_of=as_of)
    found = book.search(question.text, patient=question.patient_id, as_of=as_of)
    places = [(p.doc_id, p.start, p.end) for f in found for p in f.places]
    evidence = [(e.doc_id, e.start, e.end) for e in answer.evidence]
    read = sum(record.tokens(f.text) for f in found)
    read += sum(record.tokens(record.texts[d][a:b]) for d, a, b in evidence if not _inside((d, a, b), places))
    parts = [[s for s in question.gold if s.part == part] for part in {s.part for s in question.gold if s.part >= 0}]
    exact = is_exact(question.answer, _shown(answer), is_first=question.kind == "first")
    return {
        "exact": float(exact),
        "wrong": float(not exact and any(getattr(s, "computed", None) for s in answer.sentences)),
        "evidence": _share(parts, lambda span: any(shared(*e, [span], record.texts[e[0]]) for e in evidence)),
        "context": _share(parts, lambda span: _inside((span.doc_id, span.start, span.end), [*places, *evidence])),
        "tokens": read / record.all_tokens(question.as_of),
    }


def _shown(answer: Answer) -> list[Sentence]:
    return [Sentence(s.text, tuple(c.time[:10] for c in s.citations if c.time)) for s in answer.sentences]


def _share(parts: Sequence[Sequence[Span]], is_there: Any) -> float:
    return sum(any(map(is_there, part)) for part in parts) / len(parts) if parts else 1.0


def _inside(place: tuple[str, int, int], places: Sequence[tuple[str, int, int]]) -> bool:
    """Whether a span lies in some stretches put together; a gap of one or two is white space between two passages."""
    document, start, end = place
    for _, a, b in sorted(p for p in places if p[0] == document):
        if a <= start + 2 <= b + 2:
            start = max(start, b)
        if start >= end:
            return True
    return False


def ask_all(
    store: Path,
    asked: Sequence[tuple[str, Question]],
    records: Mapping[str, Record],
    engines: Engines,
    most_s: float,
    systems: Sequence[str],
) -> dict[str, dict[str, dict[str, float]]]:
    """By system and question, the measures; no question is begun after `most_s` seconds."""
    begun = time.monotonic()
    found: dict[str, dict[str, dict[str, float]]] = {name: {} for name in systems}
    settings = {name: Settings(**SYSTEMS[name]) for name in systems}
    books = {name: Book(store, s, create=False, engines=engines_like(engines, s)) for name, s in settings.items()}
    for done, (identity, question) in enumerate(asked, start=1):
        if time.monotonic() - begun > most_s:
            break
        for name, book in books.items():
            found[name][identity] = judged(book, question, records[question.patient_id])
        if done % 10 == 0:
            print(f"{done} of {len(asked)}", file=sys.stderr, flush=True)
    for book in books.values():
        book.close()
    return found


def table(
    found: Mapping[str, Mapping[str, Mapping[str, float]]], asked: Sequence[tuple[str, Question]]
) -> dict[str, Any]:
    """By kind and system, each measure with its interval."""
    clusters = {identity: question.patient_id for identity, question in asked}
    groups = {kind: [i for i, q in asked if q.kind == kind] for kind in KINDS}
    groups["all"] = [i for i, _ in asked]
    return {
        kind: {
            name: {
                measure: resampled({i: (rows[i][measure], 1.0) for i in own}, clusters, lambda s: s[:, 0] / s[:, 1])
                for measure in MEASURES
            }
            for name, rows in found.items()
        }
        for kind, own in groups.items() if own
    }  # fmt: skip


def show(rows: Mapping[str, Mapping[str, Any]]) -> None:
    """A row a kind or measure, a column a system."""
    print(f"{'':27s}{'n':>5s}  " + "".join(f"{name:24s}" for name in next(iter(rows.values()))).rstrip())
    for label, row in rows.items():
        cells = "".join(f"{shown_ratio(figure):24s}" for figure in row.values())
        print(f"{label:27s}{next(iter(row.values()))['n']:5d}  {cells}".rstrip())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("store", type=Path)
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    parser.add_argument("--patients", type=int, default=0, help="so many with the shortest records; 0: all")
    parser.add_argument("--per-kind", type=int, default=10)
    parser.add_argument("--systems", default="", help="all if not given")
    parser.add_argument("--minutes", type=float, default=600.0, help="after which no question is begun")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    systems = [name for name in SYSTEMS if not args.systems or name in args.systems.split(",")]
    if not systems:
        raise SystemExit(f"Known systems: {', '.join(SYSTEMS)}.")
    notes = notes_of(args.folder)
    known = questions_of(args.folder, args.split, "")
    people = sorted({q.patient_id for _, q in known}, key=lambda p: (len(notes[p]), p))
    people = people[: args.patients or None]
    asked = sample([q for q in known if q[1].patient_id in people], args.per_kind, args.seed)
    engines = Engines(Settings())
    encoder = RememberedEncoder(engines.encoder)
    engines.__dict__.update(encoder=encoder, reranker=RememberedReranker(engines.reranker))
    with Book(args.store, engines=engines) as book:
        ingest(args.folder, book, notes)
    records = {p: record_of(notes[p], encoder) for p in dict.fromkeys(q.patient_id for _, q in asked)}
    found = ask_all(args.store, asked, records, engines, 60 * args.minutes, systems)
    asked = [q for q in asked if q[0] in found[systems[0]]]
    figures = table(found, asked)
    print(f"{len(asked)} questions of {args.split}, {len(records)} patients, seed {args.seed}")
    show({kind: {name: row["exact"] for name, row in systems.items()} for kind, systems in figures.items()})
    print("\nall kinds")
    show({m: {name: row[m] for name, row in figures["all"].items()} for m in MEASURES})
    if args.json:
        args.json.write_text(json.dumps({"split": args.split, "seed": args.seed, "figures": figures}, indent=1) + "\n")


if __name__ == "__main__":
    main()
