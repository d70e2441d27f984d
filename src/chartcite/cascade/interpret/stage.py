"""Interpretation as a stage: what was given, a model or the rules; what could not be followed is told."""

from __future__ import annotations

import re
from dataclasses import replace

from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.interpret.llm import interpreted_by
from chartcite.cascade.interpret.rules import DEFAULT, IN_RECORD, interpret
from chartcite.cascade.interpret.vocabulary import PartitionVocabulary
from chartcite.core.answer import Interpretation
from chartcite.retrieval.probe import Probe


def interpreted(question: str, narrative: str, inquiry: Inquiry, given: str | None = None) -> Interpretation:
    """What a question asks for; a `given` query stands in place of the stage's own."""
    weights = DEFAULT if inquiry.is_collection else IN_RECORD
    asked = interpret(question, narrative, _vocabulary(question, inquiry), weights)
    told = " ".join(f"{question} {narrative}".split())
    query = _by_model(told, inquiry) if given is None else " ".join(given.split())
    asked = _carried(with_query(asked, query, told) if query else asked, told, inquiry.tools.query_from)
    trace = inquiry.trace
    if asked.readings:
        trace.readings(asked.readings)
    if asked.other_questions:
        trace.fallback("other_questions_not_answered", asked.other_questions)
    return asked


def _by_model(told: str, inquiry: Inquiry) -> str | None:
    """The query that a model makes of the message; None where the rules' own stands."""
    conversation = inquiry.conversation("interpret", "interpret")
    if conversation is None:
        return None
    if conversation.chat.is_remote:
        inquiry.trace.fallback("question_sent_to_another_machine")
    query = interpreted_by(conversation, told, inquiry.tools.by_model.examples)
    if query is None:
        inquiry.trace.fallback("interpreted_by_rules")
    return query


def with_query(asked: Interpretation, query: str, told: str) -> Interpretation:
    """The same request with another query, whose words are what an answer cannot do without.

    What kind of question it is, and of which time, is taken from the person's own words where the query does not say.
    All that the person told is searched beside it.
    """
    own = interpret(query)
    return Interpretation(
        query=query,
        kind=own.kind if own.kind != "fact" else asked.kind,
        focus=own.focus or asked.focus,
        wants_number=own.wants_number or asked.wants_number,
        period=own.period or asked.period,
        is_open_range=own.is_open_range or asked.is_open_range,
        story="" if _words(query) == _words(told) else told,
        readings=asked.readings,
        lang=asked.lang,
    )


def _carried(asked: Interpretation, told: str, query_from: str) -> Interpretation:
    """The request with what of it is carried on: the query, what the person told, or both."""
    if query_from == "interpreted":
        return replace(asked, story="")
    if query_from == "raw":
        return replace(asked, query=told, story="")
    return asked if _words(asked.query) == _words(told) else replace(asked, said=told)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _vocabulary(question: str, inquiry: Inquiry) -> PartitionVocabulary:
    """The words of the partition, for a question that may be misspelt."""
    tools, shelf, index = inquiry.tools, inquiry.shelf, inquiry.index
    probe = Probe(question, index, inquiry.reader, tools.encoder, tools.query_terms)
    return PartitionVocabulary(probe, tools.analyse, lambda passage: shelf.text(shelf.place(index, passage)))
