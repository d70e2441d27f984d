"""What people said of answers, as data of the lab: questions of the form `plain_csv`, and all that was said."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from chartcite.core.errors import StoreUnwritable, UsageError
from chartcite.lab.csv_safe import csv_text

QUESTIONS, ROWS = "questions.csv", "feedback.jsonl"
_COLUMNS = ("id", "question", "reference_answer", "relevant_ids", "group", "patient_id")


def export_feedback(rows: Sequence[Mapping[str, Any]], folder: Path) -> dict[str, int]:
    """Write `questions.csv`, which the data set `plain_csv` reads, and `feedback.jsonl` with all that was said.

    A question has a reference answer and relevant documents only where somebody said that its answer was right: the
    sentences not said to be wrong, and what they cite. `group` is the verdict. Both files hold text of records and are
    their owner's alone.

    Args:
        rows: `chartcite.feedback/1` with `id`, as `Book.feedback` gives them.
        folder: not there, or empty.

    Returns:
        How many rows of each verdict were written.

    Raises:
        UsageError: the folder has something in it.
        StoreUnwritable: it cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already.", "Name a folder that is empty or not there.")
    counts: dict[str, int] = {}
    for row in rows:
        counts[row["verdict"]] = counts.get(row["verdict"], 0) + 1
    table, _ = csv_text(_COLUMNS, map(_question, rows))
    lines = "".join(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n" for row in rows)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for name, text in ((QUESTIONS, table), (ROWS, lines)):
            path = folder / name
            path.touch(mode=0o600)
            path.write_text(text, "utf-8", newline="")
    except OSError as error:
        raise StoreUnwritable(f"{folder} cannot be written: {error.strerror}.", "Name another folder.") from error
    return dict(sorted(counts.items()))


def _question(row: Mapping[str, Any]) -> dict[str, str | int | float | bool | None]:
    answer = row["answer"]
    right = [s for s in _right(row) if isinstance(s, dict)] if row["verdict"] == "right" else []
    cited = dict.fromkeys(str(c["doc_id"]) for s in right for c in s.get("citations", ()))
    return {
        "id": f"f{row['id']}", "question": str(answer.get("question", "")),
        "reference_answer": " ".join(str(s.get("text", "")) for s in right),
        "relevant_ids": "|".join(d for d in cited if not set(d) & set("|;")), "group": row["verdict"],
        "patient_id": str((answer.get("scope") or {}).get("patient", "")),
    }  # fmt: skip


def _right(row: Mapping[str, Any]) -> Iterable[Any]:
    verdicts = row.get("sentences", {})
    shown = row["answer"].get("sentences") or ()
    return (s for n, s in enumerate(shown, start=1) if verdicts.get(str(n), "right") == "right")
