"""How the benchmarks' plots look: PNG, one light style, colours that colour-blind eyes tell apart (Okabe, Ito)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#7F7F7F", "#000000")
_STYLE = {
    "font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "axes.axisbelow": True,
    "grid.color": "#DDDDDD", "grid.linewidth": 0.6, "savefig.dpi": 130, "axes.titlesize": 11,
    "axes.titlelocation": "left",
}  # fmt: skip


def save(path: Path, size: tuple[float, float], draw: Callable[[Any], None]) -> None:
    """Draw on a figure and write it, the same bytes for the same figures."""
    import matplotlib  # noqa: PLC0415

    matplotlib.use("Agg")
    from matplotlib import pyplot  # noqa: PLC0415

    with pyplot.rc_context(_STYLE):  # type: ignore[arg-type]
        figure = pyplot.figure(figsize=size, layout="constrained")
        draw(figure)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Software": None})
        pyplot.close(figure)


def stacked(axes: Any, names: list[str], parts: dict[str, list[float]], unit: str) -> None:
    """One lying bar a name, its parts beside each other; `parts` by part, one length a name."""
    left = [0.0] * len(names)
    for n, (part, lengths) in enumerate(parts.items()):
        axes.barh(names, lengths, left=left, label=part, color=COLOURS[n % len(COLOURS)], height=0.6)
        left = [a + b for a, b in zip(left, lengths, strict=True)]
    for name, total in zip(names, left, strict=True):
        axes.text(total, name, f"  {total:,.0f} {unit}", va="center")
    axes.invert_yaxis()
    axes.set_xlim(0, max(left) * 1.18)
    axes.grid(axis="y", visible=False)
    axes.legend(frameon=False, ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.12))
