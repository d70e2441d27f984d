"""Interpretation as a stage: what was given, or the rules; what could not be followed is told."""

from __future__ import annotations

from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.interpret.rules import DEFAULT, IN_RECORD, interpret
from chartcite.cascade.interpret.vocabulary import PartitionVocabulary
from chartcite.core.answer import Interpretation
from chartcite.retrieval.probe import Probe


def interpreted(question: str, narrative: str, inquiry: Inquiry, given: str | None = None) -> Interpretation:
    """What a question asks for; a `given` query stands in place of the stage's own."""
    weights = DEFAULT if inquiry.is_collection else IN_RECORD
    asked = interpret(question, narrative, _vocabulary(question, inquiry), weights)
    if given is not None:
        asked = with_query(asked, " ".join(given.split()))
    trace = inquiry.trace
    if asked.readings:
        trace.readings(asked.readings)
    if asked.is_open_range:
        trace.fallback("time_range_not_applied")
    if asked.other_questions:
        trace.fallback("other_questions_not_answered", asked.other_questions)
    return asked


def with_query(asked: Interpretation, query: str) -> Interpretation:
    """The same request with another query, whose words are what an answer cannot do without.

    What kind of question it is, and of which time, is taken from the person's own words where the query does not say.
    """
    own = interpret(query)
    return Interpretation(
        query=query,
        kind=own.kind if own.kind != "fact" else asked.kind,
        focus=own.focus or asked.focus,
        wants_number=own.wants_number or asked.wants_number,
        period=own.period or asked.period,
        is_open_range=own.is_open_range or asked.is_open_range,
        story=asked.story,
        readings=asked.readings,
    )


def _vocabulary(question: str, inquiry: Inquiry) -> PartitionVocabulary:
    """The words of the partition, for a question that may be misspelt."""
    tools, shelf, index = inquiry.tools, inquiry.shelf, inquiry.index
    probe = Probe(question, index, inquiry.reader, tools.encoder, tools.query_terms)
    return PartitionVocabulary(probe, tools.analyse, lambda passage: shelf.text(shelf.place(index, passage)))
