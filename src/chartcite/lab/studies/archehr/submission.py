"""Predictions of a strategy as the task wants them: the four subtasks of 2026, and the one form of 2025."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from chartcite.lab.csv_safe import replace_text
from chartcite.lab.datasets.archehr import Labelled
from chartcite.lab.studies.archehr.tables import CascadeRow, LinkRow
from chartcite.text.limits import first_words, soft_cut

TASKS = ("2026.1", "2026.2", "2026.3", "2026.4", "2025")
QUERY_WORDS, ANSWER_WORDS = 15, 75
NO_ANSWER = "The note does not answer this question."
"""Written where the cascade abstained: the task takes no empty answer. The table of answers says which."""

Prediction = list[dict[str, Any]]


def predictions(
    labelled: Sequence[Labelled], rows: Mapping[str, CascadeRow], links: Iterable[LinkRow], evidence_from: str
) -> dict[str, Prediction]:
    """By task, the list that the submission file holds; a case that was not asked is missing from it.

    Args:
        labelled: the cases, in order.
        rows: the cascade's rows of one strategy, by case.
        links: its rows of subtask 4.
        evidence_from: as in the options.
    """
    by_case: dict[str, list[LinkRow]] = {}
    for link in links:
        by_case.setdefault(link.case_id, []).append(link)
    there = [(one, rows[one.case.id]) for one in labelled if one.case.id in rows]
    return {
        "2026.1": [_said(one, _query(one, row)) for one, row in there],
        "2026.2": [_said(one, list(evidence(one, row, evidence_from))) for one, row in there],
        "2026.3": [_said(one, _answer(row)) for one, row in there],
        "2026.4": [_said(one, _links(one, by_case.get(one.case.id, []))) for one, _ in there],
        "2025": [{"case_id": one.case.id, "answer": _cited(row)} for one, row in there],
    }


def write_predictions(folder: Path, name: str, made: Mapping[str, Prediction]) -> dict[str, Path]:
    """Write one file a task, `submission.NAME.TASK.json`; returns them by task."""
    paths = {}
    for task, content in made.items():
        paths[task] = folder / f"submission.{name}.{task}.json"
        replace_text(paths[task], json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    return paths


def evidence(one: Labelled, row: CascadeRow, evidence_from: str) -> tuple[str, ...]:
    """The ids of subtask 2, in the order of the note."""
    cited = {c for said in row.sentences for c in said.citations}
    kept = set(row.evidence)
    chosen = {"kept": kept, "cited": cited, "both": kept | cited}[evidence_from]
    return tuple(s.id for s in one.case.sentences if s.id in chosen)


def _said(one: Labelled, prediction: Any) -> dict[str, Any]:
    return {"case_id": one.case.id, "prediction": prediction}


def _query(one: Labelled, row: CascadeRow) -> str:
    """At most 15 words; the question itself where there is no query."""
    return first_words(row.query or one.case.question or NO_ANSWER, QUERY_WORDS)


def _answer(row: CascadeRow) -> str:
    text = " ".join(said.text for said in row.sentences)
    return soft_cut(text, ANSWER_WORDS) if text.strip() else NO_ANSWER


def _cited(row: CascadeRow) -> str:
    """The same answer, one sentence a line with its citations; what is cut takes its citations with it."""
    left = _answer(row).split()
    lines: list[str] = []
    for said in row.sentences:
        words = len(said.text.split())
        text, left = " ".join(left[:words]), left[words:]
        if text:
            lines.append(f"{text} |{','.join(said.citations)}|" if said.citations else text)
    return "\n".join(lines) or NO_ANSWER


def _links(one: Labelled, found: Sequence[LinkRow]) -> list[dict[str, Any]]:
    """Every sentence of the clinician's answer; without a link, an empty list."""
    known = {link.answer_id: link.evidence for link in found}
    return [{"answer_id": s.id, "evidence_id": list(known.get(s.id, ()))} for s in one.answer_sentences]
