"""Stage `corpus`: the chosen cases as files of their own in the run's folder, and their notes in the run's store."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from chartcite.lab.cases import Case
from chartcite.lab.csv_safe import replace_text
from chartcite.lab.datafiles import locate, read_text
from chartcite.lab.datasets.archehr import DATASET, KEY, MAPPING, XML, Labelled, case_of, problems_of, read_labelled
from chartcite.lab.experiment.selection import chosen_cases
from chartcite.lab.experiment.stage import Context, Done, Finished, Stage
from chartcite.lab.experiment.tables import CorpusRow
from chartcite.lab.experiment.units import Key
from chartcite.lab.rows import json_line
from chartcite.lab.studies.archehr.options import ArchehrOptions
from chartcite.lab.studies.archehr.tables import ProblemRow
from chartcite.library.settings import Settings
from chartcite.readers.archehr import NOTE_TYPE, patient_of


def options_of(ctx: Context) -> ArchehrOptions:
    """The run's options."""
    return ArchehrOptions.model_validate(ctx.spec.options)


def labelled_of(ctx: Context) -> list[Labelled]:
    """The cases of a run, from its own copy of the files.

    Raises:
        RunDamaged: a file is not the one that was written.
    """
    ctx.folder.check("corpus")
    return read_labelled(ctx.folder.path)


class CorpusStage(Stage):
    """See the module."""

    name = "corpus"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": CorpusRow, "cases": Case, "problems": ProblemRow}

    def units(self, ctx: Context) -> list[Key]:
        """The cases, then each recipe."""
        return [("cases",), *_recipes(ctx)]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Choose the cases, copy them, fill the store."""
        chosen, _ = chosen_cases(DATASET, ctx.data_folder, ctx.spec.data)
        ids = {case.id for case in chosen}
        labelled = [one for one in read_labelled(ctx.data_folder) if one.case.id in ids]
        for key in pending:
            if key == ("cases",):
                problems = [ProblemRow(case, problem) for case, problem in problems_of(labelled)]
                yield Done(key, {"cases": [case_of(one) for one in labelled], "problems": problems})
            else:
                yield Done(key, {"": _stored(ctx, _recipes(ctx)[key], labelled)})

    def finish(self, ctx: Context) -> Finished:
        """The copies of the files, and what the manifest says of the data."""
        ids = {case.id for case in ctx.folder.read_table("corpus", "cases", Case)}
        files = _copied(ctx.data_folder, ctx.folder.path, ids)
        rows = ctx.folder.read_table("corpus", "", CorpusRow)
        _, available = chosen_cases(DATASET, ctx.data_folder, ctx.spec.data)
        card = DATASET.card
        sources = sorted({one.document_source for one in read_labelled(ctx.folder.path) if one.document_source})
        data = {
            "dataset": card.name, "licence": card.licence, "source": card.source, "paper": card.paper,
            "note": card.note, "cases": len(ids), "cases_available": available, "has_key": len(files) > 1,
            "document_sources": sources,
        }  # fmt: skip
        return Finished(files=files, facts={"data": data, "models": {"encoders": sorted({r.encoder for r in rows})}})


def _stored(ctx: Context, settings: Settings, labelled: Sequence[Labelled]) -> list[CorpusRow]:
    """The notes, a patient each; those that another recipe has put there get what this one needs."""
    with_note = [one.case for one in labelled if one.case.note]
    path = ctx.folder.path / "notes.part.jsonl"
    try:
        with ctx.open_book(ctx.store, settings, True) as book:
            if options_of(ctx).segmentation == "stated":
                copy = ctx.folder.path / "notes.part.xml"
                replace_text(copy, _part(ctx.data_folder, {case.id for case in with_note}))
                path = copy
            else:
                lines = (
                    json_line({"doc_id": patient_of(c.id), "patient_id": patient_of(c.id), "text": c.note,
                               "note_type": NOTE_TYPE})
                    for c in with_note
                )  # fmt: skip
                replace_text(path, "".join(f"{line}\n" for line in lines))
            book.ingest(path)
            book.index()
            found = {p.scope.name: p.documents for p in book.patients()}
            recipe = book.engines.recipe
    finally:
        path.unlink(missing_ok=True)
    return [
        CorpusRow(
            recipe.encoder, recipe.splitter, recipe.analyser, "patient", patient_of(one.case.id), 1,
            found.get(patient_of(one.case.id), 0), "" if one.case.note else "no note_excerpt",
        )
        for one in labelled
    ]  # fmt: skip


def _copied(source: Path, target: Path, ids: Collection[str]) -> tuple[Path, ...]:
    """The files of the chosen cases; a figure can be computed again from the run's folder alone."""
    replace_text(target / XML, _part(source, ids))
    made = [target / XML]
    for name in (KEY, MAPPING):
        path = locate(source, name)
        if path is not None:
            rows = [row for row in json.loads(read_text(path)) if str(row.get("case_id")).strip() in ids]
            replace_text(target / name, json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
            made.append(target / name)
    return tuple(made)


def _part(folder: Path, ids: Collection[str]) -> str:
    """The XML with only some of its cases. It has been read before, so it has no document type definition."""
    path = locate(folder, XML)
    root = ET.fromstring(read_text(path) if path else "")  # noqa: S314
    for case in [c for c in root if (c.get("id") or "").strip() not in ids]:
        root.remove(case)
    return ET.tostring(root, encoding="unicode") + "\n"


def _recipes(ctx: Context) -> dict[Key, Settings]:
    """Settings of the first strategy of each recipe, by unit."""
    found: dict[Key, Settings] = {}
    for strategy in ctx.spec.strategies:
        s = strategy.settings
        sparse = (s.sparse,) if s.sparse else ()
        found.setdefault(("recipe", s.encoder, s.splitter, s.language, *sparse), s)
    return found
