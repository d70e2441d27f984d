"""The key of ArchEHR-QA, `archehr-qa_key.json`: which sentences are relevant, the clinician's answer, what it cites.

Each task reads only the fields that it needs, so a key of another subtask will do where it has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chartcite.lab.archehr_scores.json_file import read_cases, shown, strings
from chartcite.lab.errors import BadTable, WrongType

RELEVANCES = ("essential", "supplementary", "not-relevant")
Relevance = Mapping[str, str]
"""By sentence id, in the key's order."""


def read_relevance(path: Path) -> dict[str, Relevance]:
    """By case, the relevance of every sentence of its note.

    Raises:
        BadTable: not JSON, a relevance of another name, a sentence twice.
        WrongType: a field is missing or of another type.
    """
    return {case: _relevance(row, f"{path.name}, case {shown([case])}") for case, row in _cases(path, "answers")}


def read_answers(path: Path) -> dict[str, str]:
    """By case, the clinician's answer without its citations. Raises as `read_relevance`."""
    found = {}
    for case, row in _cases(path, "clinician_answer_without_citations"):
        answer = row["clinician_answer_without_citations"]
        if not isinstance(answer, str):
            raise WrongType(f"{path.name}, case {shown([case])}: the clinician's answer is no text.")
        found[case] = answer.strip()
    return found


def read_alignments(path: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    """By case, the sentences that each sentence of the clinician's answer cites. Raises as `read_relevance`."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for case, row in _cases(path, "clinician_answer_sentences", "answers"):
        where = f"{path.name}, case {shown([case])}"
        rows = row["clinician_answer_sentences"]
        if not isinstance(rows, list) or not all(isinstance(r, dict) and isinstance(r.get("id"), str) for r in rows):
            raise WrongType(f"{where}: clinician_answer_sentences is no list of objects with an id.")
        # A sentence may be stated more than once: its citations add up.
        links: dict[str, tuple[str, ...]] = {}
        for r in rows:
            links[r["id"]] = links.get(r["id"], ()) + strings(r.get("citations"), where, "citation")
        found[case] = links
    return found


def _cases(path: Path, *fields: str) -> list[tuple[str, dict[str, Any]]]:
    found = list(read_cases(path, *fields).items())
    if not found:
        raise BadTable(f"{path.name} holds no case.", "Is it the right key?")
    return found


def _relevance(row: Mapping[str, Any], where: str) -> dict[str, str]:
    entries = row["answers"]
    if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
        raise WrongType(f"{where}: answers is no list of objects.")
    found: dict[str, str] = {}
    for entry in entries:
        sentence, relevance = entry.get("sentence_id"), entry.get("relevance")
        if not isinstance(sentence, str):
            raise WrongType(f"{where}: a sentence_id is no string.")
        if relevance not in RELEVANCES:
            raise BadTable(f"{where}, sentence {shown([sentence])}: a relevance of no known name.", "Fetch it again.")
        if sentence in found:
            raise BadTable(f"{where}: sentence {shown([sentence])} comes twice.", "Fetch the key again.")
        found[sentence] = relevance
    return found
