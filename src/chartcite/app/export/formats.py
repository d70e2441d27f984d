"""The files that an answer can be had as, by the ending of their names."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from chartcite.app.export.table import csv_of
from chartcite.app.export.word import word_document
from chartcite.app.render.markdown import markdown
from chartcite.app.words import Words
from chartcite.core.answer import Answer
from chartcite.core.errors import UsageError


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: its media type, and what makes it."""

    media_type: str
    make: Callable[[Answer, Words], bytes]


FORMATS: Mapping[str, Format] = {
    "json": Format("application/json", lambda answer, _: _json(answer)),
    "csv": Format("text/csv; charset=utf-8", lambda answer, _: csv_of(answer).encode()),
    "md": Format("text/markdown; charset=utf-8", lambda answer, words: _text(markdown(answer, words))),
    "docx": Format("application/vnd.openxmlformats-officedocument.wordprocessingml.document", word_document),
}


def format_of(ending: str) -> Format:
    """The format of an ending, with or without its dot.

    Raises:
        UsageError: there is none.
    """
    found = FORMATS.get(ending.removeprefix(".").lower())
    if found is None:
        raise UsageError("An answer cannot be written in that format.", f"Formats: {', '.join(FORMATS)}.")
    return found


def _json(answer: Answer) -> bytes:
    return _text(json.dumps(answer.to_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def _text(text: str) -> bytes:
    return text.encode("utf-8", "replace")
