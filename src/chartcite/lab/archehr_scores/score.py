"""One submission, scored: which year, which subtask, which files."""

from __future__ import annotations

from pathlib import Path

from chartcite.core.errors import UsageError
from chartcite.lab.archehr_scores import year_2025, year_2026
from chartcite.lab.archehr_scores.result import OfficialScores
from chartcite.lab.archehr_scores.texts import Models

YEARS = (2025, 2026)
TASKS = (1, 2, 3, 4)


def score(
    submission: Path,
    *,
    year: int,
    task: int | None = None,
    key: Path | None = None,
    xml: Path | None = None,
    models: Models | None = None,
) -> OfficialScores:
    """Score a submission.

    Args:
        submission: the file to be scored.
        year: 2025 or 2026.
        task: the subtask of 2026; 2025 has none.
        key: `archehr-qa_key.json`. Subtask 1 has its references in the XML, which may be given as the key.
        xml: `archehr-qa.xml`.
        models: folders for the measures that need a model.

    Raises:
        UsageError: no such year or subtask, or a file that is needed is not named.
        BadSubmission: the official script would refuse the submission; the error's name says why.
        BadTable: the key or the XML is not what it should be.
        MissingExtra: the libraries of the text measures are not installed.
    """
    models = models or Models()
    if year not in YEARS or (year == 2026) != (task in TASKS):
        raise UsageError("There is no such task.", "2026 has subtasks 1 to 4, 2025 has one task without a number.")
    if task == 1:
        given = xml or (key if key and key.suffix != ".json" else None)
        return year_2026.interpretation(submission, _needed(given, "--xml archehr-qa.xml"), models)
    key = _needed(key, "--key archehr-qa_key.json")
    match task:
        case 2:
            return year_2026.evidence(submission, key)
        case 3:
            return year_2026.answer(submission, key, xml, models)
        case 4:
            return year_2026.alignment(submission, key)
        case _:
            return year_2025.overall(submission, key, xml, models)


def _needed(path: Path | None, how: str) -> Path:
    if path is None:
        raise UsageError("A file with the references is needed.", f"Name it: {how}.")
    return path
