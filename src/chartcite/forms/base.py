"""What both forms begin with: the question answered as `ask` does by quotes, and its evidence at hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from chartcite.cascade.align.rules import cited
from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.interpret.rules import DEFAULT, IN_RECORD, interpret
from chartcite.cascade.statements import Wanted, wanted
from chartcite.core.answer import Answer, Citation, Evidence, Interpretation
from chartcite.index.port import SearchIndex
from chartcite.pipeline import Tools, Trace, answer
from chartcite.retrieval.candidates import Bookshelf
from chartcite.store.reader import PartitionReader

_NOT_HERE = frozenset(("write", "align"))
"""Stages whose work an option or a span takes the place of."""


@dataclass(frozen=True, slots=True)
class Base:
    """A question with its answer by quotes, and what reads on from there.

    Attributes:
        read: the question as the rules read it: its words, its kind and its period.
        want: the drug or test that it names.
    """

    answer: Answer
    read: Interpretation
    want: Wanted
    inquiry: Inquiry

    def common(self) -> Mapping[str, Any]:
        """What every form of an answer tells of its question."""
        base = self.answer
        return {
            "query": base.query, "scope": base.scope, "searched": base.searched, "config": base.config,
            "partition_seq": base.partition_seq, "as_of": base.as_of, "fallbacks": tuple(self.inquiry.trace.fallbacks),
        }  # fmt: skip

    def cite(self, evidence: Evidence) -> Citation:
        """The place of a sentence."""
        return cited((evidence,), self.inquiry.shelf)[0]


def begin(question: str, reader: PartitionReader, index: SearchIndex, tools: Tools) -> Base:
    """Answer a question by quotes; what a model does of interpretation and grading it does here too."""
    stages = replace(tools.by_model, stages=tools.by_model.stages - _NOT_HERE)
    found = answer(question, "", reader, index, replace(tools, judge=None, by_model=stages))
    trace = Trace(fallbacks=[dict(f) for f in found.fallbacks])
    read = interpret(question, "", None, DEFAULT if reader.scope.kind == "collection" else IN_RECORD)
    inquiry = Inquiry(reader, index, Bookshelf(reader, index.documents), tools, trace)
    return Base(found, read, wanted(read.query), inquiry)
