"""Figures as inline SVG, drawn by matplotlib, in the page's own colours (so that they follow light and dark).

matplotlib draws in marker colours, which are then replaced by the page's variables; text stays text.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable
from typing import Any

from chartcite.lab.experiment.report.html import Markup, tag
from chartcite.lab.extras import need

INK, SOFT, LINE, PAPER, TINT = "#010101", "#020202", "#030303", "#040404", "#050505"
SERIES = tuple(f"#0a0a{i:02x}" for i in range(8))
_VARIABLES = {
    INK: "--ink", SOFT: "--soft", LINE: "--line", PAPER: "--paper", TINT: "--tint",
    **{colour: f"--s{i}" for i, colour in enumerate(SERIES)},
}  # fmt: skip
_STYLE = {
    "svg.fonttype": "none", "svg.hashsalt": "chartcite", "text.parse_math": False, "font.size": 10,
    "text.color": INK, "axes.labelcolor": INK, "xtick.color": SOFT, "ytick.color": INK, "axes.edgecolor": LINE,
    "axes.facecolor": "none", "figure.facecolor": "none", "savefig.facecolor": "none",
}  # fmt: skip


def drawn(draw: Callable[[Any], None], size: tuple[float, float], label: str) -> Markup:
    """A figure of this size in inches: `draw` is given matplotlib's; what belongs on a page is taken from its file."""
    matplotlib, figures = need("matplotlib"), need("matplotlib.figure")
    buffer = io.StringIO()
    with matplotlib.rc_context(_STYLE), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a name in a script that matplotlib's own font lacks: the page has others
        figure = figures.Figure(figsize=size, layout="constrained")
        draw(figure)
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return tag("figure", _cleaned(buffer.getvalue(), label), role="img", aria_label=label)


def _cleaned(file: str, label: str) -> Markup:
    svg = re.sub(r"<metadata>.*?</metadata>", "", file[file.index("<svg") :], flags=re.DOTALL)
    svg = re.sub(r'\s(?:xmlns(?::\w+)?|version)="[^"]*"', "", svg)
    svg = re.sub(
        r'(<svg[^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1), count=1
    )
    prefix = re.sub(r"[^a-z0-9]+", "-", label.lower())[:24]
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    svg = re.sub(r"url\(#", f"url(#{prefix}-", svg).replace('xlink:href="#', f'href="#{prefix}-')
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, f"var({variable})")
    return Markup(svg.strip())
