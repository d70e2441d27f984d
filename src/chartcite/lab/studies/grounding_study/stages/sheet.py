"""Stage `sheet`: the blinded sheet for people, and its key."""

from __future__ import annotations

from chartcite.lab.csv_safe import replace_text
from chartcite.lab.experiment.stage import Context, Finished, Stage
from chartcite.lab.studies.grounding_study.annotation import KEY, SHEET, Entry, make_sheet
from chartcite.lab.studies.grounding_study.evidence import evidence
from chartcite.lab.studies.grounding_study.options import Against, options_of
from chartcite.lab.studies.grounding_study.stages.answer import chunks_by_query
from chartcite.lab.studies.grounding_study.tables import AnswerRow, ChunkRow, ClaimRow


class SheetStage(Stage):
    """See the module. A claim that names no source is shown with all that the writer was given."""

    name = "sheet"

    def finish(self, ctx: Context) -> Finished:
        """Write both files."""
        chunks = chunks_by_query(ctx.rows("rerank", ChunkRow))
        given = {(a.strategy, a.query_id): a.given for a in ctx.rows("answer", AnswerRow)}
        entries = []
        for row in ctx.rows("claims", ClaimRow):
            key = (row.strategy, row.query_id)
            against: Against = "cited" if row.sources else "given"
            shown = evidence(against, chunks.get(key, ()), given.get(key, 0), row.sources)
            text = "\n\n".join(" ".join(source.text.split()) for source in shown)
            entries.append(Entry(row.strategy, row.query_id, row.claim, row.text, text))
        made = make_sheet(entries, options_of(ctx.spec).sheet_items, ctx.spec.statistics.seed)
        paths = (ctx.folder.path / SHEET, ctx.folder.path / KEY)
        for path, content in zip(paths, (made.sheet, made.key), strict=True):
            replace_text(path, content)
        return Finished(files=paths)
