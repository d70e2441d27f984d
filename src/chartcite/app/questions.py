"""Questions for a table: a line each in a text file, or rows of a CSV or JSON Lines file with ids of their own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chartcite.app.cli.files import UnreadableFile, read_text_file, text_lines
from chartcite.core.table import Asked

_ADVICE = 'One question a line; or CSV with a column question; or lines {"id": ..., "question": ...}.'


def read_questions(path: Path) -> list[Asked]:
    """The questions of a file, in its order; without ids of their own they are numbered from 1.

    Raises:
        UnreadableFile: not such a file, or without a question.
    """
    reader = {".csv": _of_csv, ".jsonl": _of_json_lines, ".ndjson": _of_json_lines}.get(path.suffix.lower(), _of_lines)
    found = [(one_id, " ".join(question.split())) for one_id, question in reader(path)]
    asked = [Asked(one_id or str(n), question) for n, (one_id, question) in enumerate(found, start=1)]
    if not asked:
        raise UnreadableFile(f"{path} holds no question.", _ADVICE)
    return asked


def _of_lines(path: Path) -> Iterator[tuple[str, str]]:
    yield from (("", line) for line in read_text_file(path).splitlines() if line.strip())


def _of_csv(path: Path) -> Iterator[tuple[str, str]]:
    from chartcite.lab.csv_safe import read_table  # noqa: PLC0415

    for row in read_table(path, ("question",)):
        yield row.cells.get("id", "").strip(), row.cells["question"]


def _of_json_lines(path: Path) -> Iterator[tuple[str, str]]:
    for n, line in enumerate(text_lines(path), start=1):
        if line.strip():
            row = _object(line)
            one_id, question = row.get("id", ""), row.get("question", row.get("text"))
            if not isinstance(question, str) or isinstance(one_id, bool) or not isinstance(one_id, str | int):
                raise UnreadableFile(f"{path}, line {n}: no question.", _ADVICE)
            yield str(one_id), question


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
