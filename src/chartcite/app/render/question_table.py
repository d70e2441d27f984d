"""A question x document table: CSV rows, long (a row a cell) or wide (a row a document), and lines for people.

Everything here works on the JSON form, which is also what an interrupted table is resumed from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from chartcite.app.render.answer import page_of
from chartcite.app.render.layout import Paper
from chartcite.app.render.references import short_reference
from chartcite.app.render.safe import one_line
from chartcite.app.words import ENGLISH, Words

Row = Mapping[str, Any]
Line = dict[str, str | int | float | bool | None]

_DOCUMENT = ("doc_id", "title", "time", "authors", "year", "doi", "pmid", "url")
LONG = (
    "question_id", "question", *_DOCUMENT, "answer", "corrections", "reason", "relevance", "page", "start", "end",
    "verdict", "fallbacks",
)  # fmt: skip
_REASONS = {"not_mentioned": "not mentioned", "weak_evidence": "weak evidence", "not_verified": "not verified"}


def long_rows(table: Row) -> Iterator[Line]:
    """A row for each question and document, in the order of both."""
    documents = {d["doc_id"]: _document(d) for d in table["documents"]}
    for question in table["questions"]:
        for cell in question["cells"]:
            sentence, citation = cell["sentence"], _citation(cell)
            yield {
                "question_id": question["id"], "question": question["question"], **documents[cell["doc_id"]],
                "answer": _text(sentence), "corrections": _corrections(cell) or None, "reason": cell["reason"],
                "relevance": cell["relevance"], "page": citation.get("page"), "start": citation.get("start"),
                "end": citation.get("end"), "verdict": sentence["verdict"] if sentence else None,
                "fallbacks": "; ".join(cell["fallbacks"]) or None,
            }  # fmt: skip


def wide_columns(table: Row) -> list[str]:
    """The columns of the wide form: the document's, then a question each."""
    return [*_DOCUMENT, *_headings(table)]


def wide_rows(table: Row) -> Iterator[Line]:
    """A row a document; a cell holds the sentence with its page, or in brackets why there is none."""
    headings = _headings(table)
    for n, document in enumerate(table["documents"]):
        cells = [question["cells"][n] for question in table["questions"]]
        yield {**_document(document), **dict(zip(headings, map(_short, cells), strict=True))}


def table_lines(table: Row, paper: Paper) -> Iterator[Text]:
    """For people: each question with the documents that answer it, and how many do not, by reason."""
    documents = {d["doc_id"]: d for d in table["documents"]}
    for n, question in enumerate(table["questions"]):
        if n:
            yield Text()
        yield from paper.hanging("", Text(one_line(question["question"]), "bold"))
        for cell in question["cells"]:
            if cell["sentence"]:
                yield from _cell_lines(cell, documents[cell["doc_id"]], paper)
        yield from paper.hanging("", Text(_without(question["cells"], paper.words), "dim"), indent=2)


def _cell_lines(cell: Row, document: Row, paper: Paper) -> Iterator[Text]:
    year = document["year"] or (document["time"] or "")[:10]
    name = short_reference(document["authors"], year, document["title"] or document["doc_id"])
    page = _citation(cell).get("page")
    head = f" {paper.glyphs.dot} ".join(part for part in (name, page_of(page, paper.words)) if part)
    yield from paper.hanging("", Text(head, "cyan"), indent=2)
    yield from paper.hanging("", Text(one_line(cell["sentence"]["text"])), indent=4)
    if cell["corrections"]:
        yield from paper.hanging(f"{paper.words('correction')}: ", Text(_corrections(cell), "yellow"), indent=4)


def _without(cells: Sequence[Row], words: Words = ENGLISH) -> str:
    """How many documents have no sentence, by reason.

    >>> _without([{"reason": None}, {"reason": "weak_evidence"}, {"reason": "not_mentioned"}])
    '1 of 3 documents; not mentioned in 1, weak evidence in 1'
    """
    counts = {said: sum(cell["reason"] == reason for cell in cells) for reason, said in _REASONS.items()}
    without = [
        words("{reason} in {count}", reason=words(said), count=words.number(count))
        for said, count in counts.items() if count
    ]  # fmt: skip
    answered = words(
        "{answered} of {documents}",
        answered=words.number(len(cells) - sum(counts.values())),
        documents=words.plural(len(cells), "document"),
    )
    return "; ".join([answered, *([", ".join(without)] if without else [])])


def _document(document: Row) -> Line:
    return {name: "; ".join(document[name]) if name == "authors" else document[name] for name in _DOCUMENT}


def _citation(cell: Row) -> Row:
    return cell["sentence"]["citations"][0] if cell["sentence"] else {}


def _text(sentence: Row | None) -> str | None:
    return one_line(sentence["text"]) if sentence else None


def _short(cell: Row) -> str:
    if not cell["sentence"]:
        return f"[{_REASONS[cell['reason']]}]"
    page = _citation(cell).get("page")
    said = one_line(cell["sentence"]["text"]) + (f" (p. {page})" if page else "")
    return said + (f" [correction: {_corrections(cell)}]" if cell["corrections"] else "")


def _corrections(cell: Row) -> str:
    return " ".join(one_line(c["text"]) for c in cell["corrections"])


def _headings(table: Row) -> list[str]:
    """The questions as column names, each once and none that of a document's field."""
    headings: list[str] = []
    for question in table["questions"]:
        name = one_line(question["question"])
        headings.append(f"{question['id']}: {name}" if name in (*headings, *_DOCUMENT) else name)
    return headings
