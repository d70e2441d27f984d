"""The frame of a report: one HTML file that loads nothing, runs nothing and says what it is not for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

from chartcite import __version__
from chartcite.lab.experiment.report.html import Markup, join, tag

# Nothing is loaded and no script runs, whatever a text of the data holds.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def document(title: str, top: Markup, parts: Mapping[str, Markup]) -> str:
    """A page with its table of contents.

    Args:
        title: the run's name.
        top: what comes before the contents.
        parts: sections (`html.section`) by the words that lead to them; empty ones are left out.
    """
    css = Markup((files("chartcite.lab.experiment.report") / "style.css").read_text("utf-8"))
    head = join([
        Markup('<meta charset="utf-8">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
        tag("title", title), tag("style", css),
    ])  # fmt: skip
    foot = tag("footer", f"chartcite {__version__}. Research and quality assurance; not a medical device. The texts "
               "shown here come from the data set under its own licence.")  # fmt: skip
    body = tag("body", top, _contents(parts), *parts.values(), foot)
    return "<!doctype html>\n" + tag("html", tag("head", head), body, lang="en") + "\n"


def _contents(parts: Mapping[str, Markup]) -> Markup:
    anchors = {"Paired tests": "paired", "How it was made": "made", "Every figure": "figures"}
    links = [
        tag("a", name, href="#" + anchors.get(name, name.lower().replace(" ", "-")))
        for name, content in parts.items()
        if content
    ]  # fmt: skip
    return tag("nav", join(links, " "))
