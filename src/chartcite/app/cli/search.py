"""`chartcite search`: ranked passages of a partition or of an ad-hoc corpus; TREC runs for many queries."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from chartcite.app.cli import exits, options, output
from chartcite.core.errors import UsageError
from chartcite.core.neural import EMBEDDED_ELSEWHERE

if TYPE_CHECKING:
    from chartcite.app.config import Config
    from chartcite.app.trec import Query
    from chartcite.ingest.ledger import Ledger
    from chartcite.library.book import Book

_ADHOC = "corpus"
_RUN_DEPTH = 100
_Scope = dict[str, str | None]


class _Order(StrEnum):
    rank = "rank"
    time = "time"


def search(
    query: Annotated[str | None, typer.Argument(help="What to look for.", metavar="QUERY")] = None,
    patient: options.Patient = None,
    collection: options.Collection = None,
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", metavar="FILE", help='Search these {"id", "text"} lines instead of the store.'),
    ] = None,
    queries: Annotated[
        Path | None,
        typer.Option("--queries", metavar="FILE", help='Many queries: qid<TAB>text or {"id", "text"} lines.'),
    ] = None,
    run_out: Annotated[
        Path | None, typer.Option("--run-out", metavar="FILE", help="Where the TREC run goes; stdout if not given.")
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method", metavar="NAME", help="lexical, dense, sparse, hybrid, neighbours, hierarchical or full_context."
        ),
    ] = None,
    rerank: Annotated[
        str | None, typer.Option("--rerank", metavar="NAME", help="What reorders it: fused, cross or none.")
    ] = None,
    top_k: Annotated[
        int | None,
        typer.Option("--top-k", "-k", metavar="N", help=f"How many passages; documents of a run ({_RUN_DEPTH})."),
    ] = None,
    order: Annotated[
        _Order, typer.Option("--order", help="Best first, or oldest first; the rank is shown in any case.")
    ] = _Order.rank,
    as_of: options.AsOf = None,
    json: options.Json = False,
    store: options.Store = None,
    preset: options.Preset = None,
    config: options.ConfigFile = None,
    assignments: options.Assignments = None,
) -> int:
    """Rank the passages of one patient's record, one collection, or an ad-hoc corpus."""
    from chartcite.app.cli.files import text_lines  # noqa: PLC0415
    from chartcite.app.trec import read_queries  # noqa: PLC0415

    if (query is None) == (queries is None):
        raise UsageError("A query or --queries FILE is needed, not both.", "For example: chartcite search 'INR' -p ID.")
    if corpus and (patient or collection or store):
        raise UsageError("--corpus needs no store, patient or collection.", "Leave them away.")
    if run_out and not queries:
        raise UsageError("--run-out goes with --queries.", "Give the queries in a file.")
    many = read_queries(text_lines(queries)) if queries else []
    configured = options.configure(store, config, preset, assignments, method=method, rerank=rerank, top_k=top_k)
    with _opened(configured, corpus) as (book, failed):
        scope: _Scope = {"patient": patient, "collection": _ADHOC if corpus else collection}
        if query is not None:
            _one(book, query, scope, (as_of, order), as_json=json)
        else:
            depth = top_k or _RUN_DEPTH
            _many(book, many, scope, (as_of, depth), run_out, as_json=json)
    return exits.SOME_FAILED if failed else exits.DONE


@contextmanager
def _opened(configured: Config, corpus: Path | None) -> Iterator[tuple[Book, bool]]:
    """The store, or a temporary one that holds the corpus; and whether a line of the corpus failed."""
    from chartcite.library.book import Book  # noqa: PLC0415

    if corpus is None:
        with options.open_book(configured) as book:
            yield book, False
        return
    with TemporaryDirectory(prefix="chartcite-corpus-") as folder, Book(Path(folder), configured.settings) as book:
        ledger = _ingested(book, corpus)
        _complain(ledger)
        yield book, ledger.failed


def _ingested(book: Book, corpus: Path) -> Ledger:
    from chartcite.app.cli.files import UnreadableFile  # noqa: PLC0415
    from chartcite.app.cli.progress import Gauge, showing  # noqa: PLC0415
    from chartcite.ingest.walk import walk  # noqa: PLC0415

    if corpus.is_dir():
        raise UnreadableFile(f"{corpus} is a folder.", "Name a JSON Lines file.")
    reading = replace(book.read_options(), columns={"doc_id": "id"})
    with showing(Gauge(walk([corpus])), "corpus") as progress:
        ledger = book.ingest(corpus, collection=_ADHOC, options=reading, progress=progress)
    if not ledger.total("added"):
        problem = next((p for source in ledger.sources for p in source.problems), None)
        why = f": {problem.reason.rstrip('.')}" if problem else ""
        raise UnreadableFile(f"Nothing of {corpus} can be searched{why}.", 'Each line is {"id": ..., "text": "..."}.')
    return ledger


def _complain(ledger: Ledger) -> None:
    problems = [p for source in ledger.sources for p in source.problems if not p.skipped]
    for problem in problems[:3]:
        output.warn(f"warning: {problem.where}: {problem.reason}")
    if len(problems) > 3:
        output.warn(f"warning: and {ledger.total('failed') - 3:,} more lines of the corpus that cannot be used")


def _one(book: Book, query: str, scope: _Scope, how: tuple[str | None, _Order], *, as_json: bool) -> None:
    from chartcite.app.render.passages import passage_lines  # noqa: PLC0415

    as_of, order = how
    fallbacks: list[dict[str, object]] = []
    found = book.search(
        query, as_of=as_of, order=order.value,
        fallback=lambda name, count: fallbacks.append({"name": name, "count": count}), **scope,
    )  # fmt: skip
    if not as_json:
        output.print_lines(passage_lines(found, output.paper()))
        for fallback in fallbacks:
            is_of_passages = fallback["name"] != EMBEDDED_ELSEWHERE
            output.warn(f"note: {fallback['name']}" + (f": {fallback['count']} passages" if is_of_passages else ""))
        return
    settings = book.settings
    result = {
        "schema": "chartcite.search/1", "query": query,
        "scope": {kind: name for kind, name in scope.items() if name is not None},
        "method": settings.method, "rerank": settings.rerank, "fusion": settings.fusion,
        "top_k": settings.top_k, "order": order.value, "fallbacks": fallbacks,
        "hits": [passage.to_dict() for passage in found],
    }  # fmt: skip
    output.print_json(result)


def _many(
    book: Book,
    queries: list[Query],
    scope: _Scope,
    bounds: tuple[str | None, int],
    run_out: Path | None,
    *,
    as_json: bool,
) -> None:
    from chartcite.app.cli.files import refused  # noqa: PLC0415
    from chartcite.app.trec import run_lines  # noqa: PLC0415

    as_of, depth = bounds
    start = time.perf_counter()
    lines: list[str] = []
    for qid, text in queries:
        lines += run_lines(qid, book.rank_documents(text, as_of=as_of, depth=depth, **scope), "chartcite")
    body = "".join(f"{line}\n" for line in lines)
    if run_out is None:
        print(body, end="")
        return
    try:
        run_out.write_text(body, "utf-8")
    except OSError as error:
        raise refused(run_out, error) from error
    seconds = time.perf_counter() - start
    if as_json:
        output.print_json(
            {"run": str(run_out), "queries": len(queries), "lines": len(lines), "seconds": round(seconds, 3)}
        )
    else:
        print(f"{run_out}: {len(queries):,} queries, {len(lines):,} lines, {seconds:.1f} s")
