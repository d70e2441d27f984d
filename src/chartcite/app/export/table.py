"""An answer as CSV: one row for each sentence and each of its citations, safe to open in a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator

from chartcite.core.answer import Answer, Citation, identity
from chartcite.lab.csv_safe import Cell, csv_text

COLUMNS = (
    "partition_kind", "partition", "question", "as_of", "reason", "statement", "sentence", "text", "verdict",
    "verified", "citation", "quote", "doc_id", "title", "note_type", "time", "section", "page", "start", "end",
    "sha256", "table_head", "ocr_confidence",
)  # fmt: skip


def csv_of(answer: Answer) -> str:
    """The whole table. Without sentences there is one row, with the reason. Names of columns are the schema's."""
    return csv_text(COLUMNS, [{**dict.fromkeys(COLUMNS), **row} for row in _rows(answer)])[0]


def _rows(answer: Answer) -> Iterator[dict[str, Cell]]:
    numbers = {identity(c): n for n, c in enumerate(answer.citations, start=1)}
    statement = answer.presence.wording(answer.lang).statement if answer.presence else None
    asked: dict[str, Cell] = {
        "partition_kind": answer.scope.kind, "partition": answer.scope.name, "question": _whole(answer.question),
        "as_of": answer.as_of, "reason": answer.reason, "statement": statement,
    }  # fmt: skip
    if not answer.sentences:
        yield asked
    for n, sentence in enumerate(answer.sentences, start=1):
        said: dict[str, Cell] = {
            **asked, "sentence": n, "text": _whole(sentence.text), "verdict": sentence.verdict,
            "verified": sentence.verified,
        }  # fmt: skip
        if not sentence.citations:
            yield said
        for citation in sentence.citations:
            yield {**said, "citation": numbers[identity(citation)], **_cited(citation)}


def _cited(citation: Citation) -> dict[str, Cell]:
    return {
        "quote": _whole(citation.quote), "doc_id": citation.doc_id, "title": _whole(citation.title),
        "note_type": citation.note_type, "time": citation.time, "section": " > ".join(citation.section),
        "page": citation.page, "start": citation.start, "end": citation.end, "sha256": citation.sha256,
        "table_head": _whole(citation.head.quote) if citation.head else None,
        "ocr_confidence": citation.ocr_confidence,
    }  # fmt: skip


def _whole(text: str) -> str:
    """Half surrogate pairs, which no file can hold, as the sign of what could not be read."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
