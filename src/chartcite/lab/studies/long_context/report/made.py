"""The section on how a run was made: settings, models, prompts, versions, and every figure in full."""

from __future__ import annotations

import dataclasses

from chartcite.lab.experiment.report.html import Markup, folded, number, section, table, tag
from chartcite.lab.experiment.report.provenance import differences, pairs
from chartcite.lab.studies.long_context.report.rows import Rows
from chartcite.lab.studies.long_context.tables import CellRow


def made(rows: Rows) -> Markup:
    """Strategies, models, machine, figures."""
    m, stages = rows.manifest, rows.manifest["stages"]
    last = stages.get("summary", {})
    facts = {
        "Run": rows.folder, "Specification": m["spec_sha256"], "Models": pairs(m["models"]),
        "Think and answer": f"temperature {1 if rows.options.reasoning else 0}, {rows.options.answer_tokens} tokens",
        "Seed": rows.spec.statistics.seed, "Resamples": f"{rows.spec.statistics.resamples:,}",
        "Versions": pairs(last.get("made_with", {})), "Machine": pairs(last.get("machine", {})),
    }  # fmt: skip
    return section(
        "How it was made",
        table(["Strategy", "Settings that differ from the defaults"], differences(rows.spec.strategies), left=2),
        tag("dl", *(part for name, value in facts.items() for part in (tag("dt", name), tag("dd", value)))),
        folded("Stages", table(["Stage", "Units", "Started", "Finished"], [
            [name, number(s.get("units", 0)), s.get("started", ""), s.get("finished", "")]
            for name, s in stages.items() if s.get("finished")
        ])),
        folded(f"summary.csv: {len(rows.cells):,} rows", _raw(rows.cells)),
        anchor="made",
    )  # fmt: skip


def _raw(cells: list[CellRow]) -> Markup:
    names = [f.name for f in dataclasses.fields(CellRow)]
    return table(names, [[_cell(getattr(c, name)) for name in names] for c in cells])


def _cell(value: object) -> object:
    return number(value, 4) if value is None or isinstance(value, int | float) else value
