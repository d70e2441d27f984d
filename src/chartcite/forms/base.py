"""What both forms begin with: the question answered as `ask` does by quotes, and its evidence at hand.

A question that ties its time to an event (`before the operation`) is asked with the event's day in its place, where
the timeline knows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from chartcite.cascade.align.rules import cited
from chartcite.cascade.choose.event import Event, read_event
from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.interpret.rules import DEFAULT, IN_RECORD, interpret
from chartcite.cascade.over_time.events import event_of
from chartcite.cascade.statements import Wanted, wanted
from chartcite.cascade.tools import Tools
from chartcite.cascade.trace import Trace
from chartcite.core.answer import Answer, Citation, Evidence, Interpretation
from chartcite.core.unseen import seen
from chartcite.facts.drug_mentions import find_drugs
from chartcite.facts.language import is_portuguese
from chartcite.facts.line import read_line
from chartcite.facts.measurements import find_names
from chartcite.index.port import SearchIndex
from chartcite.pipeline.corridor import answer
from chartcite.retrieval.candidates import Bookshelf
from chartcite.store.reader import PartitionReader

_NOT_HERE = frozenset(("write", "align"))
"""Stages whose work an option or a span takes the place of."""


@dataclass(frozen=True, slots=True)
class Base:
    """A question with its answer by quotes, and what reads on from there.

    Attributes:
        question: as asked, or with the day of an event in the event's place.
        read: the question as the rules read it: its words, its kind and its period.
        want: the drug or test that it names.
        after: the day of an event that what is asked must come after, or empty.
        is_undated: the time hangs on an event whose day the record does not tell.
    """

    question: str
    answer: Answer
    read: Interpretation
    want: Wanted
    inquiry: Inquiry
    after: str = ""
    is_undated: bool = False

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
    question = seen(question)
    stages = replace(tools.by_model, stages=tools.by_model.stages - _NOT_HERE)
    quoting = replace(tools, judge=None, by_model=stages)
    weights = DEFAULT if reader.scope.kind == "collection" else IN_RECORD
    event = read_event(question) if reader.scope.kind == "patient" else None
    want = wanted(interpret(event.rest, "", None, weights).query) if event and event.rest else None
    day = _day(event, reader, tools) if event and want else None
    asked = _dated(question, event, day, want) if event and want and day else question
    found = answer(asked, "", reader, index, quoting)
    trace = Trace(fallbacks=[dict(f) for f in found.fallbacks])
    if day:
        trace.fallbacks.append({"name": "event_dated", "count": 1, "day": day})
    read = interpret(asked, "", None, weights)
    inquiry = Inquiry(reader, index, Bookshelf(reader, index.documents), tools, trace)
    after = day if day and event and event.relation == "after" else ""
    return Base(asked, found, read, want or wanted(read.query), inquiry, after, is_undated=bool(want) and not day)


def _day(event: Event, reader: PartitionReader, tools: Tools) -> str | None:
    """The whole day that the record gives an event; of a stay the one from which the question looks on, or back."""
    found = event_of(event.words, reader, tools.analyse)
    day = "" if found is None else found.last if event.relation == "after" else found.first
    return day if len(day) == len("2020-01-01") else None


def _dated(question: str, event: Event, day: str, want: Wanted) -> str:
    """The question of a day; for what comes after it, the question as it is."""
    if event.relation == "after":
        return question
    line = read_line(event.rest)
    spans = [drug.span for drug in find_drugs(line)] if want.drugs else [match.span for match in find_names(line)]
    if not spans:
        return question
    name = event.rest[spans[0].start : spans[0].end]
    return event.asking(name, day, is_drug=bool(want.drugs), is_portuguese=is_portuguese(event.rest))
