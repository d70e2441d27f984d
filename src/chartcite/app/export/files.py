"""Answers to files: what can be refused is refused before the work, and a file is there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from chartcite.app.export.formats import format_of
from chartcite.app.words import Words
from chartcite.core.answer import Answer
from chartcite.core.errors import MissingExtra, UsageError


def check_target(path: Path) -> None:
    """Raise what would be raised after the work.

    Raises:
        UsageError: no such format, or its folder is not there.
        MissingExtra: python-docx is not installed.
    """
    format_of(path.suffix)
    if not path.parent.is_dir():
        raise UsageError("The folder of the export does not exist.", "Make it first.")
    if path.suffix.lower() == ".docx":
        try:
            import docx  # noqa: F401, PLC0415
        except ModuleNotFoundError:
            raise MissingExtra("A Word document needs python-docx.", "pip install 'chartcite[serve]'") from None


def write_export(answer: Answer, path: Path, words: Words) -> None:
    """Write an answer in the format that the file's name says."""
    content = format_of(path.suffix).make(answer, words)
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
