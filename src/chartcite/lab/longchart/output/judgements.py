"""Questions and TREC relevance judgements (note level)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from chartcite.lab.longchart.questions.model import Question


def numbered(questions: Sequence[Question]) -> Iterator[tuple[str, Question]]:
    """Questions with ids that count within a patient."""
    count: dict[str, int] = {}
    for question in questions:
        count[question.patient_id] = count.get(question.patient_id, 0) + 1
        yield f"{question.patient_id}-q{count[question.patient_id]:04d}", question


def question_rows(questions: Sequence[Question]) -> Iterator[dict[str, Any]]:
    """The rows of `questions.jsonl`."""
    for identity, question in numbered(questions):
        yield question.to_dict(identity)


def write_qrels(questions: Sequence[Question], path: Path) -> None:
    """`question 0 doc_id grade`: 2 states a needed part in the first place, 1 a copy or supporting note."""
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for identity, question in numbered(questions):
            grades: dict[str, int] = {}
            for span in question.gold:
                grade = 2 if span.part >= 0 and not span.copied else 1
                grades[span.doc_id] = max(grades.get(span.doc_id, 0), grade)
            out.writelines(f"{identity} 0 {doc_id} {grade}\n" for doc_id, grade in grades.items())
