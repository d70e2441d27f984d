"""The section on answers: a table for each task form and answerer, by note setting and strategy; and by length."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.lab.experiment.report.html import Markup, join, number, section, spanned, table, tag
from chartcite.lab.studies.long_context.bins import BINS
from chartcite.lab.studies.long_context.report.rows import FORMS, SETTINGS, Rows, find, measures_of
from chartcite.lab.studies.long_context.scoring import MEASURES
from chartcite.lab.studies.long_context.systems import NO_WRITER
from chartcite.lab.studies.long_context.tables import CellRow

_WHO = {
    "cascade": "chartcite's cascade: every sentence verified against what it cites, no answer without evidence",
    "direct": "the writer's model alone, shown the context; nothing is verified, nothing cited",
}


def answers(rows: Rows) -> Markup:
    """All forms."""
    parts = []
    for form, title in FORMS.items():
        for answerer in rows.options.answerers:
            cells = rows.of(answerer, form)
            if cells:
                parts += [tag("h3", f"{title}, {answerer}"), tag("p", f"{_WHO[answerer]}.", class_="note")]
                parts.append(_one(rows, cells, answerer, form))
    said = [tag("li", tag("b", name), f": {what}.") for name, what in MEASURES.items()]
    forms = [tag("li", tag("b", name), f": {what}.") for name, what in rows.manifest.get("metrics", {}).items() if what]
    return section(
        "Answers",
        tag("p", "A missing answer counts as wrong. Figures lie between 0 and 1, intervals are over patients."),
        tag("ul", *said, *forms),
        *parts,
        anchor="answers",
    )  # fmt: skip


def _one(rows: Rows, cells: Sequence[CellRow], answerer: str, form: str) -> Markup:
    if all(c.value is None for c in cells) and any(c.reason == NO_WRITER for c in cells):
        return tag("p", f"No figure: {NO_WRITER}.", class_="warn")
    measures = measures_of(cells)
    known = [m for m in measures if any(c.value is not None for c in cells if (c.measure, c.by) == m)]
    unknown = {m: next(c.reason for c in cells if (c.measure, c.by) == m) for m in measures if m not in known}
    own = {(c.notes, c.strategy) for c in cells}
    order = [(n, s) for n in rows.options.notes for s in rows.strategies if (n, s) in own]

    def cell(notes: str, strategy: str, measure: tuple[str, str]) -> Markup:
        c = find(cells, notes=notes, strategy=strategy, measure=measure[0], by=measure[1])
        return spanned(c.value, c.low, c.high, c.reason) if c else number(None)

    head = ["Notes", "Strategy", *(" · ".join(filter(None, m)) for m in known), "Cases"]
    body = [[n, s, *(cell(n, s, m) for m in known), number(_n(cells, n, s))] for n, s in order]
    none = tag("p", "No figure: ", "; ".join(f"{m[0]}: {why}" for m, why in unknown.items()), ".", class_="note")
    return join([
        table(head, body, left=2), none if unknown else "", _no_notes(form, cells),
        *(_by_bin(rows, answerer, form, m) for m in known),
    ])  # fmt: skip


def _n(cells: Sequence[CellRow], notes: str, strategy: str) -> int:
    return max((c.n for c in cells if (c.notes, c.strategy) == (notes, strategy)), default=0)


def _no_notes(form: str, cells: Sequence[CellRow]) -> Markup:
    """What memory or guessing alone gives."""
    if not any(c.notes == "exclude_all" for c in cells):
        return Markup("")
    guess = " Among five options blind guessing has 0.20." if form == "choice" else ""
    return tag("p", f"exclude_all: {SETTINGS['exclude_all']}.{guess}", class_="note")


def _by_bin(rows: Rows, answerer: str, form: str, measure: tuple[str, str]) -> Markup:
    cells = [c for c in rows.of(answerer, form, "bin") if (c.measure, c.by) == measure]
    names = [name for name in BINS if any(c.name == name for c in cells)]
    if len(names) < 2:
        return Markup("")
    body = []
    for strategy in rows.strategies:
        own = [find(cells, strategy=strategy, name=name) for name in names]
        if any(own):
            body.append([strategy, *(_counted(c) for c in own)])
    return tag(
        "details", tag("summary", f"{' · '.join(filter(None, measure))} by tokens of the record, all notes included"),
        table(["Strategy", *names], body),
    )  # fmt: skip


def _counted(c: CellRow | None) -> Markup:
    if c is None or c.value is None:
        return number(None, reason=c.reason if c else "")
    return join([spanned(c.value, c.low, c.high), tag("span", "n ", number(c.n), class_="span")])
