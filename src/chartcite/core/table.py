"""The question x document table: for each question and each document its best verified sentence, or why there is none.

`Table.to_dict` is the schema `chartcite.table/1`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chartcite.core.answer import AnswerSentence, QuestionKind, Reason
from chartcite.core.documents import Bibliography
from chartcite.core.scope import Scope

SCHEMA = "chartcite.table/1"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: its own id, or its number from 1."""

    id: str
    question: str


@dataclass(frozen=True, slots=True)
class TableDocument:
    """One document of the table."""

    doc_id: str
    title: str
    time: str | None
    bibliography: Bibliography

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {"doc_id": self.doc_id, "title": self.title, "time": self.time, **self.bibliography.to_dict()}


@dataclass(frozen=True, slots=True)
class Cell:
    """What one document says to one question.

    Attributes:
        sentence: the best one, cited and verified; None with a `reason`.
        corrections: sentences that put it right: of the same document, or of a patient's notes of the months after it.
        relevance: 1-5, of the sentence, or of the nearest one where there is none; None where nothing was read.
        fallbacks: names of the steps down that were taken.
    """

    doc_id: str
    sentence: AnswerSentence | None
    corrections: tuple[AnswerSentence, ...]
    relevance: int | None
    reason: Reason | None
    fallbacks: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "doc_id": self.doc_id, "sentence": self.sentence.to_dict() if self.sentence else None,
            "corrections": [c.to_dict() for c in self.corrections], "relevance": self.relevance,
            "reason": self.reason, "fallbacks": list(self.fallbacks),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One question over all documents, in their order. `pairs` counts runs of the cross-encoder."""

    asked: Asked
    query: str
    kind: QuestionKind
    cells: tuple[Cell, ...]
    pairs: int

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "id": self.asked.id, "question": self.asked.question, "query": self.query, "kind": self.kind,
            "pairs": self.pairs, "cells": [cell.to_dict() for cell in self.cells],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """All questions over the same documents. Same input, same bytes. `fallbacks`: what holds of all of its cells."""

    scope: Scope
    documents: tuple[TableDocument, ...]
    rows: tuple[QuestionRow, ...]
    config: str
    partition_seq: int
    as_of: str | None = None
    fallbacks: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return table_dict(self, [row.to_dict() for row in self.rows])


def table_dict(table: Table, rows: list[dict[str, Any]] | list[Mapping[str, Any]]) -> dict[str, Any]:
    """The stable JSON form with rows that are in it already."""
    return {
        "schema": SCHEMA, "scope": table.scope.to_dict(), "as_of": table.as_of,
        "documents": [d.to_dict() for d in table.documents], "questions": list(rows),
        "config": table.config, "partition_seq": table.partition_seq, "fallbacks": list(table.fallbacks),
    }  # fmt: skip
