"""An answer as a Word document: numbered sentences with the check's words, then the numbered sources with quotes.

Needs python-docx (the extra `serve`). Same answer, same bytes: the file names no user, no machine and no hour.
"""

from __future__ import annotations

import io
import re
import zipfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from chartcite.app.render.answer import (
    NOTICE,
    abstained_sentence,
    cautions,
    check_said,
    details,
    page_of,
    searched_sentence,
    sources_sentence,
)
from chartcite.app.render.layout import Paper
from chartcite.app.render.references import identifiers, reference, side
from chartcite.app.render.safe import one_line
from chartcite.app.words import ENGLISH, Words
from chartcite.core.answer import Answer, Citation, identity
from chartcite.core.errors import MissingExtra

if TYPE_CHECKING:
    from docx.document import Document as Page

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the first day that a zip can name
_NO_CHARACTERS = re.compile("[\ufffe\uffff]|[\U0001fffe\U0001ffff]")


def word_document(answer: Answer, words: Words = ENGLISH) -> bytes:
    """The bytes of a .docx.

    Raises:
        MissingExtra: python-docx is not installed.
    """
    try:
        from docx import Document  # noqa: PLC0415
    except ModuleNotFoundError:
        raise MissingExtra("A Word document needs python-docx.", "pip install 'chartcite[serve]'") from None
    page = Document()
    _name(page, answer, words)
    page.add_heading(_safe(answer.question or answer.query), 1)
    scope = f"{words(answer.scope.kind)} {answer.scope.name}"
    if answer.as_of:
        scope += f" · {words('as of {day}', day=answer.as_of)}"
    _line(page, scope)
    _sentences(page, answer, words)
    if answer.conflicts:
        page.add_heading(words("May disagree"), 2)
        _conflicts(page, answer, words)
    for caution in cautions(answer, words):
        _line(page, caution, bold=True)
    if answer.citations:
        page.add_heading(words("Sources"), 2)
        for n, citation in enumerate(answer.citations, start=1):
            _source(page, citation, n, answer, words)
    _line(page, searched_sentence(answer.searched, words))
    if answer.sources and answer.sentences:
        _line(page, sources_sentence(answer, words))
    _line(page, words(NOTICE), italic=True)
    made = io.BytesIO()
    page.save(made)
    return _timeless(made.getvalue())


def _name(page: Page, answer: Answer, words: Words) -> None:
    """Properties that say nothing of who made the file, when and where; the question is in the text."""
    properties, day = page.core_properties, datetime(1980, 1, 1, tzinfo=UTC)
    properties.author, properties.last_modified_by, properties.comments = "", "", ""
    properties.title, properties.subject, properties.keywords = words(NOTICE), "", answer.config
    properties.created = properties.modified = day
    properties.revision = 1
    properties.language = "pt-BR" if words.lang == "pt" else "en"


def _sentences(page: Page, answer: Answer, words: Words) -> None:
    if answer.presence is not None and not (answer.abstained and answer.reason == "not_mentioned"):
        said = answer.presence.wording(words.lang)
        _line(page, said.statement, bold=True)
        for remark in said.remarks:
            _line(page, remark)
    if answer.abstained:
        _line(page, abstained_sentence(answer, words))
    numbers = {identity(c): n for n, c in enumerate(answer.citations, start=1)}
    for sentence in answer.sentences:
        if sentence.plain:
            _line(page, sentence.plain, bold=True)
        paragraph = page.add_paragraph()
        for piece, own in sentence.pieces(numbers):
            space = " " if paragraph.runs and piece[:1].isspace() else ""
            paragraph.add_run(space + _safe(piece))
            if own:
                paragraph.add_run(" " + "".join(f"[{n}]" for n in own))
        mark = paragraph.add_run(f" ({_safe(check_said(sentence, words))})")
        mark.italic, mark.bold = sentence.verified, not sentence.verified


def _source(page: Page, citation: Citation, n: int, answer: Answer, words: Words) -> None:
    """`[1] Title · type · 2019-03-02 · section · page 3 · a.pdf`, the quote, the head of its table, cautions."""
    paragraph = page.add_paragraph()
    paragraph.paragraph_format.keep_with_next = True
    paragraph.add_run(f"[{n}] ").bold = True
    if answer.scope.kind == "collection":
        known = [reference(citation.title, citation.bibliography, citation.time), *identifiers(citation.bibliography)]
    else:
        day = (citation.time or "")[:16].replace("T", " ") or words("undated")
        known = [citation.title or citation.doc_id, citation.note_type, day]
    known += [" > ".join(citation.section), page_of(citation.page, words), citation.doc_id]
    paragraph.add_run(_safe(" · ".join(dict.fromkeys(part for part in known if part))))
    page.add_paragraph(_safe(citation.quote), style="Quote")
    for detail, is_caution in details(citation, answer.scope, Paper(words=words)):
        _line(page, detail, bold=is_caution)


def _conflicts(page: Page, answer: Answer, words: Words) -> None:
    for row in answer.conflicts:
        own = answer.sentences[int(row["sentence"]) - 1].citations[0].to_dict()
        _line(page, words.told(str(row["why"])))
        for one in (own, row):
            page.add_paragraph(_safe(f"{_called(one, answer)}: {one['quote']}"), style="List Bullet")


def _called(row: Any, answer: Answer) -> str:
    """What a side of a conflict is called: of a patient's note with its whole day, which a year does not tell."""
    if answer.scope.kind == "collection":
        return side(row)
    parts = (str(row.get("note_type") or row.get("title") or row["doc_id"]), str(row.get("time") or "")[:10])
    return " · ".join(part for part in parts if part)


def _line(page: Page, text: str, *, bold: bool = False, italic: bool = False) -> None:
    run = page.add_paragraph().add_run(_safe(text))
    run.bold, run.italic = bold or None, italic or None


def _safe(text: str) -> str:
    """One line that XML can hold, in which nothing is invisible."""
    return _NO_CHARACTERS.sub("\ufffd", one_line(text))


def _timeless(data: bytes) -> bytes:
    """The same parts in the same order, under one fixed day."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        for name in given.namelist():
            out.writestr(zipfile.ZipInfo(name, _EPOCH), given.read(name), zipfile.ZIP_DEFLATED)
    return made.getvalue()
