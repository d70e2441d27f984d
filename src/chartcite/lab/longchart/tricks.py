"""Cheap tricks that must not solve the benchmark: the newest line with the word and a number, the best word overlap.

A trick that scores above nine in ten on a kind means that the kind needs more distractors. No model, no product code.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from chartcite.lab.longchart.notes.paper import Note
from chartcite.lab.longchart.questions.model import KINDS, Question
from chartcite.lab.longchart.questions.presence import RecordText, concepts, plain

_WORD = re.compile(r"[^\W_]+(?:[.,/-][^\W_]+)*")
_STOP = frozenset(
    [
        "what",
        "which",
        "was",
        "is",
        "the",
        "a",
        "an",
        "of",
        "on",
        "in",
        "at",
        "to",
        "for",
        "and",
        "or",
        "did",
        "does",
        "has",
        "how",
        "many",
        "much",
        "when",
        "with",
        "by",
        "from",
        "patient",
        "patient's",
        "it",
        "that",
        "this",
        "qual",
        "quais",
        "foi",
        "era",
        "o",
        "a",
        "os",
        "as",
        "de",
        "do",
        "da",
        "dos",
        "das",
        "em",
        "no",
        "na",
        "que",
        "quanto",
        "quantos",
        "quantas",
        "paciente",
        "e",
        "ou",
        "se",
        "por",
        "um",
        "uma",
    ]
)
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\[#*-])|\n{2,}|\n(?=[-*#|\d\[])|\n(?=[A-Z][\w ]+[:;|])")


@dataclass(frozen=True, slots=True)
class Line:
    """A crude sentence of a note with its words."""

    doc_id: str
    start: int
    end: int
    text: str
    words: frozenset[str]
    order: int


def words_of(text: str) -> list[str]:
    """Folded words without stop words."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    return [w for w in _WORD.findall(bare) if w not in _STOP]


def lines_of(notes: Sequence[Note]) -> list[Line]:
    """Sentences by punctuation and line ends; the notes in order of time."""
    found: list[Line] = []
    for note in notes:
        start = 0
        for cut in [*(m.start() for m in _END.finditer(note.text)), len(note.text)]:
            text = note.text[start:cut]
            if text.strip():
                found.append(Line(note.doc_id, start, cut, text, frozenset(words_of(text)), len(found)))
            start = cut
    return found


class Record:
    """One record prepared for the tricks."""

    def __init__(self, notes: Sequence[Note]) -> None:
        self.lines = lines_of(notes)
        self.dates = {n.doc_id: n.at.date().isoformat() for n in notes}
        counts = Counter(w for line in self.lines for w in line.words)
        self._rare = {w: math.log(1 + len(self.lines) / c) for w, c in counts.items()}

    def allowed(self, question: Question) -> list[Line]:
        """Lines of notes that may be used."""
        if not question.as_of:
            return self.lines
        return [line for line in self.lines if self.dates[line.doc_id] <= question.as_of]

    def overlap(self, question: Question) -> Line | None:
        """The line with the greatest weight of shared words; the newer one of equals."""
        wanted = frozenset(words_of(question.text))
        return max(self.allowed(question), key=lambda s: (self._score(wanted, s), s.order), default=None)

    def newest(self, question: Question) -> Line | None:
        """The newest line that holds the rarest word of the question and a number."""
        known = [w for w in words_of(question.text) if w in self._rare and not w[0].isdigit()]
        if not known:
            return None
        topic = max(known, key=lambda w: self._rare[w])
        able = [s for s in self.allowed(question) if topic in s.words and any(c.isdigit() for c in s.text)]
        return able[-1] if able else None

    def _score(self, wanted: frozenset[str], line: Line) -> float:
        shared = wanted & line.words
        return sum(self._rare[w] for w in shared) / (1.0 + 0.02 * len(line.words))


def hits(question: Question, line: Line | None) -> bool:
    """Whether a line is a gold sentence, or (without gold) whether nothing is offered."""
    if line is None:
        return not question.gold
    return any(
        g.part >= 0 and g.doc_id == line.doc_id and g.start < line.end and line.start < g.end for g in question.gold
    )


def answers(question: Question, line: Line | None) -> bool:
    """Whether the short answer stands in the line (kinds with several parts need them all)."""
    if not question.answerable or line is None:
        return not question.answerable and line is None
    return all(any(f in line.text for f in forms) for forms in _forms(question.answer))


def _forms(answer: Mapping[str, object]) -> Iterator[list[str]]:
    kind = answer.get("type")
    if kind == "choice" and isinstance(answer["of"], Mapping):
        yield from _forms(answer["of"])
    elif kind in ("change", "trend", "dose_change"):
        for side in ("from", "to"):
            part = answer[side]
            if isinstance(part, Mapping):
                yield from _forms(part)
    elif kind == "list":
        items = answer["items"]
        for item in items if isinstance(items, list) else []:
            yield from _forms(item)
    elif kind == "conflict":
        yield from ([str(v)] for v in _listed(answer["versions"]))
    elif kind in ("text", "reason"):
        yield [str(v) for v in _listed(answer["accept"])]
    elif kind in ("value", "dose"):
        shown = str(answer.get("value") or answer.get("amount"))
        yield [shown, shown.replace(".", ",")]
    else:
        yield [str(answer.get("text"))]


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else [value]


def held_names(notes: Sequence[Note], lang: str) -> dict[str, bool]:
    """Every name of every concept: whether a search finds it in the record."""
    record = RecordText(notes)
    return {plain(n): record.holds(n) for _, _, known in concepts("pt" if lang == "pt" else "en") for n in known}


def named_is_present(question: Question, held: Mapping[str, bool]) -> bool | None:
    """Whether "present, as the longest name asked for stands in the record" is right; None: not such a question."""
    if "q_record_" not in question.family:
        return None
    asked = plain(question.text)
    longest = max((n for n in held if re.search(rf"(?<!\w){re.escape(n)}(?!\w)", asked)), key=len, default="")
    return bool(longest and held[longest]) == (question.answer.get("status") == "present")


def measure(
    everybody: Sequence[tuple[object, Sequence[Note]]], questions: Sequence[Question]
) -> dict[str, dict[str, float]]:
    """Share of questions by kind whose gold sentence each trick finds, and whose answer stands in it."""
    records = {notes[0].patient_id: Record(notes) for _, notes in everybody if notes}
    held = {notes[0].patient_id: held_names(notes, notes[0].lang) for _, notes in everybody if notes}
    named: dict[str, list[bool]] = {}
    rows: dict[str, list[tuple[bool, bool, bool, bool]]] = {}
    for question in questions:
        record = records[question.patient_id]
        newest, overlap = record.newest(question), record.overlap(question)
        marks = (hits(question, newest), answers(question, newest), hits(question, overlap), answers(question, overlap))
        rows.setdefault(question.kind, []).append(marks)
        right = named_is_present(question, held[question.patient_id])
        if right is not None:
            named.setdefault(question.kind, []).append(right)
    shares = {
        kind: {"n_named": float(len(r)), "named_is_present": round(sum(r) / len(r), 3)} for kind, r in named.items()
    }
    labels = ("newest_gold", "newest_answer", "overlap_gold", "overlap_answer")
    return {
        kind: {"n": float(len(rows[kind]))}
        | {label: round(sum(m[i] for m in rows[kind]) / len(rows[kind]), 3) for i, label in enumerate(labels)}
        | shares.get(kind, {})
        for kind in KINDS
        if kind in rows
    }
