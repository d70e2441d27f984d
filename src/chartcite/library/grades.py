"""The rules' grade of every sentence that a question's passages hold: what a model may be taught to grade alike."""

from __future__ import annotations

from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.interpret.stage import interpreted
from chartcite.cascade.passages import passages
from chartcite.cascade.score.stage import graded
from chartcite.cascade.statements import wanted
from chartcite.cascade.tools import Tools
from chartcite.cascade.trace import Trace
from chartcite.index.port import SearchIndex
from chartcite.retrieval.candidates import Bookshelf
from chartcite.store.reader import PartitionReader


def grades(question: str, narrative: str, reader: PartitionReader, index: SearchIndex, tools: Tools) -> dict[str, int]:
    """1-5 by the sentence's text with single blanks; of equal texts the higher one."""
    inquiry = Inquiry(reader, index, Bookshelf(reader, index.documents), tools, Trace())
    asked = interpreted(question, narrative, inquiry)
    probe = inquiry.probe(asked.query)
    focus, want = inquiry.focus(asked, probe), wanted(asked.query)
    found: dict[str, int] = {}
    for scored in graded(asked, focus, passages(asked, want, focus, probe, inquiry), probe, inquiry):
        text = " ".join(scored.candidate.text.split())
        found[text] = max(scored.relevance, found.get(text, 1))
    return found
