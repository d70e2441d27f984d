"""Tables and plots from the committed JSON of the benchmarks.

Usage: python benchmarks/figures.py [FOLDER]      (default: benchmarks/results)

Reads `peers_*.json` (`peers/run.py`) and `quality_*.json` (`quality.py`) there; prints Markdown tables and writes
`peers_*.png` and `quality.png` beside them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plots
from quality import MEASURES

Row = dict[str, Any]
# What a bar shows: a title and how to get it from one library's figures.
PANELS: dict[str, Callable[[Row], float]] = {
    "ingest, CPU s per 1,000 passages": lambda e: e["ingest_cpu_s_per_1000"],
    "query, CPU ms (best way)": lambda e: best(e)["cpu_ms"] if e["modes"] else 0.0,
    "hit@5 (best way)": lambda e: best(e)["hit@5"] if e["modes"] else 0.0,
    "start: import and model, CPU s": lambda e: e["import_cpu_s"] + e["load_cpu_s"],
    "peak memory, MB": lambda e: e["rss_mb"],
    "installed, GB": lambda e: e["size"]["mb"] / 1000,
}


def best(engine: Row) -> Row:
    """The mode that found most, the quicker one of equals."""
    found: Row = max(engine["modes"].values(), key=lambda m: (m["hit@5"], -m["cpu_ms"]))
    return found


def peers_table(made: Row) -> str:
    """One line a library, then one line a way to ask it."""
    head = (
        "| library | ingest CPU s / 1,000 | ratio | wall ratio | start CPU s | peak MB | installed MB (CUDA) "
        "| packages |\n"
        "|---|---|---|---|---|---|---|---|\n"
    )
    lines = [
        f"| {name} | {e['ingest_cpu_s_per_1000']:.1f} | {e['ingest_cpu_ratio']:.2f} | {e['ingest_wall_ratio']:.2f} "
        f"| {e['import_cpu_s'] + e['load_cpu_s']:.1f} | {e['rss_mb']:,} "
        f"| {e['size']['mb']:,} ({e['size']['gpu_only_mb']:,}) | {e['size']['packages']} |"
        for name, e in made["engines"].items()
    ]
    asked = [
        "",
        "| library | asked by | p50 ms | p95 ms | CPU ms | hit@5 | fewer than 5 |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, e in made["engines"].items():
        asked += [
            f"| {name} | {mode} | {m['p50_ms']:.1f} | {m['p95_ms']:.1f} | {m['cpu_ms']:.1f} "
            f"| {m['hit@5']:.2f} [{m['low']:.2f}, {m['high']:.2f}] | {m['fewer_than_5']} |"
            for mode, m in e["modes"].items()
        ]
    return head + "\n".join(lines + (asked if len(asked) > 3 else []))


def peers_plot(made: Row, path: Path) -> None:
    panels = {k: v for k, v in PANELS.items() if made["queries"] or "way" not in k}

    def draw(figure: Any) -> None:
        axes = figure.subplots(-(-len(panels) // 3), 3, sharey=True).flat
        names = list(made["engines"])
        for (title, value), axis in zip(panels.items(), axes, strict=False):
            lengths = [value(made["engines"][name]) for name in names]
            colours = [plots.COLOURS[0 if name.startswith("chartcite") else 7] for name in names]
            axis.barh(names, lengths, color=colours, height=0.65)
            for name, length in zip(names, lengths, strict=True):
                axis.text(
                    length, name, f" {length:,.2f}" if length < 10 else f" {length:,.0f}", va="center", fontsize=8
                )
            axis.set_title(title)
            axis.set_xlim(0, max(lengths) * 1.25)
            axis.grid(axis="y", visible=False)
        for axis in list(axes):  # what is left of the last line
            axis.set_visible(False)
        next(iter(figure.axes)).invert_yaxis()
        figure.suptitle(f"{made['data']}: {made['passages']:,} passages, {made['cores']} core(s)", fontsize=12)

    plots.save(path, (12.0, 2.9 * (-(-len(panels) // 3))), draw)


def quality_table(made: Row) -> str:
    lines = [f"| method | {' | '.join(MEASURES)} |", "|---" * 5 + "|"]
    for name, figures in made["methods"].items():
        cells = [_cell(next(v for m, v in figures.items() if m.startswith(measure))) for measure in MEASURES]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    kept = [t for t in made["tests"] if t["p_holm"] is not None and t["p_holm"] < 0.05]
    head = [
        f"{t['first']} less {t['second']} {t['difference'][0]:+.3f} [{t['difference'][1]:+.3f}, "
        f"{t['difference'][2]:+.3f}], p {t['p_holm']:.3f}"
        for t in kept
        if t["measure"].startswith("ndcg")
    ]
    count = made["tests"][0]["tests"] if made["tests"] else 0
    told = "; ".join(head) or "none"
    return "\n".join([*lines, "", f"{len(kept)} of {count} tests remain after Holm; of nDCG@10: {told}."])


def _cell(values: list[float | None]) -> str:
    if values[0] is None:
        return "none"
    return f"{values[0]:.3f}" if None in values else f"{values[0]:.3f} [{values[1]:.3f}, {values[2]:.3f}]"


def quality_plot(runs: dict[str, Row], path: Path) -> None:
    """nDCG@10 of each method on each data set, with its interval."""

    def draw(figure: Any) -> None:
        columns = 4
        grid = figure.subplots(-(-len(runs) // columns), columns, squeeze=False).flat
        for (name, made), axis in zip(runs.items(), grid, strict=False):
            for n, (method, figures) in enumerate(made["methods"].items()):
                value, low, high = next(v for m, v in figures.items() if m.startswith("ndcg"))
                ends = [[value - low], [high - value]] if low is not None else None
                axis.errorbar(value, method, xerr=ends, fmt="o", color=plots.COLOURS[n % 8], capsize=3)
            axis.set_title(f"{name} (n {made['cases']})")
            axis.invert_yaxis()
        for axis in list(grid):  # what is left of the last line
            axis.set_visible(False)
        figure.suptitle("nDCG@10 with 95 % intervals", fontsize=12)

    plots.save(path, (14.0, 2.6 * -(-len(runs) // 4)), draw)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "results"
    for path in sorted(folder.glob("peers_*.json")):
        made = json.loads(path.read_text("utf-8"))
        size = f"{made['passages']:,} passages, {made['distinct']:,} distinct, {made['rounds']} rounds"
        print(f"\n### {path.stem}: {size}\n")
        print(peers_table(made))
        peers_plot(made, path.with_suffix(".png"))
    runs = {
        p.stem.removeprefix("quality_"): json.loads(p.read_text("utf-8")) for p in sorted(folder.glob("quality_*.json"))
    }
    for name, made in runs.items():
        print(f"\n### {name}: n {made['cases']}, {made['clusters']} clusters, {made['items']:,} items\n")
        print(quality_table(made))
    if runs:
        quality_plot({k: v for k, v in runs.items() if not k.endswith("_cross")}, folder / "quality.png")


if __name__ == "__main__":
    main()
