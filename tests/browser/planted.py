"""A page with an answer that was made by hand, so that any text can stand at any place of it."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from tests.browser.payloads import PAYLOADS

from chartcite.app.page.ask import Asked
from chartcite.app.page.pages import page, words_of
from chartcite.app.page.shown import shown
from chartcite.app.page.start import Row
from chartcite.core.answer import Answer, AnswerSentence, Citation, Searched
from chartcite.core.documents import Document, Provenance, text_sha256
from chartcite.core.scope import Scope

router = APIRouter()


@router.get("/planted")
async def planted(request: Request) -> Response:
    """Every payload as text of a note, as doc_id and file name, as title, as a model's sentence and as its reason."""
    documents = {_doc_id(n): _document(n, payload) for n, payload in enumerate(PAYLOADS)}
    answer = _answer(documents)
    return page(
        request, "ask.html", scope=answer.scope, summary=Row(answer.scope, len(documents), ""),
        asked=Asked(" ".join(PAYLOADS)), answer=shown(answer, words_of(request), documents.__getitem__), error=None,
    )  # fmt: skip


def _doc_id(n: int) -> str:
    return f"{n}/{PAYLOADS[n]}.txt"


def _document(n: int, payload: str) -> Document:
    text = f"PLAN: {payload}\nWarfarin 5 mg. {payload} End.\n"
    return Document(doc_id=_doc_id(n), text=text, source=Provenance(_doc_id(n), text_sha256(text), "text"))


def _answer(documents: dict[str, Document]) -> Answer:
    sentences = tuple(_sentence(n, document) for n, document in enumerate(documents.values()))
    conflicts = tuple(
        {"sentence": n + 1, "kind": "number", "why": payload, "doc_id": _doc_id(n), "start": 0, "end": 5,
         "quote": payload, "title": payload, "note_type": payload, "time": payload}
        for n, payload in enumerate(PAYLOADS)
    )  # fmt: skip
    return Answer(
        question=" ".join(PAYLOADS), query="q", scope=Scope.patient(PAYLOADS[0]), kind="fact", sentences=sentences,
        evidence=(), searched=Searched(len(documents), 1, PAYLOADS[0], PAYLOADS[1], terms=PAYLOADS), reason=None,
        fallbacks=tuple({"name": payload, "count": 1} for payload in PAYLOADS), config="", partition_seq=1,
        conflicts=conflicts,
    )  # fmt: skip


def _sentence(n: int, document: Document) -> AnswerSentence:
    payload, start = PAYLOADS[n], document.text.index("Warfarin")
    end = document.text.index("\n", start)
    citation = Citation(
        doc_id=document.doc_id, sentence=1, start=start, end=end, quote=document.text[start:end], title=payload,
        note_type=payload + "!", time="2024-05-01", page=None, sha256=text_sha256(document.text), section=(payload,),
    )  # fmt: skip
    is_last = n + 1 == len(PAYLOADS)
    return AnswerSentence(
        f"The model says {payload} and so on.", (citation,), "unsupported" if is_last else "supported",
        verified=not is_last, why=payload, plain=payload,
        judged={"verdict": "unsupported", "conclusive": True, "reason": payload},
        grounded={"score": 0.5, "by": payload},
    )  # fmt: skip
