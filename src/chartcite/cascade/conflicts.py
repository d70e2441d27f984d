"""Conflicts: sentences of the record that say otherwise than an answer sentence, looked for on a channel of their own.

The question's own candidates are looked at, and whatever shares most words with the answer sentence itself: what speaks
against a claim is worded like the claim more often than like the question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from chartcite.cascade.score.rules import Scored
from chartcite.core.answer import AnswerSentence
from chartcite.core.conflict import Disagreement, Statement
from chartcite.core.neural import Encoder
from chartcite.core.retrieval import Hit, Place
from chartcite.retrieval.candidates import Bookshelf, Candidate, candidates
from chartcite.retrieval.methods.lexical import rank
from chartcite.retrieval.probe import Probe

Disagree = Callable[[str, str, Sequence[Statement]], Sequence[Disagreement]]
"""Says which statements cannot be true together with a claim of a date: the verifier's part."""
PASSAGES = 12
"""Passages of the lexical channel for each answer sentence."""
SENTENCES = 40
"""Candidates looked at for each answer sentence, of the question and of the channel each."""


def find_conflicts(
    sentences: Sequence[AnswerSentence], scored: Sequence[Scored], shelf: Bookshelf, probe: Probe, encoder: Encoder,
    disagree: Disagree, *, is_collection: bool = False,
) -> tuple[Mapping[str, Any], ...]:  # fmt: skip
    """What the record says against an answer, as rows of `Answer.conflicts`, in the answer's order.

    Each row has the number of the answer sentence (`sentence`, from 1), the kind and why, and a citation of the other
    sentence with its date.

    Within a record, a sentence that the answer cites itself is left out. In a collection (`is_collection`) only other
    documents count, and two sentences of the answer may be the two sides: then `other_sentence` is the number of the
    second, else null.
    """
    cited = {(c.doc_id, c.start): n for n, s in enumerate(sentences, start=1) for c in s.citations}
    rows: list[Mapping[str, Any]] = []
    seen: set[tuple[str, int]] = set() if is_collection else set(cited)
    for number, sentence in enumerate(sentences, start=1):
        pool = list(
            {c.text: c for c in (*_asked(scored), *_worded_like(sentence.text, shelf, probe, encoder))}.values()
        )
        if is_collection:
            own = {c.doc_id for c in sentence.citations}
            pool = [c for c in pool if shelf.info(c.document).doc_id not in own]
        statements = [Statement(c.text, c.sentence.section, c.date) for c in pool]
        date = (sentence.citations[0].time or "")[:10] if sentence.citations else ""
        for found in disagree(sentence.text, date, statements):
            row = _row(number, pool[found.index], shelf, found.kind, found.why)
            place = (row["doc_id"], row["start"])
            other = cited.get(place)
            if place in seen or (other is not None and other < number):  # that pair has been shown from its other side
                continue
            seen.add(place)
            rows.append({**row, "other_sentence": other})
    return tuple(rows)


def _asked(scored: Sequence[Scored]) -> list[Candidate]:
    return [s.candidate for s in scored[:SENTENCES]]


def _worded_like(text: str, shelf: Bookshelf, probe: Probe, encoder: Encoder) -> Iterator[Candidate]:
    hits = [
        Hit(s.passage, n, s.score, tuple(Place(*place) for place in probe.index.places(s.passage)))
        for n, s in enumerate(rank(probe.asking(text), PASSAGES)["lexical"], start=1)
    ]
    found = candidates(hits, shelf, probe, encoder, lambda *_: 0.0, lambda _: "")
    yield from found[:SENTENCES]


def _row(number: int, other: Candidate, shelf: Bookshelf, kind: str, why: str) -> dict[str, Any]:
    document = shelf.document(other.document)
    return {
        "sentence": number, "kind": kind, "why": why, "doc_id": shelf.info(other.document).doc_id,
        "start": other.start, "end": other.end, "quote": document.text[other.start : other.end],
        "title": document.title, "note_type": document.note_type,
        "time": document.time.text if document.time else None, "page": document.page_at(other.start),
        **document.bibliography.to_dict(),
    }  # fmt: skip
