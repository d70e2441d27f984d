"""The sentences of a document, as JSON rows and as lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.text import Text

from chartcite.app.render.layout import Paper
from chartcite.app.render.safe import one_line
from chartcite.core.documents import Document, Sentence
from chartcite.text.boilerplate import boilerplate
from chartcite.text.stated import units_of


def sentences_of(document: Document) -> dict[str, Any]:
    """Spans in code points of the document's text, kind and section of every sentence."""
    return {
        "schema": "chartcite.sentences/1",
        "doc_id": document.doc_id,
        "chars": len(document.text),
        "sentences": [_row(document, s) for s in units_of(document.text, document.units)],
    }


def sentence_lines(document: Document, paper: Paper) -> Iterator[Text]:
    """One sentence after the other with its span, under its section."""
    yield from paper.hanging("", Text(one_line(document.doc_id), "bold"))
    section: tuple[str, ...] = ()
    for s in units_of(document.text, document.units):
        if s.section != section:
            section = s.section
            yield from paper.hanging("", Text(" > ".join(map(one_line, section)) or "(no section)", "cyan"), indent=2)
        marks: list[str] = [s.kind] if s.kind != "sentence" else []
        marks += ["boilerplate"] if boilerplate(document.text[s.start : s.end]) else []
        head = f"{s.n:>5} [{s.start}, {s.end}) {''.join(f'{mark} ' for mark in marks)}"
        yield from paper.hanging(Text(head, "dim"), Text(one_line(document.text[s.start : s.end])))


def _row(document: Document, s: Sentence) -> dict[str, Any]:
    kind = None if s.kind == "header" else boilerplate(document.text[s.start : s.end])
    return {
        "n": s.n, "start": s.start, "end": s.end, "kind": s.kind, "section": list(s.section),
        "text": document.text[s.start : s.end], **({"boilerplate": kind} if kind else {}),
    }  # fmt: skip
