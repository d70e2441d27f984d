"""The report: every figure of the tables, nothing from outside, no text that acts."""

from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chartcite.lab.csv_safe import read_own
from chartcite.lab.experiment.report.charts import metric_bars
from chartcite.lab.experiment.report.html import number, p_value, table, tag, text
from chartcite.lab.experiment.tables import SummaryRow

if TYPE_CHECKING:
    from tests.unit.lab.experiment.conftest import Runner

FIGURE = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
VOID = {"meta", "br", "img", "path", "use", "rect"}


class Seen(HTMLParser):
    """Tags, attributes and exact figures of a page; complains about elements that are not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.figures: set[float] = set()
        self.words: list[str] = []
        self.open: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        if tag == "data":
            self.figures.add(float(given["value"] or "nan"))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture
def page(runner: Runner, kept: Path) -> tuple[str, Seen]:
    """The page of a run with a hostile strategy name, and what a browser sees in it."""
    spec = runner.spec(name="Page", strategies=[
        {"name": "words", "method": "lexical", "rerank": "none"},
        {"name": "<b>&$x^2$ meaning", "method": "dense", "rerank": "none"},
    ])  # fmt: skip
    if not (kept / "page").is_dir():
        shutil.copytree(runner(spec).path, kept / "page")
    html = (kept / "page" / "report.html").read_text("utf-8")
    seen = Seen()
    seen.feed(html)
    return html, seen


def test_the_page_holds_every_figure_of_the_tables(page: tuple[str, Seen], kept: Path) -> None:
    _, seen = page
    for name in ("measure.csv", "measure.summary.csv", "compare.csv", "compare.mcnemar.csv"):
        for row in read_own(kept / "page" / name):
            for column, cell in row.items():
                if column not in ("strategy", "case_id", "group") and FIGURE.fullmatch(cell):
                    assert float(cell) in seen.figures, (name, column, cell)


def test_the_page_loads_nothing_and_runs_nothing(page: tuple[str, Seen]) -> None:
    html, seen = page
    assert not seen.tags & {"script", "img", "link", "iframe", "object", "embed", "form", "base", "a-b"}
    assert not [a for a in seen.attributes if a[1].startswith("on")]
    urls = [a for a in seen.attributes if a[1] in ("href", "src", "xlink:href", "action", "data")]
    assert all(value.startswith("#") for _, _, value in urls)
    assert not [a for a in seen.attributes if "://" in a[2]]
    assert "url(http" not in html
    assert "default-src 'none'" in html


def test_foreign_text_is_shown_and_does_not_act(page: tuple[str, Seen]) -> None:
    html, seen = page
    assert "<script" not in html
    assert "<img src=http" not in html
    assert "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;" in html
    assert 'alert("x")' in "".join(seen.words)
    assert "<b>&$x^2$ meaning" in "".join(seen.words)


def test_the_page_is_whole(page: tuple[str, Seen]) -> None:
    html, seen = page
    assert seen.open == []
    assert len(seen.ids) == len(set(seen.ids))
    assert html.startswith("<!doctype html>")
    anchors = {value[1:] for tag_, name, value in seen.attributes if (tag_, name) == ("a", "href")}
    assert anchors <= set(seen.ids)
    assert len(anchors) >= 6


def test_numbers() -> None:
    assert number(-0.5) == '<data value="-0.5">−0.500</data>'
    assert number(1234) == '<data value="1234">1,234</data>'
    assert ">–<" in number(None, reason='"x" <')
    assert "&quot;x&quot; &lt;" in number(None, reason='"x" <')
    assert (p_value(0.0001), p_value(1.0)) == (
        '<data value="0.0001">&lt; 0.001</data>', '<data value="1.0">1.000</data>'
    )  # fmt: skip


def test_text_cannot_hide_or_reverse() -> None:
    assert text("a\u202eb\x00c") == "a\ufffdb\ufffdc"
    assert tag("a", "x", title='"><b>') == '<a title="&quot;&gt;&lt;b&gt;">x</a>'
    assert "<th" in table(["a"], [["<i>"]])
    assert "<i>" not in table(["a"], [["<i>"]])


def test_a_plot_survives_any_name() -> None:
    name = "</text><script>alert(1)</script> $\\frac{ 日本"
    row = SummaryRow(name, "", "recall@5", "", 0.5, 0.4, 0.6, 3, "cases", 3, 0)
    svg = metric_bars([row], [name], "x")
    assert "<script" not in svg
    assert "http" not in svg
    assert "&lt;script&gt;" in svg
    assert metric_bars([], [], "x") == ""
