"""Extractive answers: the shortest part of a cited sentence that answers. Schema `chartcite.span/1`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from chartcite.core.answer import Citation, Reason, Searched
from chartcite.core.chat import Usage
from chartcite.core.scope import Scope

SPAN_SCHEMA = "chartcite.span/1"

SpanSort = Literal[
    "value", "dose", "drug", "date", "side", "person", "reason", "duration", "age", "rest", "sentence", "copied",
]  # fmt: skip
"""What a span is. `rest`: what the sentence says beyond the question's words; `sentence`: all; `copied`: a model's."""


@dataclass(frozen=True, slots=True)
class SpanAnswer:
    """A slice of a document that answers, or why there is none. Same input, same bytes.

    Attributes:
        text: `document.text[start:end]`, character for character; None for an abstention.
        sort: what the span is.
        citation: the sentence that the span is cut from; it holds the span.
        is_impossible: as in SQuAD 2: no span answers.
        by: who cut it: `rules`, or `model`.
    """

    question: str
    query: str
    scope: Scope
    doc_id: str | None
    start: int | None
    end: int | None
    text: str | None
    sort: SpanSort | None
    citation: Citation | None
    reason: Reason | None
    searched: Searched
    fallbacks: tuple[Mapping[str, Any], ...]
    config: str
    partition_seq: int
    as_of: str | None = None
    by: Literal["rules", "model"] = "rules"
    llm_calls: int = 0
    usage: Mapping[str, Usage] = field(default_factory=dict)

    @property
    def is_impossible(self) -> bool:
        """Whether there is no answer."""
        return self.text is None

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "schema": SPAN_SCHEMA, "question": self.question, "query": self.query, "scope": self.scope.to_dict(),
            "as_of": self.as_of, "is_impossible": self.is_impossible, "reason": self.reason, "doc_id": self.doc_id,
            "start": self.start, "end": self.end, "text": self.text, "sort": self.sort, "by": self.by,
            "citation": self.citation.to_dict() if self.citation else None, "searched": self.searched.to_dict(),
            "fallbacks": [dict(f) for f in self.fallbacks], "llm_calls": self.llm_calls, "config": self.config,
            "partition_seq": self.partition_seq,
        }  # fmt: skip
