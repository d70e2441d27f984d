"""The sections on how a run was made: settings, models, versions, times, and every figure in full."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from chartcite.lab.experiment.report.html import Markup, folded, number, section, table, tag
from chartcite.lab.experiment.report.rows import Rows
from chartcite.lab.experiment.spec import LIMITS_ONLY, Strategy
from chartcite.library.settings import Settings


def made(rows: Rows) -> Markup:
    """Strategies, data, models, machine."""
    m, stages = rows.manifest, rows.manifest["stages"]
    last = stages.get("compare", {})
    codes = {s.get("made_with", {}).get("code") for s in stages.values()}
    mixed = tag("p", "The stages were not all made with the same state of the code; the manifest says which with "
                "which.", class_="warn") if len(codes) > 1 else ""  # fmt: skip
    return section(
        "How it was made",
        mixed,
        table(["Strategy", "Settings that differ from the defaults"], differences(rows.spec.strategies), left=2),
        _list({
            "Run": rows.folder, "Specification": m["spec_sha256"],
            "Encoders": ", ".join(m["models"].get("encoders", [])),
            "Cross-encoders": ", ".join(m["models"].get("rerankers", [])) or "none used",
            "Seed": rows.spec.statistics.seed, "Resamples": f"{rows.spec.statistics.resamples:,}",
            "Versions": pairs(last.get("made_with", {})), "Machine": pairs(last.get("machine", {})),
        }),
        folded("Stages", table(["Stage", "Units", "Started", "Finished", "Resumed", "Taken from"], [
            [name, number(s.get("units", 0)), s.get("started", ""), s.get("finished", ""),
             number(len(s.get("resumed", []))), s.get("taken_from", "")]
            for name, s in stages.items() if s.get("finished")
        ])),
        folded("Time a unit took, median in ms", table(["Stage", "Strategy", "Units", "ms"], [
            [name, who, number(t["units"]), number(float(t["median"]), 1)]
            for name in ("retrieve", "answer") for who, t in stages.get(name, {}).get("ms", {}).items()
        ], left=2)),
        anchor="made",
    )  # fmt: skip


def differences(strategies: Sequence[Strategy]) -> list[Sequence[object]]:
    """A row a strategy: its name, and the settings that differ from the defaults."""
    default = Settings()
    found: list[Sequence[object]] = []
    for strategy in strategies:
        own = {
            name: value
            for name, value in strategy.settings.model_dump(mode="json").items()
            if name not in LIMITS_ONLY and value != getattr(default, name)
        }
        found.append([strategy.name, pairs(own) or "none"])
    return found


def every_figure(rows: Rows) -> Markup:
    """The tables as they are in the run's folder."""
    tables: tuple[tuple[str, Sequence[Any]], ...] = (
        ("measure.summary.csv", rows.summaries), ("measure.claims.csv", rows.claims), ("compare.csv", rows.pairs),
        ("compare.mcnemar.csv", rows.mcnemar), ("compare.kappa.csv", rows.kappa),
    )  # fmt: skip
    return section(
        "Every figure",
        tag("p", "The same tables as the files of the run, unrounded figures behind the rounded ones.", class_="note"),
        *(folded(f"{name}: {len(content):,} rows", _raw(content)) for name, content in tables if content),
        anchor="figures",
    )


def _raw(content: Sequence[Any]) -> Markup:
    names = [f.name for f in dataclasses.fields(content[0])]
    return table(names, [[_cell(getattr(row, name)) for name in names] for row in content])


def _cell(value: Any) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value, 4) if value is None or isinstance(value, int | float) else value


def _list(entries: dict[str, object]) -> Markup:
    return tag("dl", *(part for name, value in entries.items() for part in (tag("dt", name), tag("dd", value))))


def pairs(table_: Mapping[str, Any]) -> str:
    """Names with their values, in one line."""
    return ", ".join(f"{name} {value}" for name, value in table_.items() if value != "")
