"""Submissions of 2026, `[{"case_id", "prediction"}]`, checked as the official scripts check them.

| subtask | prediction |
|---|---|
| 1, 3 | a text, cut to its first 15 or 75 words |
| 2 | a list of sentence ids; may be empty |
| 4 | a list of `{"answer_id", "evidence_id": [...]}`; may be empty |
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chartcite.lab.archehr_scores.json_file import read_cases, shown, strings
from chartcite.lab.errors import CasesDiffer, EmptyPrediction, UnknownId, WrongType


@dataclass(frozen=True, slots=True)
class Texts:
    """By case, a text of at most so many words; `cut`: the cases whose text was longer."""

    texts: Mapping[str, str]
    cut: tuple[str, ...] = ()


def read_texts(path: Path, words: int) -> Texts:
    """Predictions of subtask 1 or 3.

    Raises:
        BadSubmission: the official script would refuse it (or fail).
    """
    found: dict[str, str] = {}
    cut = []
    for case, row in read_cases(path, "prediction").items():
        where = f"{path.name}, case {shown([case])}"
        if not isinstance(row["prediction"], str):
            raise WrongType(f"{where}: the prediction is no text.", "Subtasks 1 and 3 want a string.")
        text = row["prediction"].strip()
        if not text:
            raise EmptyPrediction(f"{where}: the prediction is empty.", "Every case must have a text.")
        if len(text.split()) > words:
            text = " ".join(text.split()[:words])
            cut.append(case)
        found[case] = text
    return Texts(found, tuple(cut))


def read_evidence(path: Path, known: Mapping[str, Collection[str]]) -> dict[str, tuple[str, ...]]:
    """Predictions of subtask 2, whose ids must be among the case's own.

    Raises:
        BadSubmission: the official script would refuse it.
    """
    found = {
        case: strings(row["prediction"], f"{path.name}, case {shown([case])}", "sentence id")
        for case, row in read_cases(path, "prediction").items()
    }
    same_cases(path, found, known)
    for case, ids in found.items():
        known_ids(path, case, ids, known[case], "sentences of the note")
    return found


def read_alignment(
    path: Path, answers: Mapping[str, Collection[str]], evidence: Mapping[str, Collection[str]]
) -> dict[str, frozenset[tuple[str, str]]]:
    """Predictions of subtask 4 as (answer id, evidence id) pairs, repeated ones once.

    Raises:
        BadSubmission: the official script would refuse it.
    """
    found = {}
    listed = {
        case: _links(row["prediction"], f"{path.name}, case {shown([case])}")
        for case, row in read_cases(path, "prediction").items()
    }
    same_cases(path, listed, answers)
    for case, links in listed.items():
        known_ids(path, case, [answer for answer, _ in links], answers[case], "sentences of the answer")
        known_ids(path, case, [i for _, ids in links for i in ids], evidence[case], "sentences of the note")
        found[case] = frozenset((answer, i) for answer, ids in links for i in ids)
    return found


def same_cases(path: Path, found: Collection[str], key: Collection[str]) -> None:
    """Make sure that a submission has the key's cases, all of them and no others.

    Raises:
        CasesDiffer: it has not.
    """
    missing, strange = set(key) - set(found), set(found) - set(key)
    if missing or strange:
        parts = [f"{len(missing)} cases of the key are missing: {shown(missing)}"] if missing else []
        parts += [f"{len(strange)} cases are not in the key: {shown(strange)}"] if strange else []
        raise CasesDiffer(f"{path.name}: {'; '.join(parts)}.", "A submission has exactly the key's cases.")


def known_ids(path: Path, case: str, ids: Collection[str], known: Collection[str], what: str) -> None:
    """Make sure that a prediction names only what its case has.

    Raises:
        UnknownId: it does not.
    """
    if strange := set(ids) - set(known):
        raise UnknownId(
            f"{path.name}, case {shown([case])}: {len(strange)} ids are no {what}: {shown(strange)}.",
            f"It has {len(set(known))}: {shown(known)}.",
        )


def _links(prediction: Any, where: str) -> list[tuple[str, tuple[str, ...]]]:
    if not isinstance(prediction, list) or not all(isinstance(link, dict) for link in prediction):
        raise WrongType(f"{where}: the prediction is no list of objects.", "answer_id and evidence_id.")
    found = []
    for link in prediction:
        if missing := [name for name in ("answer_id", "evidence_id") if name not in link]:
            raise WrongType(f"{where}: an alignment has no {missing[0]}.", "answer_id and evidence_id.")
        if not isinstance(link["answer_id"], str):
            raise WrongType(f"{where}: an answer_id is no string.", 'Write "1", not 1.')
        found.append((link["answer_id"], strings(link["evidence_id"], where, "evidence id")))
    return found
