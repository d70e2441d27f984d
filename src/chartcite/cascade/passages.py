"""Passages: which of the partition are read for a question; the ranking, and what is looked at in any case."""

from __future__ import annotations

from chartcite.cascade.balance import deeper, spread
from chartcite.cascade.focus import Focus
from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.statements import Wanted
from chartcite.core.answer import Interpretation
from chartcite.core.retrieval import Hit, Place
from chartcite.retrieval.dated import MOST_PASSAGES, End, at_the_end
from chartcite.retrieval.probe import Probe
from chartcite.retrieval.search import search

AT_THE_END = 12
"""Passages at the newest or oldest end of the record that are read for a question about that end."""


def passages(asked: Interpretation, want: Wanted, focus: Focus, probe: Probe, inquiry: Inquiry) -> list[Hit]:
    """What is read for a question, best first, and after it what is looked at in any case."""
    hits = ranked(asked, probe, inquiry)
    return hits + _dated(hits, asked, want, focus, probe, inquiry)


def ranked(asked: Interpretation, probe: Probe, inquiry: Inquiry) -> list[Hit]:
    """The best passages for the query, for the story around it, and of the period that the question names.

    A record that is short enough is read whole, in its own order.
    """
    if probe.index.sentences <= inquiry.tools.skip_retrieval_sentences:
        inquiry.trace.fallback("read_whole_record", probe.index.size)
        # The order of the record is no ranking, so all have the first rank.
        return [
            Hit(p, 1, 0.0, tuple(Place(*place) for place in probe.index.places(p))) for p in range(probe.index.size)
        ]
    tools, trace, shelf = inquiry.tools, inquiry.trace, inquiry.shelf
    # A method that takes in whole notes has its own way with documents.
    takes_turns = inquiry.takes_turns and tools.method.expand is None

    def best(narrowed: Probe) -> list[Hit]:
        text_of = lambda p: shelf.text(shelf.place(probe.index, p))  # noqa: E731
        wanted = deeper(tools.search) if takes_turns else tools.search
        found = search(narrowed, tools.method, wanted, tools.reranker, text_of, trace.fallback)
        return spread(found, tools.search.top_k) if takes_turns else found

    if tools.search.rerank == "fused" and not tools.encoder.token_dims:
        trace.fallback("no_token_vectors")
    hits = best(probe)
    if asked.story:
        hits += best(probe.asking(asked.story))
    inside = [d.key for d in probe.index.documents if d.time and d.time.date.startswith(asked.period)]
    if asked.period and inside:
        # What was written in the period that the question names is looked at in any case.
        hits += best(probe.restricted(probe.index.of_documents(inside)))
    return list({hit.passage: hit for hit in reversed(hits)}.values())[::-1]


def _dated(
    hits: list[Hit], asked: Interpretation, want: Wanted, focus: Focus, probe: Probe, inquiry: Inquiry
) -> list[Hit]:
    """Beside the ranking, for the latest or first of something, the passages at that end of the record that name it."""
    is_carried = bool(asked.period and want.drugs)  # a dose goes on until it is changed
    if not (asked.kind in ("latest", "first") or is_carried) or len(hits) == probe.index.size:
        return []
    if probe.index.size > MOST_PASSAGES:
        inquiry.trace.fallback("ends_of_the_record_not_searched")
        return []
    held = focus.holders(probe.holding, want.words)
    if held is None:
        return []
    end: End = "first" if asked.kind == "first" else "latest"
    found = at_the_end(probe.index, held, end, AT_THE_END, len(hits), asked.period)
    known = {hit.passage for hit in hits}
    return [hit for hit in found if hit.passage not in known]
