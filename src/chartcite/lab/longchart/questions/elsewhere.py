"""The same questions in the other language: an English record asked in Portuguese, a Portuguese one in English.

A question is made twice, once by the templates of each language, and paired by what it asks; gold and short answer are
those of the record's own language. What has no pair (questions about what a record lacks, whose words are drawn by
language) is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from chartcite.lab.longchart.facts.model import Life
from chartcite.lab.longchart.notes.paper import Note
from chartcite.lab.longchart.questions.maker import make_questions
from chartcite.lab.longchart.questions.model import Question

_LEFT_OUT = ("absent", "multiple_choice", "narrative")
_ANOTHER_DRUG = ("morphine", "dipirona")
"""The lists give a Portuguese record another allergen in its place: no translation."""


def in_other_language(
    life: Life, notes: Sequence[Note], other: tuple[Life, Sequence[Note]] | None, seed: int
) -> list[tuple[Question, Question]]:
    """Pairs of a question as `make_questions` has it and the same in the other language, in the order of the first."""
    abroad = copy(life)
    abroad.person = replace(life.person, lang="en" if life.person.lang == "pt" else "pt")
    own = _by_key(make_questions(life, notes, other, seed))
    foreign = _by_key(make_questions(abroad, notes, other, seed))
    return [
        (question, replace(question, text=foreign[key].text, lang=foreign[key].lang))
        for key, question in own.items()
        if key in foreign
    ]


def _by_key(questions: Sequence[Question]) -> dict[tuple[object, ...], Question]:
    """Questions by what they ask; two of one key are told apart by nothing here, and both left out."""
    found: dict[tuple[object, ...], list[Question]] = {}
    for question in questions:
        text = question.text.casefold()
        if question.kind in _LEFT_OUT or question.about == "family" or any(drug in text for drug in _ANOTHER_DRUG):
            continue
        if question.gold:
            spans = tuple((s.doc_id, s.start, s.part) for s in question.gold)
            found.setdefault((question.kind, question.about, question.facts, question.as_of, spans), []).append(
                question
            )
    return {key: same[0] for key, same in found.items() if len(same) == 1}
