"""All questions of a patient, once each, in a stable order."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.longchart.facts.model import Life
from chartcite.lab.longchart.notes.grammar import Phrasebook
from chartcite.lab.longchart.notes.paper import Note
from chartcite.lab.longchart.questions import drugs, forms, history, presence, values
from chartcite.lab.longchart.questions.model import KINDS, Case, Ledger, Question


def make_questions(
    life: Life, notes: Sequence[Note], other: tuple[Life, Sequence[Note]] | None, seed: int
) -> list[Question]:
    """Questions over one record; `other` is the twin's life and notes."""
    person = life.person
    book = Phrasebook(person.lang, person.split, Dice(seed, person.patient_id, "questions book"))
    case = Case(life, Ledger(notes), book, Dice(seed, person.patient_id, "questions"))
    if other is not None:
        case.other = (other[0], Ledger(other[1]))
    made: list[Question] = []
    for maker in (values, drugs, history, presence):
        made += [q for q in maker.make(case) if q is not None]
    made = _once(made)
    made += [q for q in forms.make(case, made) if q is not None]
    return sorted(_once(made), key=lambda q: KINDS.index(q.kind))


def _once(questions: list[Question]) -> list[Question]:
    """No two that ask the same of the same facts, and none twice in the same words."""
    seen: set[tuple[str, ...]] = set()
    kept = []
    for question in questions:
        asked = (question.kind, question.text, question.as_of)
        same = (question.kind, question.about, str(question.answer.get("text")), *question.facts, question.as_of)
        listed = question.kind in ("absent", "present", "multiple_choice")
        if asked not in seen and (listed or same not in seen):
            seen |= {asked, same}
            kept.append(question)
    return kept
