"""An answer made ready for a page: numbers, what the check says in words, and the cited text around each span.

The words are those of the terminal (`app/render/answer.py`); a template only puts them in their places.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from chartcite.app.page.sources import Window, window
from chartcite.app.page.urls import document_url
from chartcite.app.render.answer import (
    abstained_sentence,
    cautions,
    check_said,
    details,
    doubt_said,
    headings,
    readability_said,
    remarks,
    scope_line,
    searched_sentence,
    sources_sentence,
)
from chartcite.app.render.layout import Paper
from chartcite.app.render.references import first_numbers, side
from chartcite.app.words import Words
from chartcite.core.answer import Answer, AnswerSentence, Citation, Identity, identity
from chartcite.core.documents import Document, Span
from chartcite.core.errors import ChartciteError
from chartcite.core.scope import Scope

Find = Callable[[str], Document]
"""A document of the answer's partition by its doc_id; raises an error of ours where there is none any more."""
BadgeKind = Literal["good", "bad", "unsure", "note"]


@dataclass(frozen=True, slots=True)
class Badge:
    """One thing that is said of a sentence."""

    kind: BadgeKind
    said: str


@dataclass(frozen=True, slots=True)
class ShownSentence:
    """A sentence: its pieces, each with the numbers behind it; plain words where there are any; its badges."""

    pieces: tuple[tuple[str, tuple[int, ...]], ...]
    plain: str
    badges: tuple[Badge, ...]


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A numbered citation: its heading, what is said of it, and its text; no window where the document is gone."""

    number: int
    heading: str
    origin: str
    details: tuple[tuple[str, bool], ...]
    window: Window | None
    url: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class ShownConflict:
    """A sentence of the record that may say otherwise."""

    source: str
    quote: str
    why: str
    against: int
    url: str


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """All that the answer's part of the page shows."""

    question: str
    place: str
    statement: str
    status: str
    status_said: str
    statement_remarks: tuple[str, ...]
    abstention: str
    looked_for: tuple[str, ...]
    sentences: tuple[ShownSentence, ...]
    sources: tuple[ShownSource, ...]
    conflicts: tuple[ShownConflict, ...]
    cautions: tuple[str, ...]
    remarks: tuple[str, ...]
    nearest: tuple[tuple[str, str], ...]
    scope: Scope
    stored: str


def shown(answer: Answer, words: Words, find: Find) -> ShownAnswer:
    """What the page shows of an answer, in the reader's language."""
    paper = Paper(words=words)
    numbers = {identity(c): n for n, c in enumerate(answer.citations, start=1)}
    presence = answer.presence
    is_told_by_statement = presence is not None and answer.reason == "not_mentioned"
    explained = [searched_sentence(answer.searched, words)]
    if answer.sources and answer.sentences:
        explained.append(sources_sentence(answer, words))
    if answer.readability and (figures := readability_said(answer.readability, words)):
        explained.append(figures)
    return ShownAnswer(
        question=answer.question,
        place=scope_line(answer, paper),
        statement=presence.wording(words.lang).statement if presence else "",
        status=presence.status if presence else "",
        status_said=_status(presence.status, words) if presence else "",
        statement_remarks=presence.wording(words.lang).remarks if presence else (),
        abstention=abstained_sentence(answer, words) if answer.abstained and not is_told_by_statement else "",
        looked_for=answer.searched.terms if answer.abstained and answer.reason == "weak_evidence" else (),
        sentences=tuple(shown_sentence(s, words, numbers) for s in answer.sentences),
        sources=_sources(answer, paper, find),
        conflicts=tuple(_conflict(row, answer, words) for row in answer.conflicts),
        cautions=tuple(cautions(answer, words)),
        remarks=(*explained, *remarks(answer, words)),
        nearest=tuple((e.sort_key[:10], e.quote) for e in answer.evidence) if answer.reason == "nothing_then" else (),
        scope=answer.scope,
        stored=json.dumps(answer.to_dict(), ensure_ascii=False),
    )


def shown_sentence(sentence: AnswerSentence, words: Words, numbers: Mapping[Identity, int] | None) -> ShownSentence:
    """One sentence with its badges, the check's first; without numbers while the answer is not whole."""
    badges = [Badge("good" if sentence.verified else "bad", check_said(sentence, words))]
    if sentence.computed is not None:
        badges.append(Badge("note", words("computed from the cited sentences")))
    if sentence.grounded:
        score = f"{float(sentence.grounded['score']):.2f}"
        badges.append(Badge("note", words("grounded {score} (uncalibrated)", score=score)))
    if sentence.judged and sentence.judged["verdict"] != "supported":
        badges.append(Badge("unsure", doubt_said(sentence.judged, words)))
    pieces = ((sentence.text, ()),) if numbers is None else tuple(sentence.pieces(numbers))
    return ShownSentence(pieces, sentence.plain or "", tuple(badges))


def _status(status: str, words: Words) -> str:
    said = {
        "present": words("present"), "denied": words("denied"), "not_mentioned": words("not mentioned"),
        "conflicting": words("conflicting"), "family": words("of relatives only"),
        "family_denied": words("denied of relatives"), "possible": words("possible"),
        "ruled_out": words("ruled out"), "historical": words("in the past"), "planned": words("planned"),
        "other_sense": words("in another sense"), "unclear": words("unclear"),
    }  # fmt: skip
    return said[status]


def _sources(answer: Answer, paper: Paper, find: Find) -> tuple[ShownSource, ...]:
    firsts = first_numbers(answer.citations)
    found: dict[str, Document | None] = {}
    shown_sources = []
    for n, citation in enumerate(answer.citations, start=1):
        if citation.doc_id not in found:
            found[citation.doc_id] = _found(citation.doc_id, find)
        heading, origin = headings(citation, answer.scope, firsts[citation.doc_id], n, paper)
        shown_sources.append(
            ShownSource(
                n, heading, origin, tuple(details(citation, answer.scope, paper)),
                _around(found[citation.doc_id], citation),
                document_url(answer.scope, citation.doc_id, citation.start, citation.end), citation,
            )
        )  # fmt: skip
    return tuple(shown_sources)


def _found(doc_id: str, find: Find) -> Document | None:
    try:
        return find(doc_id)
    except ChartciteError:  # deleted between the answer and the page; the quote itself is still shown
        return None


def _around(document: Document | None, citation: Citation) -> Window | None:
    """None too where the text has changed since: what stands at the span then is another sentence."""
    if document is None or document.text[citation.start : citation.end] != citation.quote:
        return None
    columns = Span(citation.head.start, citation.head.end) if citation.head else None
    return window(document, citation.start, citation.end, columns)


def _conflict(row: Mapping[str, Any], answer: Answer, words: Words) -> ShownConflict:
    if answer.scope.kind == "collection":
        source = side(row)
    else:
        named = (str(row.get("note_type") or row.get("title") or row["doc_id"]), str(row.get("time") or "")[:10])
        source = " · ".join(part for part in named if part)
    url = document_url(answer.scope, str(row["doc_id"]), int(row["start"]), int(row["end"]))
    return ShownConflict(source, str(row["quote"]), words.told(str(row["why"])), int(row.get("sentence") or 0), url)
