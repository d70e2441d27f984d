"""Stage `corpus`: the cases of the run, their gold, and the data set's items in the run's own store.

An item that names a patient goes to that patient's partition, the others to one collection. A recipe (encoder,
splitter, analyser) is one unit: the first ingests, further ones build their passages beside it.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from chartcite.ingest.ledger import Ledger
from chartcite.lab.cases import Case, CorpusItem
from chartcite.lab.dataset import count
from chartcite.lab.experiment.selection import chosen_cases, chosen_items, claims_of, gold_of, text_of
from chartcite.lab.experiment.stage import COLLECTION, Context, Done, Finished, Stage
from chartcite.lab.experiment.tables import ClaimRow, CorpusRow, GoldRow
from chartcite.lab.experiment.units import Key
from chartcite.lab.experiment.wanted import dataset_of
from chartcite.lab.rows import json_line
from chartcite.library.book import Book
from chartcite.library.settings import Settings

_CASES: Key = ("cases",)
_TIMED = ("time", "note_type", "encounter_id")  # fields that items of some data sets have


class CorpusStage(Stage):
    """See the module."""

    name = "corpus"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": CorpusRow, "cases": Case, "gold": GoldRow, "claims": ClaimRow}

    def units(self, ctx: Context) -> list[Key]:
        """The cases, then each recipe."""
        return [_CASES, *_recipes(ctx)]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Choose the cases, fill the store."""
        dataset, data = dataset_of(ctx.spec), ctx.spec.data
        cases, _ = chosen_cases(dataset, ctx.data_folder, data)
        for key in pending:
            if key == _CASES:
                yield Done(key, self._gold(ctx, cases))
                continue
            items = chosen_items(dataset, ctx.data_folder, data, cases)
            yield Done(key, {"": _stored(ctx, _recipes(ctx)[key], items)})

    def finish(self, ctx: Context) -> Finished:
        """What the manifest says about the data and the encoders."""
        dataset = dataset_of(ctx.spec)
        rows = ctx.rows("corpus", CorpusRow)
        _, available = chosen_cases(dataset, ctx.data_folder, ctx.spec.data)
        card = dataset.card
        expected = [
            {"kind": c.expected.kind, "split": c.expected.split, "n": c.n, "as_published": c.right}
            for c in count(dataset, ctx.data_folder)
        ]
        one = [r for r in rows if r.encoder == rows[0].encoder and r.splitter == rows[0].splitter] if rows else []
        data = {
            "dataset": card.name, "licence": card.licence, "source": card.source, "paper": card.paper,
            "note": card.note, "counts": expected, "cases": len(ctx.cases), "cases_available": available,
            "items": sum(r.items for r in one), "documents": sum(r.documents for r in one),
            "clusters": len(set(ctx.clusters.values())),
            "relevant_missing": sum(not g.present for g in ctx.rows("corpus", GoldRow, "gold")),
        }  # fmt: skip
        return Finished(facts={"data": data, "models": {"encoders": sorted({r.encoder for r in rows})}})

    def _gold(self, ctx: Context, cases: list[Case]) -> dict[str, list[Any]]:
        dataset, ids = dataset_of(ctx.spec), {case.id for case in cases}
        claims = [claim for claim in dataset.claims(ctx.data_folder) if claim.id in ids]
        named = {r.item_id for c in cases for r in c.relevant} | {item for claim in claims for item in claim.items}
        sentences = {
            item.id: item.sentences or (item.text,) for item in dataset.corpus(ctx.data_folder) if item.id in named
        }
        pool = {item.id for item in chosen_items(dataset, ctx.data_folder, ctx.spec.data, cases)}
        return {
            "cases": cases,
            "gold": list(gold_of(cases, claims, sentences, pool)),
            "claims": list(claims_of(claims, sentences)),
        }


def _recipes(ctx: Context) -> dict[Key, Settings]:
    """Settings of the first strategy of each recipe, by unit."""
    found: dict[Key, Settings] = {}
    for strategy in ctx.spec.strategies:
        s = strategy.settings
        sparse = (s.sparse,) if s.sparse else ()
        found.setdefault(("recipe", s.encoder, s.splitter, s.language, *sparse), s)
    return found


def _stored(ctx: Context, settings: Settings, items: Iterator[CorpusItem]) -> list[CorpusRow]:
    beside = ctx.folder.path / "ingest"  # the same name after a kill, so that the store knows the source again
    beside.mkdir(exist_ok=True)
    with ctx.open_book(ctx.store, settings, True) as book:
        wanted, problems = _ingest(book, items, beside, ctx)
        documents: dict[tuple[str, str], int] = {
            (p.scope.kind, p.scope.name): p.documents for p in book.store.partitions()
        }
        recipe = book.engines.recipe
    shutil.rmtree(beside)
    return [
        CorpusRow(
            recipe.encoder, recipe.splitter, recipe.analyser, kind, scope, n, documents.get((kind, scope), 0),
            problems if kind == "collection" or len(wanted) == 1 else "",
        )
        for (kind, scope), n in sorted(wanted.items())
    ]  # fmt: skip


def _ingest(
    book: Book, items: Iterator[CorpusItem], beside: Path, ctx: Context
) -> tuple[Counter[tuple[str, str]], str]:
    """Items per partition, and what became of those that could not be used."""
    wanted: Counter[tuple[str, str]] = Counter()
    paths = {True: beside / "patients.jsonl", False: beside / "corpus.jsonl"}
    files = {own: path.open("w", encoding="utf-8") for own, path in paths.items()}
    try:
        for item in items:
            own = bool(item.patient_id)
            wanted["patient" if own else "collection", item.patient_id or COLLECTION] += 1
            files[own].write(json_line(_note(item)) + "\n")
    finally:
        for file in files.values():
            file.close()
    problems = []
    total, before = sum(wanted.values()), 0
    for own, path in paths.items():
        if path.stat().st_size:
            advance = lambda entry, _bytes, before=before: ctx.advance(before + entry.documents, total)  # noqa: E731
            ledger = book.ingest(path, collection=None if own else COLLECTION, progress=advance)
            problems.append(_problems(ledger))
            before += sum(n for (kind, _), n in wanted.items() if (kind == "patient") == own)
    return wanted, "; ".join(p for p in problems if p)


def _note(item: CorpusItem) -> dict[str, str]:
    more = {name: getattr(item, name, "") for name in _TIMED}
    row = {"doc_id": item.id, "patient_id": item.patient_id, "title": item.title, "lang": item.lang, **more}
    return {name: value for name, value in row.items() if value} | {"text": text_of(item)}


def _problems(ledger: Ledger) -> str:
    """Counted, with the first reason; never any text of an item."""
    lost = ledger.total("failed") + ledger.total("skipped")
    first = next((p.reason for source in ledger.sources for p in source.problems), "")
    return f"{lost} items could not be used; the first: {first}" if lost else ""
