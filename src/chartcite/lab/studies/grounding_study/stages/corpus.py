"""Stage `corpus`: the queries, and the PDFs in the run's own store, cut into chunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.core.scope import Scope
from chartcite.ingest.ledger import Ledger
from chartcite.lab.cases import Case
from chartcite.lab.datasets.pdf_folder import NO_ANSWER, pdf_files
from chartcite.lab.experiment.selection import chosen_cases
from chartcite.lab.experiment.stage import COLLECTION, Context, Done, Finished, Stage
from chartcite.lab.experiment.tables import CorpusRow
from chartcite.lab.experiment.units import Key
from chartcite.lab.experiment.wanted import dataset_of
from chartcite.lab.studies.grounding_study.searching import whole_collection
from chartcite.lab.studies.grounding_study.tables import DocumentRow
from chartcite.library.book import Book
from chartcite.library.settings import Settings
from chartcite.models.files import sha256_of

_CASES: Key = ("cases",)


class CorpusStage(Stage):
    """See the module. A recipe (encoder, splitter, language) is one unit; the first one's documents are listed."""

    name = "corpus"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": CorpusRow, "cases": Case, "documents": DocumentRow}

    def units(self, ctx: Context) -> list[Key]:
        """The queries, then each recipe."""
        return [_CASES, *_recipes(ctx)]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Choose the queries, read the PDFs."""
        recipes = _recipes(ctx)
        for key in pending:
            if key == _CASES:
                yield Done(key, {"cases": chosen_cases(dataset_of(ctx.spec), ctx.data_folder, ctx.spec.data)[0]})
                continue
            row = _ingested(ctx, recipes[key])
            documents = _documents(ctx, recipes[key]) if key == next(iter(recipes)) else []
            yield Done(key, {"": [row], "documents": documents})

    def finish(self, ctx: Context) -> Finished:
        """What the manifest says of the data and the encoders."""
        documents = ctx.rows("corpus", DocumentRow, "documents")
        rows = ctx.rows("corpus", CorpusRow)
        card = dataset_of(ctx.spec).card
        data = {
            "dataset": card.name, "licence": card.licence, "source": card.source, "queries": len(ctx.cases),
            "unanswerable": sum(case.label == NO_ANSWER for case in ctx.cases),
            "with_gold": sum(bool(case.references) for case in ctx.cases), "files": rows[0].items if rows else 0,
            "documents": len(documents), "pages": sum(d.pages for d in documents),
            "chunks": sum(d.chunks for d in documents), "reading": rows[0].reason if rows else "",
            "sha256": {path.name: sha256_of(path) for path in pdf_files(ctx.data_folder)},
        }  # fmt: skip
        return Finished(facts={"data": data, "models": {"encoders": sorted({r.encoder for r in rows})}})


def _recipes(ctx: Context) -> dict[Key, Settings]:
    """Settings of the first strategy of each recipe, by unit."""
    found: dict[Key, Settings] = {}
    for strategy in ctx.spec.strategies:
        s = strategy.settings
        found.setdefault(("recipe", s.encoder, s.splitter, s.language, s.sparse), s)
    return found


def _ingested(ctx: Context, settings: Settings) -> CorpusRow:
    paths = pdf_files(ctx.data_folder)
    with ctx.open_book(ctx.store, settings, True) as book:
        ledger = book.ingest(*paths, collection=COLLECTION, progress=lambda *_: None)
        recipe = book.engines.recipe
        kept: dict[str, int] = {p.scope.name: p.documents for p in book.store.partitions("collection")}
    return CorpusRow(
        recipe.encoder, recipe.splitter, recipe.analyser, "collection", COLLECTION, len(paths),
        kept.get(COLLECTION, 0), _problems(ledger),
    )  # fmt: skip


def _documents(ctx: Context, settings: Settings) -> list[DocumentRow]:
    with ctx.open_book(ctx.store, whole_collection(settings), False) as book:
        chunks = Counter(chunk.places[0].doc_id for chunk in book.search("all", collection=COLLECTION))
        return list(_described(book, chunks))


def _described(book: Book, chunks: Mapping[str, int]) -> Iterator[DocumentRow]:
    with book.store.read(Scope.collection(COLLECTION)) as reader:
        found = [reader.document(info.key) for info in reader.documents()]
    for document in sorted(found, key=lambda d: d.doc_id):
        yield DocumentRow(
            document.doc_id, document.title, len(document.pages), len(document.text), chunks.get(document.doc_id, 0)
        )


def _problems(ledger: Ledger) -> str:
    """Counted, with the first reason; never any text of a document."""
    lost = ledger.total("failed") + ledger.total("skipped")
    first = next((p.reason for source in ledger.sources for p in source.problems), "")
    return f"{lost} files or pages could not be used; the first: {first}" if lost else ""
