"""Plots of a comparison: bars by measure and strategy, and what one strategy solves that another does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chartcite.lab.experiment.report.html import Markup
from chartcite.lab.experiment.report.plots import INK, LINE, PAPER, SERIES, SOFT, drawn
from chartcite.lab.experiment.tables import McNemarRow, SummaryRow

_COLUMNS = 4


def metric_bars(rows: Sequence[SummaryRow], strategies: Sequence[str], label: str) -> Markup:
    """One panel a measure, one bar a strategy, with its interval."""
    measures = list(dict.fromkeys((r.measure, r.by) for r in rows if r.value is not None))
    if not measures:
        return Markup("")
    found = {(r.measure, r.by, r.strategy): r for r in rows}
    columns = min(_COLUMNS, len(measures))
    lines = -(-len(measures) // columns)
    height = lines * (0.75 + 0.36 * len(strategies))

    def draw(figure: Any) -> None:
        axes = figure.subplots(lines, columns, sharey=True, sharex=True, squeeze=False)
        for place, measure in enumerate(measures):
            own = [found.get((*measure, s)) for s in strategies]
            _panel(axes[place // columns][place % columns], own, strategies, " · ".join(filter(None, measure)))
        for place in range(len(measures), lines * columns):
            axes[place // columns][place % columns].set_visible(False)

    return drawn(draw, (10.0, height), label)


def _panel(axes: Any, rows: Sequence[SummaryRow | None], strategies: Sequence[str], title: str) -> None:
    for i, row in enumerate(rows):
        if row is None or row.value is None:
            axes.text(0.02, i, "none", va="center", color=SOFT, fontsize=8.5)
            continue
        axes.barh(i, row.value, color=SERIES[i % len(SERIES)], height=0.66, alpha=0.9)
        if row.low is not None and row.high is not None:
            ends = [[max(row.value - row.low, 0)], [max(row.high - row.value, 0)]]
            axes.errorbar(row.value, i, xerr=ends, color=INK, capsize=2.5, linewidth=1)
        axes.text(1.04, i, f"{row.value:.2f}", va="center", color=INK, fontsize=9)
    axes.set_yticks(range(len(strategies)), [_short(s) for s in strategies])
    axes.set_ylim(len(strategies) - 0.4, -0.6)
    axes.set_xlim(0, 1.22)
    axes.set_xticks([0, 0.5, 1.0])
    axes.set_title(title, fontsize=10.5, loc="left", color=INK)
    axes.tick_params(length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="x", color=LINE, linewidth=0.6)
    axes.set_axisbelow(True)


def complementarity_bars(rows: Sequence[McNemarRow], label: str) -> Markup:
    """One bar a pair: how many cases both solved, only the first, only the second, neither."""
    if not rows or not rows[0].n:
        return Markup("")
    kinds = (
        ("both", SERIES[2]), ("only the first", SERIES[0]), ("only the second", SERIES[1]), ("neither", LINE)
    )  # fmt: skip

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for i, row in enumerate(rows):
            start = 0
            for (name, colour), n in zip(kinds, (row.both, row.only_first, row.only_second, row.neither), strict=True):
                axes.barh(i, n, left=start, color=colour, height=0.62, label=name if i == 0 else None)
                if n >= row.n * 0.02:
                    ink = INK if name == "neither" else PAPER
                    axes.text(start + n / 2, i, str(n), ha="center", va="center", color=ink, fontsize=9.5)
                start += n
        axes.set_yticks(range(len(rows)), [f"{_short(r.first)} / {_short(r.second)}" for r in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlim(0, rows[0].n)
        axes.set_xlabel("cases", color=SOFT)
        axes.locator_params(axis="x", integer=True)
        axes.tick_params(length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)
        axes.legend(ncols=4, loc="lower left", bbox_to_anchor=(0, 1.0), frameon=False, fontsize=9.5, handlelength=1)

    return drawn(draw, (10.0, 1.0 + 0.42 * len(rows)), label)


def _short(name: str) -> str:
    return name if len(name) <= 28 else f"{name[:27]}…"
