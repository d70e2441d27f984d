"""The timeline as a stage: a question over time as drafts of computed sentences, with the evidence they rest on."""

from __future__ import annotations

from dataclasses import dataclass

from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.over_time.chosen import told
from chartcite.cascade.over_time.told import Record, Sentence, Told
from chartcite.cascade.write.draft import Draft
from chartcite.cascade.write.rules import statement
from chartcite.core.answer import Evidence, Interpretation
from chartcite.records.entries import Source
from chartcite.retrieval.candidates import Bookshelf
from chartcite.text.sentences import split_sentences


@dataclass(frozen=True, slots=True)
class OverTimeDrafts:
    """What the timeline tells. Without drafts it has nothing for that time; the evidence is what there is."""

    drafts: tuple[Draft, ...]
    evidence: tuple[Evidence, ...]


def over_time_drafts(question: str, asked: Interpretation, inquiry: Inquiry) -> OverTimeDrafts | None:
    """The drafts for a question that the timeline answers; None for any other, or where it cannot.

    Args:
        question: as its person put it, perhaps with a story around it; of two questions none is taken.
        asked: its language, and misspelt words of it as they were read.
        inquiry: into a patient's record.
    """
    if inquiry.is_collection or not inquiry.tools.over_time:
        return None
    for written, read in asked.readings:
        question = question.replace(written, read)
    sentences = [" ".join(question[s.start : s.end].split()) for s in split_sentences(question)]
    if sum(sentence.endswith("?") for sentence in sentences) > 1:
        return None
    noted: list[tuple[str, int]] = []
    today = next((d.time.date for d in reversed(inquiry.reader.documents()) if d.time), "")
    record = Record(inquiry.reader, inquiry.tools.analyse, lambda *one: noted.append(one), today, asked.lang)
    found = told(sentences, record)
    if found is None:
        return None
    for name, count in noted:
        inquiry.trace.fallback(name, count)
    return _drafts(found, inquiry.shelf)


def _drafts(found: Told, shelf: Bookshelf) -> OverTimeDrafts:
    evidence = {source: _evidence(source, shelf) for sentence in found.sentences for source in sentence.sources}
    drafts = () if found.is_silent else tuple(_draft(sentence, evidence) for sentence in found.sentences)
    return OverTimeDrafts(drafts, tuple(evidence.values()))


def _draft(sentence: Sentence, evidence: dict[Source, Evidence]) -> Draft:
    first, *also = [evidence[source] for source in sentence.sources]
    if sentence.said is None:
        return Draft(statement(first), first)
    return Draft(
        sentence.said.text, first, tuple(also), is_quote=False, places=sentence.said.places, computed=sentence.computed
    )


def _evidence(source: Source, shelf: Bookshelf) -> Evidence:
    document = shelf.document(source.key)
    unit = next(s for s in shelf.sentences(source.key) if s.n == source.sentence)
    return Evidence(
        key=source.key, doc_id=source.doc_id, sentence=source.sentence, start=source.start, end=source.end,
        quote=source.quote, sort_key=document.time.sort_key if document.time else "", relevance=5, probability=1.0,
        kept="timeline", section=unit.section, is_item=unit.kind == "item",
    )  # fmt: skip
