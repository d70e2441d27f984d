"""Every way to ask something of a patient, each as plain data: the Python doors, and the command line."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from chartcite.app.cli.main import main
from chartcite.app.render.markdown import markdown
from chartcite.core.errors import ChartciteError
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

Door = Callable[[Book, str, str, str | None], Any]
"""Book, question, patient, as_of."""


def search(book: Book, query: str, patient: str, as_of: str | None) -> Any:
    """Ranked passages."""
    return [f.to_dict() for f in book.search(query, patient=patient, as_of=as_of)]


def rank_documents(book: Book, query: str, patient: str, as_of: str | None) -> Any:
    """Ranked documents."""
    return [{"doc_id": d, "score": s} for d, s in book.rank_documents(query, patient=patient, as_of=as_of, depth=20)]


def ask(book: Book, question: str, patient: str, as_of: str | None) -> Any:
    """An answer in both of its written forms."""
    answer = book.ask(question, patient=patient, as_of=as_of)
    return [answer.to_dict(), answer.text, markdown(answer)]


def ask_for_patient(book: Book, question: str, patient: str, as_of: str | None) -> Any:
    """An answer with plain words."""
    return book.ask(question, patient=patient, as_of=as_of, audience="patient").to_dict()


def choose(book: Book, question: str, patient: str, as_of: str | None) -> Any:
    """A choice among options."""
    options = ("5 mg daily", "1.9 mg/dL", "penicillin", "none of the above")
    return book.choose(question, options, patient=patient, as_of=as_of).to_dict()


def span(book: Book, question: str, patient: str, as_of: str | None) -> Any:
    """The shortest part that answers."""
    return book.span(question, patient=patient, as_of=as_of).to_dict()


def table(book: Book, question: str, patient: str, as_of: str | None) -> Any:
    """Each note asked."""
    return book.table([question], patient=patient, as_of=as_of).to_dict()


def timeline(book: Book, question: str, patient: str, as_of: str | None) -> Any:
    """The timeline of whatever the question names, or the refusal."""
    return _or_error(lambda: book.timeline(question, patient=patient, as_of=as_of).to_dict())


def whole_timeline(book: Book, question: str, patient: str, as_of: str | None) -> Any:
    """The timeline of everything."""
    del question
    return book.timeline("", patient=patient, as_of=as_of).to_dict()


RETRIEVING: Mapping[str, Door] = {"search": search, "documents": rank_documents}
ANSWERING: Mapping[str, Door] = {
    "ask": ask, "ask for a patient": ask_for_patient, "choose": choose, "span": span, "timeline": timeline,
}  # fmt: skip
SLOW: Mapping[str, Door] = {"table": table, "whole timeline": whole_timeline}


def _or_error(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except ChartciteError as error:
        return {"error": type(error).__name__, "message": str(error), "advice": error.advice}


def command(store: Path, arguments: Sequence[str]) -> tuple[int, str]:
    """One command line in this process: its exit code, and all it wrote."""
    out, said = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(said):
        code = main([*arguments, "--store", str(store)])
    return code, out.getvalue() + said.getvalue()


def engines_like(known: Engines | None, settings: Settings) -> Engines:
    """Engines of other settings with the models that are loaded already."""
    made = Engines(settings)
    if known is not None:
        made.__dict__.update({name: known.__dict__[name] for name in ("encoder", "reranker") if name in known.__dict__})
    return made


def same(one: Any, other: Any, without: Sequence[str] = ("partition_seq",)) -> bool:
    """Whether two outputs are the same bytes, but for the named fields."""
    return _bytes(one, without) == _bytes(other, without)


def _bytes(value: Any, without: Sequence[str]) -> str:
    return json.dumps(_less(value, without), sort_keys=True, ensure_ascii=False, default=str)


def _less(value: Any, without: Sequence[str]) -> Any:
    if isinstance(value, Mapping):
        return {k: _less(v, without) for k, v in value.items() if k not in without}
    return [_less(v, without) for v in value] if isinstance(value, list | tuple) else value
