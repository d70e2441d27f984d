"""Words of the question maker, and the ledger that finds the spans which state a fact."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, get_args

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.longchart.facts.model import Life
from chartcite.lab.longchart.notes.grammar import Phrasebook, join
from chartcite.lab.longchart.notes.paper import Aspect, Mention, Note

Kind = Literal[
    "single_fact", "latest", "first", "value_at", "value_before", "value_after", "change", "trend", "duration", "count",
    "order", "current_medications_as_of", "reason", "cross_note", "family_vs_patient", "denied", "present", "absent",
    "conflicting", "multiple_choice", "narrative",
]  # fmt: skip
KINDS: tuple[str, ...] = get_args(Kind)
_MOST_FORBIDDEN = 40


@dataclass(frozen=True, slots=True)
class Span:
    """Where something is stated. `part`: which part of the answer; -1 supports without being needed."""

    doc_id: str
    start: int
    end: int
    quote: str
    part: int = 0
    copied: bool = False
    why: str = ""

    def to_dict(self, forbidden: bool = False) -> dict[str, Any]:
        """The form in `questions.jsonl`."""
        shown: dict[str, Any] = {"doc_id": self.doc_id, "start": self.start, "end": self.end, "quote": self.quote}
        return shown | ({"why": self.why} if forbidden else {"part": self.part, "copied": self.copied})


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its computed gold."""

    patient_id: str
    lang: str
    split: str
    kind: Kind
    family: str
    text: str
    answer: Mapping[str, Any]
    gold: tuple[Span, ...]
    must_not_cite: tuple[Span, ...] = ()
    as_of: str = ""
    options: tuple[str, ...] = ()
    answerable: bool = True
    concept: str = ""
    synonyms: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    about: str = ""

    def to_dict(self, question_id: str) -> dict[str, Any]:
        """One line of `questions.jsonl`."""
        return {
            "id": question_id, "patient_id": self.patient_id, "lang": self.lang, "split": self.split, "kind": self.kind,
            "family": self.family, "about": self.about, "question": self.text, "as_of": self.as_of or None,
            "options": list(self.options), "answerable": self.answerable, "answer": dict(self.answer),
            "gold": [s.to_dict() for s in self.gold], "must_not_cite": [s.to_dict(True) for s in self.must_not_cite],
            "concept": self.concept, "synonyms": list(self.synonyms), "facts": list(self.facts),
        }  # fmt: skip


class Ledger:
    """Mentions of one patient's notes by fact."""

    def __init__(self, notes: Sequence[Note]) -> None:
        self.notes = {n.doc_id: n for n in notes}
        self._by_fact: dict[str, list[Mention]] = {}
        for note in sorted(notes, key=lambda n: (n.at, n.doc_id)):
            for mention in note.mentions:
                self._by_fact.setdefault(mention.fact_id, []).append(mention)

    def mentions(self, fact_id: str, aspects: Iterable[Aspect], until: date | None = None) -> list[Mention]:
        """Mentions of a fact (in those aspects) in notes up to a day, oldest note first."""
        wanted = set(aspects)
        return [
            m for m in self._by_fact.get(fact_id, [])
            if m.aspect in wanted and (until is None or self.notes[m.doc_id].at.date() <= until)
        ]  # fmt: skip

    def spans(
        self, fact_id: str, *aspects: Aspect, part: int = 0, until: date | None = None, why: str = ""
    ) -> list[Span]:
        """The same as spans."""
        return [
            Span(m.doc_id, m.start, m.end, self.notes[m.doc_id].text[m.start : m.end], part, m.copied, why)
            for m in self.mentions(fact_id, aspects, until)
        ]


@dataclass(slots=True)
class Case:
    """What a maker works with. `other`: the twin's life and ledger, if there is a twin."""

    life: Life
    ledger: Ledger
    book: Phrasebook
    dice: Dice
    other: tuple[Life, Ledger] | None = None
    absent_names: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)

    @property
    def _persona(self) -> dict[str, str]:
        female = self.life.person.sex == "F"
        return {"o": "a" if female else "o", "O": "A" if female else "O"}

    def phrase(self, key: str, **slots: str) -> tuple[str, str]:
        """Family and text of a question."""
        row = self.book.choose(key)
        return row.family, join(self.book.fill(row, {**self._persona, **slots}))

    def noun(self, key: str, **slots: str) -> str:
        """Words to stand inside a question."""
        return "".join(p.text for p in self.book.fill(self.book.choose(key), slots)).strip()

    def question(
        self, kind: Kind, key: str, slots: Mapping[str, str], answer: Mapping[str, Any], gold: Sequence[Span],
        forbidden: Sequence[Span] = (), *, as_of: date | None = None, facts: Sequence[str] = (), about: str = "",
    ) -> Question | None:  # fmt: skip
        """A question, or None when the record does not state what is asked."""
        if not gold:
            return None
        family, text = self.phrase(key, **slots)
        kept = {(s.doc_id, s.start) for s in gold}
        clean = {(s.doc_id, s.start, s.end): s for s in forbidden if (s.doc_id, s.start) not in kept}
        person = self.life.person
        return Question(
            person.patient_id,
            person.lang,
            person.split,
            kind,
            family,
            text,
            answer,
            tuple(gold),
            tuple(list(clean.values())[:_MOST_FORBIDDEN]),
            as_of.isoformat() if as_of else "",
            facts=tuple(facts),
            about=about,
        )


def every_part(spans: Sequence[Span], parts: int) -> bool:
    """Whether each part of the answer is stated somewhere."""
    return {s.part for s in spans} >= set(range(parts))
